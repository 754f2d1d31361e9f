"""What is known of some cells of the grid: a fixed number of queries, however many they are."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import CharField, Exists, ExpressionWrapper, F, OuterRef, Subquery

from assessment.attempts.models import Case, Submission
from assessment.grades.models import Change, Exemption, ResultChange
from assessment.grades.oneroster.grid import Cell
from assessment.review.models import Grade, Review

# An id as the database driver gives it: turning each into a UUID would take a quarter of the time.
Key = tuple[Any, Any]


class Attempt(NamedTuple):
    """The latest attempt: when it came, and whether a person saved a review of it."""

    state: str
    submitted_at: datetime
    is_reviewed: bool

    @property
    def is_part_graded(self) -> bool:
        """Whether a review was begun and is not complete."""
        return self.is_reviewed and self.state in {
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
    """Attempts, grades, exemptions and opened exercises, by enrolment and exercise."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        enrolments = {place.enrolment_id for place, _ in cells}
        exercises = {exercise.pk for _, exercise in cells}
        within: Any = {"enrolment__in": enrolments, "exercise__in": exercises}
        key = (_raw("enrolment_id"), _raw("exercise_id"))
        reviews = Review.objects.filter(submission=OuterRef("pk"))
        attempts = (
            Submission.objects.filter(**within)
            .order_by("number")
            .annotate(is_reviewed=Exists(reviews))
        )
        self.attempts: dict[Key, Attempt] = {
            row[:2]: Attempt(*row[2:]) for row in attempts.values_list(*key, *Attempt._fields)
        }
        grades = Grade.objects.filter(**within).order_by()
        self.grades: dict[Key, Released] = {
            row[:2]: Released(*row[2:]) for row in grades.values_list(*key, *Released._fields)
        }
        exempt = Exemption.objects.filter(**within, lifted_at=None).order_by()
        self.exempt: set[Key] = set(exempt.values_list(*key))
        opened = Case.objects.filter(
            enrolment__in=enrolments, version__exercise__in=exercises
        ).order_by()
        self.opened: set[Key] = set(
            opened.values_list(_raw("enrolment_id"), _raw("version__exercise_id"))
        )
        changes = ResultChange.objects.filter(**within).order_by()
        self.changes: dict[Key, datetime] = {
            row[:2]: row[2] for row in changes.values_list(*key, "changed_at")
        }


def noted(subject: str) -> Subquery:
    """Return when a change of a row was noted."""
    return Subquery(Change.objects.filter(pk=OuterRef(subject)).values("changed_at"))


def raw(key: UUID) -> object:
    """Return an id as the database driver gives it."""
    return key if connection.features.has_native_uuid_field else key.hex


def _raw(name: str) -> "ExpressionWrapper[F]":
    return ExpressionWrapper(F(name), output_field=CharField())
