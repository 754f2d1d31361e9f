"""Learners by exercises: the results of a class are a grid, so any page is found by arithmetic.

Every learner has a row for every exercise, submitted or not. A release changes a cell and never
moves one, so a client that pages through misses nothing while grades are being released.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, QuerySet

from assessment.cohorts.models import Enrolment
from assessment.grades.oneroster.reach import Class
from exercises.models import Exercise


class Place(NamedTuple):
    """A learner's place in a cohort: the line of the grid."""

    enrolment_id: UUID
    user_id: UUID
    cohort_id: UUID
    joined_at: Any
    left_at: Any


PLACE_FIELDS = ("pk", "user_id", "cohort_id", "joined_at", "left_at")


@dataclass(frozen=True)
class Span:
    """Some learners of one class, the exercises asked for, and the cells of both that are taken."""

    found: Class
    exercises: Sequence[Exercise]
    places: QuerySet[Enrolment, Any]
    skip: int
    take: int

    def cells(self, part: int) -> Iterator[list[tuple[Place, Exercise]]]:
        """Yield the cells in parts of at most ``part``, learner by learner."""
        left, skip = self.take, self.skip
        cells: list[tuple[Place, Exercise]] = []
        for values in self.places.iterator(chunk_size=2000):
            place = Place(*values)
            for exercise in self.exercises[skip : skip + left]:
                cells.append((place, exercise))
                left -= 1
                if len(cells) == part:
                    yield cells
                    cells = []
            skip = 0
        if cells:
            yield cells


class Grid:
    """The cells of several classes, one class after another."""

    def __init__(
        self,
        axes: Sequence[tuple[Class, Sequence[Exercise]]],
        learners: QuerySet[Enrolment],
    ) -> None:
        self._axes = [(found, exercises) for found, exercises in axes if exercises]
        self._learners = learners
        counted = learners.filter(cohort__in=[found.cohort for found, _ in self._axes])
        self._counts = dict(counted.order_by().values_list("cohort").annotate(learners=Count("pk")))

    @property
    def total(self) -> int:
        """How many cells there are."""
        return sum(
            self._counts.get(found.cohort.pk, 0) * len(exercises) for found, exercises in self._axes
        )

    def spans(self, offset: int, limit: int) -> Iterator[Span]:
        """Yield what lies between two positions, class by class."""
        for found, exercises in self._axes:
            width = len(exercises)
            cells = self._counts.get(found.cohort.pk, 0) * width
            if offset >= cells:
                offset -= cells
                continue
            take = min(limit, cells - offset)
            first, skip = divmod(offset, width)
            last = (offset + take - 1) // width
            places = self._learners.filter(cohort=found.cohort).order_by("pk")
            yield Span(
                found,
                exercises,
                places.values_list(*PLACE_FIELDS)[first : last + 1],
                skip,
                take,
            )
            offset, limit = 0, limit - take
            if not limit:
                return
