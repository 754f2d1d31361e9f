"""Turns cells of the grid into results: what is known of each, and how the standard says it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from assessment.attempts.models import Case, Submission
from assessment.grades.models import Exemption
from assessment.grades.numbers import number
from assessment.grades.oneroster.grid import Cell, Place
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.reach import Class, Reach
from assessment.grades.oneroster.references import References, joined, stamp
from assessment.review.models import Grade, Review
from assessment.review.points import plain
from exercises.models import Exercise
from rubrics.models import Scale

Pair = tuple[UUID, UUID]


class Attempt(NamedTuple):
    """The latest attempt: when it came, and when a person last saved a review of it."""

    number: int
    state: str
    submitted_at: datetime
    reviewed_at: datetime | None

    @property
    def is_part_graded(self) -> bool:
        """Whether a review was begun and some criteria are still without points."""
        return self.reviewed_at is not None and self.state in {
            Submission.State.CHECKED,
            Submission.State.UNCHECKABLE,
        }


class Released(NamedTuple):
    """The grade, or its tombstone."""

    status: str
    points: Decimal
    maximum: Decimal
    level: int | None
    released_at: datetime
    updated_at: datetime


class Facts:
    """What is known of some cells: a fixed number of queries, however many they are."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        enrolments = {place.enrolment_id for place, _ in cells}
        exercises = {exercise.pk for _, exercise in cells}
        within = {"enrolment__in": enrolments, "exercise__in": exercises}
        reviewed = Review.objects.filter(submission=OuterRef("pk")).order_by("-number")
        attempts = (
            Submission.objects.filter(**within)
            .order_by("number")
            .annotate(reviewed_at=Subquery(reviewed.values("created_at")[:1]))
        )
        self.attempts: dict[Pair, Attempt] = {
            (row[0], row[1]): Attempt(*row[2:])
            for row in attempts.values_list("enrolment_id", "exercise_id", *Attempt._fields)
        }
        self.grades: dict[Pair, Released] = {
            (row[0], row[1]): Released(*row[2:])
            for row in Grade.objects.filter(**within)
            .order_by()
            .values_list("enrolment_id", "exercise_id", *Released._fields)
        }
        self.exemptions: dict[Pair, tuple[datetime | None, datetime]] = {
            (row[0], row[1]): (row[2], row[3])
            for row in Exemption.objects.filter(**within)
            .order_by()
            .values_list("enrolment_id", "exercise_id", "lifted_at", "updated_at")
        }
        opened = Case.objects.filter(
            enrolment__in=enrolments, version__exercise__in=exercises
        ).order_by()
        self.opened: set[Pair] = set(opened.values_list("enrolment_id", "version__exercise_id"))


@dataclass(frozen=True, slots=True)
class Column:
    """What all learners of a class share of one exercise; references are written once."""

    due_at: datetime
    line_item: Row
    scale: Row


class Writer:
    """Writes results."""

    def __init__(self, reach: Reach, references: References) -> None:
        self._reach = reach
        self._references = references
        self._now = timezone.now()
        self._columns: dict[Pair, Column] = {}

    def write(self, cells: Sequence[Cell]) -> list[Row]:
        """Return one result a cell (six queries at most)."""
        if not cells:
            return []
        facts = Facts(cells)
        scaled = self._scaled(facts)
        rows, place = [], None
        for each, exercise in cells:
            if each is not place:
                place = each
                student = self._references.to("user", place.user_id)
                class_ = self._references.to("class", place.cohort_id)
            row = self._row(each, exercise, facts, scaled)
            row["student"], row["class"] = student, class_
            rows.append(row)
        return rows

    def _column(self, place: Place, exercise: Exercise) -> Column:
        pair = (place.cohort_id, exercise.pk)
        if pair not in self._columns:
            found = self._classes[place.cohort_id]
            scale = joined(place.cohort_id, exercise.session_id)
            self._columns[pair] = Column(
                found.due_at(exercise),
                self._references.to("lineItem", joined(*pair)),
                self._references.to("scoreScale", scale),
            )
        return self._columns[pair]

    @cached_property
    def _classes(self) -> dict[UUID, Class]:
        return {found.cohort.pk: found for found in self._reach.classes}

    def _scaled(self, facts: Facts) -> frozenset[UUID]:
        """Return the sessions that have a scale of levels, where a level is to be written."""
        if all(grade.level is None for grade in facts.grades.values()):
            return frozenset()
        return frozenset(Scale.objects.values_list("session", flat=True))

    def _row(self, place: Place, exercise: Exercise, facts: Facts, scaled: frozenset[UUID]) -> Row:
        pair = (place.enrolment_id, exercise.pk)
        attempt, grade = facts.attempts.get(pair), facts.grades.get(pair)
        lifted_at, exempted_at = facts.exemptions.get(pair, (None, None))
        exempt = exempted_at is not None and lifted_at is None
        scored = grade is not None and grade.status == Grade.Status.RELEASED and not exempt
        column = self._column(place, exercise)
        missing = attempt is None and not exempt and not scored and column.due_at <= self._now
        changed_at = _latest(
            place.left_at or place.joined_at,
            exercise.retired_at,
            exempted_at,
            grade and grade.updated_at,
            attempt and attempt.submitted_at,
            attempt and attempt.reviewed_at,
            column.due_at if missing else None,
        )
        row: Row = {
            "sourcedId": joined(*pair),
            "status": "tobedeleted" if place.left_at or exercise.retired_at else "active",
            "dateLastModified": stamp(changed_at),
            "lineItem": column.line_item,
            "scoreStatus": _score_status(attempt, exempt=exempt, scored=scored),
            "scoreDate": changed_at.date().isoformat(),
            "late": _flag(attempt is not None and attempt.submitted_at > column.due_at),
            "missing": _flag(missing),
            "inProgress": _flag(attempt is None and pair in facts.opened),
        }
        if scored and grade is not None:
            row["score"] = number(grade.points)
            row["scoreDate"] = grade.released_at.date().isoformat()
            row["metadata"] = {"points": plain(grade.points), "maximum": plain(grade.maximum)}
            if grade.level is not None and exercise.session_id in scaled:
                row["textScore"] = str(grade.level)
                row["scoreScale"] = column.scale
        return row


def _score_status(attempt: Attempt | None, *, exempt: bool, scored: bool) -> str:
    if exempt:
        return "exempt"
    if scored:
        return "fully graded"
    if attempt is None:
        return "not submitted"
    return "partially graded" if attempt.is_part_graded else "submitted"


def _latest(*moments: datetime | None) -> datetime:
    return max(filter(None, moments))


def _flag(truth: bool) -> str:  # noqa: FBT001 (a conversion)
    return "true" if truth else "false"
