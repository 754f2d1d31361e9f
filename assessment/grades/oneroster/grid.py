"""Learners by exercises: the results of a class are a grid, so any page is found by arithmetic.

Every learner has a row for every exercise, submitted or not. A release changes a cell and never
moves one, so a client that pages through misses nothing while grades are being released.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from assessment.cohorts.models import Cohort, Enrolment
from assessment.grades.oneroster.reach import Class
from exercises.models import Exercise


class Place(NamedTuple):
    """A learner's place in a cohort: the line of the grid."""

    enrolment_id: UUID
    user_id: UUID
    cohort_id: UUID
    role: str
    joined_at: datetime
    left_at: datetime | None
    noted_at: datetime | None

    @property
    def is_present(self) -> bool:
        """Whether its results are shown as those of a learner of the class."""
        return self.left_at is None and self.role == Enrolment.Role.LEARNER

    @property
    def changed_at(self) -> datetime:
        """When the person joined, left or came back."""
        return max(filter(None, (self.joined_at, self.left_at, self.noted_at)))


PLACE_FIELDS = (
    "pk",
    "user_id",
    "cohort_id",
    "role",
    "joined_at",
    "left_at",
    "roll__changed_at",
)


@dataclass(frozen=True, slots=True)
class Lines:
    """Which places are asked about: those of learners, or those that once were as well."""

    cohorts: Sequence[Cohort]
    student: UUID | None = None
    only_present: bool = False

    def under(self, prefix: str = "") -> Q:
        """Return the condition on a place, or on what ``prefix`` (``enrolment__``) leads to it."""
        wanted: dict[str, Any] = {"cohort__in": self.cohorts}
        if self.student:
            wanted["user"] = self.student
        if self.only_present:
            wanted |= {"role": Enrolment.Role.LEARNER, "left_at": None}
        found = Q(**{f"{prefix}{name}": value for name, value in wanted.items()})
        if self.only_present:
            return found
        is_learner = Q(**{f"{prefix}role": Enrolment.Role.LEARNER})
        return found & (is_learner | Q(**{f"{prefix}roll__was_learner": True}))


Cell = tuple[Place, Exercise]
Axes = Sequence[tuple[Class, Sequence[Exercise]]]


@dataclass(frozen=True, slots=True)
class Span:
    """The learners of one class, from one position to another."""

    cohort_id: UUID
    first: int
    last: int


class Grid:
    """The cells of several classes, one class after another, in the order of their ids."""

    def __init__(self, axes: Axes, learners: QuerySet[Enrolment]) -> None:
        self._exercises = {found.cohort.pk: exercises for found, exercises in axes if exercises}
        self._learners = learners
        counted = learners.filter(cohort__in=list(self._exercises)).order_by()
        self._counts = dict(counted.values_list("cohort").annotate(learners=Count("pk")))

    @property
    def total(self) -> int:
        """How many cells there are."""
        return sum(
            self._counts.get(cohort_id, 0) * len(exercises)
            for cohort_id, exercises in self._exercises.items()
        )

    def cells(self, offset: int, limit: int) -> Iterator[Cell]:
        """Yield the cells from a position on (three queries at most, however far it is)."""
        spans, skip = self._spans(offset, limit)
        left = limit
        for place in self._places(spans):
            for exercise in self._exercises[place.cohort_id][skip : skip + left]:
                yield place, exercise
                left -= 1
            skip = 0

    def _spans(self, offset: int, limit: int) -> tuple[list[Span], int]:
        """Return the learners of each class, and how many exercises of the first are skipped."""
        spans: list[Span] = []
        skip = 0
        for cohort_id, exercises in self._exercises.items():
            width = len(exercises)
            cells = self._counts.get(cohort_id, 0) * width
            if offset >= cells:
                offset -= cells
                continue
            take = min(limit, cells - offset)
            if not spans:
                skip = offset % width
            spans.append(Span(cohort_id, offset // width, (offset + take - 1) // width + 1))
            offset, limit = 0, limit - take
            if not limit:
                break
        return spans, skip

    def _places(self, spans: Sequence[Span]) -> Iterator[Place]:
        """Yield the learners: classes between the first and the last are taken whole."""
        if not spans:
            return
        first, *rest = spans
        parts = [self._span(first)]
        if len(rest) > 1:
            between = [span.cohort_id for span in rest[:-1]]
            parts.append(self._learners.filter(cohort__in=between).order_by("cohort_id", "pk"))
        if rest:
            parts.append(self._span(rest[-1]))
        for part in parts:
            yield from map(Place._make, part.values_list(*PLACE_FIELDS).iterator(chunk_size=2000))

    def _span(self, span: Span) -> QuerySet[Enrolment]:
        return self._learners.filter(cohort=span.cohort_id).order_by("pk")[span.first : span.last]
