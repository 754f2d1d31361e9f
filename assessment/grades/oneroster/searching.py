"""Results by any other filter or order: the database looks at every cell."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any
from uuid import UUID

from django.db.models import (
    BooleanField,
    Case,
    CharField,
    DateTimeField,
    DecimalField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, Greatest

from assessment.attempts.models import Case as Opened
from assessment.attempts.models import Submission
from assessment.cohorts.models import Enrolment
from assessment.grades.models import Assignment, Exemption, ResultChange
from assessment.grades.oneroster.columns import (
    Column,
    Columns,
    condition,
    day,
    flag,
    ids,
    ordering,
    reference,
    text,
    value,
)
from assessment.grades.oneroster.facts import noted
from assessment.grades.oneroster.filters import Filter
from assessment.grades.oneroster.grid import PLACE_FIELDS, Axes, Cell, Lines, Place
from assessment.grades.oneroster.queries import Query
from assessment.grades.oneroster.references import References
from assessment.grades.oneroster.since import Since
from assessment.review.models import Grade, Review
from exercises.models import Exercise
from rubrics.models import Scale


def _columns(references: References) -> Columns:
    """Return every field of a result that has one value; those never sent are absent in all."""

    def link(member: str, *names: str) -> dict[str, Column]:
        return reference(member, member, references.prefix(member), *names)

    return {
        "sourcedId": ids("pk", "exercise_ref"),
        "status": text("status"),
        "dateLastModified": value("changed_at"),
        **link("lineItem", "cohort_id", "exercise_ref"),
        **reference("student", "user", references.prefix("user"), "user_id"),
        **link("class", "cohort_id"),
        **link("scoreScale", "scale_cohort", "scale_session"),
        "scoreScale.type": text("scale_type"),
        "scoreStatus": text("score_status"),
        "scoreDate": day("score_moment"),
        "score": value("score"),
        "textScore": text("text_score"),
        "comment": text("never_sent"),
        "inProgress": flag("in_progress"),
        "incomplete": text("never_sent"),
        "late": flag("late"),
        "missing": flag("missing"),
    }


@dataclass(frozen=True)
class Found:
    """The cells of a page, and how many there are in all."""

    total: int
    cells: QuerySet[Enrolment, Any]
    exercises: dict[UUID, Exercise]

    def __iter__(self) -> Iterator[Cell]:
        """Yield the cells of the page."""
        for *place, exercise_id in self.cells.iterator(chunk_size=2000):
            yield Place(*place), self.exercises[exercise_id]


def search(
    lines: Lines, axes: Axes, query: Query, references: References, as_of: datetime
) -> Found:
    """Return the cells that a filter lets through, in the order asked for.

    ``lines`` are the learners' places, ``axes`` the classes with the exercises in question;
    deleted ones among both are dropped unless the filter asks for changes. Deadlines have passed as
    of ``as_of``.
    """
    exercises = {exercise.pk: exercise for _, found in axes for exercise in found}
    columns = _columns(references)
    places = Enrolment.objects.filter(lines.under())
    since = _since(query.filter, lines, axes, as_of)
    if since and (touched := since.touched()):
        places = places.filter(touched)
    cells = (
        places.annotate(
            exercise_ref=F("cohort__offers__session__exercises"),
            retired_at=F("cohort__offers__session__exercises__retired_at"),
            session_ref=F("cohort__offers__session"),
            withdrawn_at=F("cohort__offers__withdrawn_at"),
            offered_at=F("cohort__offers__changed_at"),
        )
        .filter(exercise_ref__in=list(exercises))
        .annotate(**_facts())
        .annotate(due_at=_due_at(axes))
        .annotate(**_states(as_of))
        .annotate(**_conclusions())
        .annotate(**_scores())
    )
    if not query.wants_tombstones:
        cells = cells.filter(_PRESENT)
    cells = cells.filter(condition(query.filter, columns))
    order = ordering(query.sort or "sourcedId", columns, descending=query.descending)
    ties = ordering("sourcedId", columns, descending=query.descending and not query.sort)
    wanted = cells.order_by(*order, *ties).values_list(*PLACE_FIELDS, "exercise_ref")
    return Found(cells.count(), wanted[query.offset : query.offset + query.limit], exercises)


_PRESENT = Q(left_at=None, role=Enrolment.Role.LEARNER, withdrawn_at=None, retired_at=None)


def _facts() -> dict[str, Any]:
    """Return what is known of a cell, as subqueries along unique indexes."""
    of_cell = {"enrolment": OuterRef("pk"), "exercise": OuterRef("exercise_ref")}
    grade = Grade.objects.filter(**of_cell)
    released = grade.released()
    attempt = Submission.objects.filter(**of_cell).order_by("-number")
    reviews = Review.objects.filter(submission=OuterRef("pk"))
    reviewed = attempt.annotate(is_reviewed=Exists(reviews))
    opened = Opened.objects.filter(
        enrolment=OuterRef("pk"), version__exercise=OuterRef("exercise_ref")
    )
    assigned = Assignment.objects.filter(
        cohort=OuterRef("cohort_id"), exercise=OuterRef("exercise_ref")
    )
    return {
        "points": Subquery(
            released.values("points"), output_field=DecimalField(max_digits=9, decimal_places=4)
        ),
        "level": Subquery(released.values("level")),
        "released_at": Subquery(released.values("released_at")),
        "graded_at": Subquery(grade.values("updated_at")),
        "attempt_state": Subquery(attempt.values("state")[:1]),
        "attempted_at": Subquery(attempt.values("submitted_at")[:1]),
        "is_reviewed": Subquery(reviewed.values("is_reviewed")[:1]),
        "exempt": Exists(Exemption.objects.filter(**of_cell, lifted_at=None)),
        "opened": Exists(opened),
        "noted_at": Subquery(ResultChange.objects.filter(**of_cell).values("changed_at")),
        "exercise_noted_at": noted("exercise_ref"),
        "assigned_until": Subquery(assigned.values("due_at")),
        "scaled": Exists(Scale.objects.filter(session=OuterRef("session_ref"))),
    }


def _due_at(axes: Axes) -> Coalesce:
    """Return when a cell is due: as ``Class.due_at`` has it."""
    ends = [When(cohort=found.cohort, then=Value(found.ends_at)) for found, _ in axes]
    return Coalesce("assigned_until", Case(*ends, output_field=DateTimeField()))


def _states(as_of: datetime) -> dict[str, Any]:
    """Return what follows from the facts, as ``cells`` concludes it row by row."""
    part_graded = Q(
        is_reviewed=True,
        attempt_state__in=[Submission.State.CHECKED, Submission.State.UNCHECKABLE],
    )
    return {
        "status": Case(
            When(_PRESENT, then=Value("active")),
            default=Value("tobedeleted"),
            output_field=CharField(),
        ),
        "score": Case(When(exempt=False, then=F("points"))),
        "score_status": Case(
            When(exempt=True, then=Value("exempt")),
            When(points__isnull=False, then=Value("fully graded")),
            When(attempted_at=None, then=Value("not submitted")),
            When(part_graded, then=Value("partially graded")),
            default=Value("submitted"),
            output_field=CharField(),
        ),
        "late": _truth(Q(attempted_at__gt=F("due_at"))),
        "missing": _truth(Q(points=None, attempted_at=None, exempt=False, due_at__lte=as_of)),
        "in_progress": _truth(Q(attempted_at=None, opened=True)),
        "never_sent": Value(None, output_field=CharField()),
    }


def _truth(condition: Q) -> Case:
    return Case(
        When(condition, then=Value(True)),  # noqa: FBT003 (Value takes what the database shall hold)
        default=Value(False),  # noqa: FBT003 (Value takes what the database shall hold)
        output_field=BooleanField(),
    )


def _conclusions() -> dict[str, Any]:
    """Return when a cell last changed."""
    moments = (
        "left_at",
        "roll__changed_at",
        "offered_at",
        "exercise_noted_at",
        "graded_at",
        "noted_at",
        Case(When(missing=True, then=F("due_at")), output_field=DateTimeField()),
    )
    # Not every database leaves out what is not known.
    known = (Coalesce(moment, "joined_at") for moment in moments)
    return {"changed_at": Greatest("joined_at", *known)}


def _scores() -> dict[str, Any]:
    """Return what is shown beside a score, and its day."""
    scored = Q(score__isnull=False)
    levelled = scored & Q(level__isnull=False, scaled=True)
    return {
        "score_moment": Case(
            When(scored, then=F("released_at")),
            default=F("changed_at"),
            output_field=DateTimeField(),
        ),
        "text_score": Case(
            When(levelled, then=Cast("level", CharField())), output_field=CharField()
        ),
        "scale_type": Case(When(levelled, then=Value("scoreScale")), output_field=CharField()),
        "scale_cohort": Case(When(levelled, then=F("cohort_id"))),
        "scale_session": Case(When(levelled, then=F("session_ref"))),
    }


def _since(wanted: Filter, lines: Lines, axes: Axes, as_of: datetime) -> Since | None:
    """Return the time since which a cell must have changed: no score is older than its day."""
    if wanted.any_of:
        return None
    moments: list[datetime] = []
    for clause in wanted.clauses:
        if clause.op in {"=", ">", ">="}:
            if clause.field == "dateLastModified" and isinstance(clause.value, datetime):
                moments.append(clause.value)
            elif clause.field == "scoreDate" and isinstance(clause.value, date):
                moments.append(datetime.combine(clause.value, time(), tzinfo=UTC))
    return Since(lines, axes, max(moments), or_at=True, as_of=as_of) if moments else None
