"""What a client may read: its cohorts, and what is asked of them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cached_property
from uuid import UUID

from django.db.models import QuerySet

from assessment.cohorts.models import Cohort
from assessment.grades.models import Assignment, School, Term
from exercises.models import Exercise, Session

# A cohort that nobody placed in a term belongs to this one. It is never stored.
OPEN_SCHOOL = School(id=UUID(int=1), name="School", updated_at=datetime(2000, 1, 1, tzinfo=UTC))
OPEN_TERM = Term(
    id=UUID(int=2),
    school=OPEN_SCHOOL,
    title="Open term",
    starts_on=date(2000, 1, 1),
    ends_on=date(2100, 1, 1),
    school_year=2100,
    updated_at=datetime(2000, 1, 1, tzinfo=UTC),
)


@dataclass(frozen=True)
class Class:
    """A cohort with its sessions, its exercises in one stable order, and their dates."""

    cohort: Cohort
    sessions: Sequence[Session] = ()
    # Those that are no longer offered included: their line items are shown as deleted.
    all_exercises: Sequence[Exercise] = ()
    assignments: dict[UUID, Assignment] = field(default_factory=dict)

    @cached_property
    def exercises(self) -> list[Exercise]:
        """The exercises that are offered."""
        return [exercise for exercise in self.all_exercises if exercise.retired_at is None]

    @property
    def term(self) -> Term:
        """The term it takes place in."""
        placement = getattr(self.cohort, "placement", None)
        return placement.term if placement else OPEN_TERM

    def assigned_at(self, exercise: Exercise) -> datetime:
        """Return when the exercise was given: on the first day of the term if nobody said."""
        found = self.assignments.get(exercise.pk)
        return found.assigned_at if found else self._midnight(self.term.starts_on)

    def due_at(self, exercise: Exercise) -> datetime:
        """Return when it is due: at the end of the term if nobody said."""
        found = self.assignments.get(exercise.pk)
        return (found and found.due_at) or self._midnight(self.term.ends_on)

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), tzinfo=self.cohort.zone)


class Reach:
    """The cohorts of one client; each question below is a fixed number of queries."""

    def __init__(self, cohorts: QuerySet[Cohort]) -> None:
        self._cohorts = cohorts

    @cached_property
    def cohorts(self) -> list[Cohort]:
        """The cohorts themselves, by id (one query)."""
        return list(self._cohorts.select_related("placement__term__school").order_by("pk"))

    @cached_property
    def classes(self) -> list[Class]:
        """The cohorts with what is asked of them (four queries)."""
        sessions = self._sessions
        exercises: defaultdict[UUID, list[Exercise]] = defaultdict(list)
        held = {session.pk for found in sessions.values() for session in found}
        for exercise in Exercise.objects.filter(session__in=held).select_related(
            "current", "session"
        ):
            exercises[exercise.session_id].append(exercise)
        dates: defaultdict[UUID, dict[UUID, Assignment]] = defaultdict(dict)
        for assignment in Assignment.objects.filter(cohort__in=self.cohorts):
            dates[assignment.cohort_id][assignment.exercise_id] = assignment
        return [
            Class(
                cohort,
                sessions[cohort.pk],
                sorted(
                    (found for session in sessions[cohort.pk] for found in exercises[session.pk]),
                    key=lambda exercise: exercise.pk,
                ),
                dates[cohort.pk],
            )
            for cohort in self.cohorts
        ]

    @cached_property
    def _sessions(self) -> dict[UUID, list[Session]]:
        sessions: defaultdict[UUID, list[Session]] = defaultdict(list)
        links = Cohort.sessions.through.objects.filter(cohort__in=self.cohorts)
        for link in links.select_related("session").order_by("session_id"):
            sessions[link.cohort_id].append(link.session)
        return sessions

    def only(self, cohort_id: UUID) -> "Reach | None":
        """Return the reach of this one cohort, or ``None`` where it is not within it."""
        narrowed = Reach(self._cohorts.filter(pk=cohort_id))
        return narrowed if narrowed.cohorts else None
