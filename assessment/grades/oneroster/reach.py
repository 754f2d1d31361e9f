"""What a client may read: its cohorts, and what is asked of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cached_property
from uuid import UUID

from django.db.models import QuerySet

from assessment.cohorts.models import Cohort
from assessment.grades.models import Assignment, Change, FormerTerm, Offer, School, Term
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

# Their documents stay where they are: every page of results would carry them along.
_OF_SESSIONS = ("session__title", "session__imported_at")


@dataclass(frozen=True)
class Class:
    """A cohort with its sessions, its exercises in one stable order, and their dates."""

    cohort: Cohort
    # By session. What it no longer has is among them: it is shown as deleted.
    offers: Mapping[UUID, Offer] = field(default_factory=dict)
    all_exercises: Sequence[Exercise] = ()
    assignments: Mapping[UUID, Assignment] = field(default_factory=dict)
    changes: Mapping[UUID, datetime] = field(default_factory=dict)

    @cached_property
    def sessions(self) -> list[Session]:
        """The sessions it has."""
        return [each.session for each in self.offers.values() if each.withdrawn_at is None]

    @cached_property
    def exercises(self) -> list[Exercise]:
        """The exercises that are offered."""
        return [exercise for exercise in self.all_exercises if self.is_offered(exercise)]

    def is_offered(self, exercise: Exercise) -> bool:
        """Return whether the session still holds the exercise, and the cohort the session."""
        withdrawn_at = self.offers[exercise.session_id].withdrawn_at
        return exercise.retired_at is None and withdrawn_at is None

    @cached_property
    def changed_at(self) -> datetime:
        """When the class itself, or the term it takes place in, last changed."""
        noted = (self.changes.get(pk) for pk in (self.cohort.pk, self.term.pk))
        return max(self.term.updated_at, *filter(None, noted))

    def moved_at(self, exercise: Exercise) -> datetime:
        """Return when the exercise was last given, taken back, or given another deadline."""
        offered_at = self.offers[exercise.session_id].changed_at
        return max(offered_at, self.changes.get(exercise.pk, offered_at))

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
        return (found and found.due_at) or self.ends_at

    @cached_property
    def ends_at(self) -> datetime:
        """When its term ends."""
        return self._midnight(self.term.ends_on)

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), tzinfo=self.cohort.zone)


class Reach:
    """The cohorts of one client; each question below is a fixed number of queries.

    ``as_of`` is when the client asks: deadlines have passed, or have not, as of then.
    """

    def __init__(self, cohorts: QuerySet[Cohort], as_of: datetime) -> None:
        self._cohorts = cohorts
        self.as_of = as_of

    @cached_property
    def cohorts(self) -> list[Cohort]:
        """The cohorts themselves, by id (one query)."""
        return list(self._cohorts.select_related("placement__term__school").order_by("pk"))

    @cached_property
    def classes(self) -> list[Class]:
        """The cohorts with what is, or was, asked of them (five queries)."""
        offers: defaultdict[UUID, dict[UUID, Offer]] = defaultdict(dict)
        for offer in (
            Offer.objects.filter(cohort__in=self.cohorts)
            .select_related("session")
            .only("cohort", "changed_at", "withdrawn_at", "session__course", *_OF_SESSIONS)
            .order_by("session_id")
        ):
            offers[offer.cohort_id][offer.session_id] = offer
        held = {session for found in offers.values() for session in found}
        exercises: defaultdict[UUID, list[Exercise]] = defaultdict(list)
        for exercise in (
            Exercise.objects.filter(session__in=held)
            .select_related("current", "session")
            .only("slug", "title", "retired_at", "current__created_at", *_OF_SESSIONS)
        ):
            exercises[exercise.session_id].append(exercise)
        dates: defaultdict[UUID, dict[UUID, Assignment]] = defaultdict(dict)
        for assignment in Assignment.objects.filter(cohort__in=self.cohorts):
            dates[assignment.cohort_id][assignment.exercise_id] = assignment
        subjects = [cohort.pk for cohort in self.cohorts]
        for cohort in self.cohorts:
            if placement := getattr(cohort, "placement", None):
                subjects += [placement.term_id, placement.term.school_id]
        subjects += [exercise.pk for found in exercises.values() for exercise in found]
        changes = dict(Change.objects.filter(pk__in=subjects).values_list("subject", "changed_at"))
        return [
            Class(
                cohort,
                offers[cohort.pk],
                sorted(
                    (found for session in offers[cohort.pk] for found in exercises[session]),
                    key=lambda exercise: exercise.pk,
                ),
                dates[cohort.pk],
                changes,
            )
            for cohort in self.cohorts
        ]

    @cached_property
    def former_terms(self) -> list[FormerTerm]:
        """The terms in which cohorts took place before (one query)."""
        found = FormerTerm.objects.filter(cohort__in=self.cohorts)
        return list(found.select_related("term__school").order_by("left_at"))

    def only(self, cohort_id: UUID) -> "Reach | None":
        """Return the reach of this one cohort, or ``None`` where it is not within it."""
        narrowed = Reach(self._cohorts.filter(pk=cohort_id), self.as_of)
        return narrowed if narrowed.cohorts else None
