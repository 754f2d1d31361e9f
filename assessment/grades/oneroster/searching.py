"""Results by any other filter or order: the database looks at every cell."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
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
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from assessment.attempts.models import Submission
from assessment.cohorts.models import Enrolment
from assessment.grades.models import Exemption
from assessment.grades.oneroster.columns import (
    Columns,
    condition,
    one_id,
    ordering,
    pair,
    text,
    value,
)
from assessment.grades.oneroster.filters import Filter
from assessment.grades.oneroster.grid import PLACE_FIELDS, Axes, Cell, Place
from assessment.grades.oneroster.queries import Query
from assessment.review.models import Grade, Review
from exercises.models import Exercise

Places = QuerySet[Enrolment]

_COLUMNS: Columns = {
    "sourcedId": pair("pk", "exercise_ref"),
    "status": text("status"),
    "dateLastModified": value("changed_at"),
    "lineItem.sourcedId": pair("cohort_id", "exercise_ref"),
    "student.sourcedId": one_id("user_id"),
    "class.sourcedId": one_id("cohort_id"),
    "scoreStatus": text("score_status"),
    "score": value("score"),
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


def search(places: Places, axes: Axes, query: Query) -> Found:
    """Return the cells that a filter lets through, in the order asked for.

    ``places`` are the learners' places, ``axes`` the classes with the exercises in question;
    deleted ones among both are dropped unless the filter asks for changes.
    """
    exercises = {
        exercise.pk: exercise
        for _, found in axes
        for exercise in found
        if query.wants_tombstones or exercise.retired_at is None
    }
    overdue = _overdue(axes)
    places = places.filter(cohort__in=[found.cohort for found, _ in axes])
    if not query.wants_tombstones:
        places = places.filter(left_at=None)
    if since := _since(query.filter, axes, overdue):
        places = places.filter(_touched(since))
    cells = (
        places.annotate(exercise_ref=F("cohort__sessions__exercises"))
        .filter(exercise_ref__in=list(exercises))
        .annotate(**_facts())
        .annotate(**_conclusions(axes, overdue))
        .filter(condition(query.filter, _COLUMNS))
    )
    order = ordering(query.sort or "sourcedId", _COLUMNS, descending=query.descending)
    wanted = cells.order_by(*order, "pk", "exercise_ref").values_list(*PLACE_FIELDS, "exercise_ref")
    return Found(cells.count(), wanted[query.offset : query.offset + query.limit], exercises)


def _facts() -> dict[str, Any]:
    """Return what is known of a cell, as subqueries along unique indexes."""
    of_cell = {"enrolment": OuterRef("pk"), "exercise": OuterRef("exercise_ref")}
    grade = Grade.objects.filter(**of_cell)
    attempt = Submission.objects.filter(**of_cell).order_by("-number")
    reviews = Review.objects.filter(submission=OuterRef("pk")).order_by("-number")
    reviewed = attempt.annotate(saved_at=Subquery(reviews.values("created_at")[:1]))
    exemption = Exemption.objects.filter(**of_cell)
    return {
        "points": Subquery(
            grade.released().values("points"),
            output_field=DecimalField(max_digits=9, decimal_places=4),
        ),
        "graded_at": Subquery(grade.values("updated_at")),
        "attempt_state": Subquery(attempt.values("state")[:1]),
        "attempted_at": Subquery(attempt.values("submitted_at")[:1]),
        "reviewed_at": Subquery(reviewed.values("saved_at")[:1]),
        "exempt": Exists(exemption.filter(lifted_at=None)),
        "exempted_at": Subquery(exemption.values("updated_at")),
    }


def _conclusions(axes: Axes, overdue: dict[tuple[UUID, UUID], datetime]) -> dict[str, Any]:
    """Return what follows from the facts, as ``cells`` concludes it row by row."""
    retired = {
        exercise.pk: exercise.retired_at
        for _, found in axes
        for exercise in found
        if exercise.retired_at
    }
    part_graded = Q(reviewed_at__isnull=False) & Q(
        attempt_state__in=[Submission.State.CHECKED, Submission.State.UNCHECKABLE]
    )
    missing = Q(points=None, attempted_at=None, exempt=False)
    dues = [
        When(missing & Q(cohort=cohort, exercise_ref=exercise), then=Value(due))
        for (cohort, exercise), due in overdue.items()
    ]
    retirements = [
        When(exercise_ref=exercise, then=Value(moment)) for exercise, moment in retired.items()
    ]
    ended = Coalesce("left_at", "joined_at")
    times: list[Coalesce | Case] = [
        Coalesce(moment, ended)
        for moment in ("graded_at", "attempted_at", "reviewed_at", "exempted_at")
    ]
    times += [
        Case(*cases, default=ended, output_field=DateTimeField())
        for cases in (dues, retirements)
        if cases
    ]
    return {
        "status": Case(
            When(Q(left_at=None) & ~Q(exercise_ref__in=list(retired)), then=Value("active")),
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
        "changed_at": Greatest(ended, *times),
    }


def _overdue(axes: Axes) -> dict[tuple[UUID, UUID], datetime]:
    """Return the exercises of each class that were due before now."""
    now = timezone.now()
    return {
        (found.cohort.pk, exercise.pk): due
        for found, exercises in axes
        for exercise in exercises
        if (due := found.due_at(exercise)) <= now
    }


def _since(
    wanted: Filter, axes: Axes, overdue: dict[tuple[UUID, UUID], datetime]
) -> datetime | None:
    """Return the time after which the filter asks for changes, where only people make them.

    Nothing is known by person of a deadline that passed or an exercise that was withdrawn since;
    then every cell is looked at.
    """
    if wanted.any_of:
        return None
    starts = [
        clause.value
        for clause in wanted.clauses
        if clause.field == "dateLastModified"
        and clause.op in {"=", ">", ">="}
        and isinstance(clause.value, datetime)
    ]
    if not starts:
        return None
    since = max(starts)
    retired = (exercise.retired_at for _, found in axes for exercise in found)
    passed = [*overdue.values(), *(moment for moment in retired if moment)]
    return None if any(moment >= since for moment in passed) else since


def _touched(since: datetime) -> Q:
    """Return the condition that something happened to a learner since then."""
    return (
        Q(joined_at__gte=since)
        | Q(left_at__gte=since)
        | Q(pk__in=Grade.objects.filter(updated_at__gte=since).values("enrolment"))
        | Q(pk__in=Submission.objects.filter(submitted_at__gte=since).values("enrolment"))
        | Q(pk__in=Review.objects.filter(created_at__gte=since).values("submission__enrolment"))
        | Q(pk__in=Exemption.objects.filter(updated_at__gte=since).values("enrolment"))
    )
