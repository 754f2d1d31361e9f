"""Results that changed since a time, found from what changed and not by looking at every one.

A result changes with the work or the grade of its cell, with the learner's place, with the exercise
as the class is given it, and when its deadline passes. Each of these bears its time under an index,
so a pull of changes costs what it brings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from assessment.attempts.models import Submission
from assessment.cohorts.models import Enrolment
from assessment.grades.models import Exemption, ResultChange
from assessment.grades.oneroster.grid import PLACE_FIELDS, Axes, Cell, Lines, Place
from assessment.review.models import Grade

_BATCH = 2000
_EXERCISES = "cohort__offers__session__exercises"


@dataclass(frozen=True)
class Since:
    """The cells of some places and exercises that changed after a time, or at it as well."""

    lines: Lines
    axes: Axes
    moment: datetime
    or_at: bool
    as_of: datetime

    @property
    def is_everything(self) -> bool:
        """Whether every exercise was given since then, and so every cell changed."""
        return all(
            self._is_after(found.moved_at(exercise))
            for found, exercises in self.axes
            for exercise in exercises
        )

    @property
    def total(self) -> int:
        """How many cells there are (one query)."""
        return self._cells.count()

    def page(self, offset: int, limit: int) -> Iterator[Cell]:
        """Yield the cells from a position on (two queries, and one more for every 2,000)."""
        exercises = {each.pk: each for _, found in self.axes for each in found}
        pairs = iter(self._cells.order_by("enrolment_id", "exercise_id")[offset : offset + limit])
        while batch := list(islice(pairs, _BATCH)):
            lines = Enrolment.objects.filter(pk__in={enrolment for enrolment, _ in batch})
            places = {row[0]: Place(*row) for row in lines.values_list(*PLACE_FIELDS)}
            for enrolment, exercise in batch:
                yield places[enrolment], exercises[exercise]

    def touched(self) -> Q | None:
        """Return the places of which something changed, or nothing where that may be any."""
        if self._moved or self._due:
            return None
        return (
            self._of_places()
            | Q(pk__in=ResultChange.objects.filter(self._after("changed_at")).values("enrolment"))
            | Q(pk__in=Grade.objects.filter(self._after("updated_at")).values("enrolment"))
        )

    @cached_property
    def _cells(self) -> QuerySet[Any, Any]:
        """The pairs of place and exercise: those of the work, the grades, the places, the rest."""
        of_axes = self._grid()
        parts = [
            self._along(Grade.objects.all(), "updated_at"),
            of_axes.filter(self._of_places()),
        ]
        if self._moved:
            parts.append(of_axes.filter(_any_of(self._moved)))
        if self._due:
            parts.append(of_axes.filter(_any_of(self._due)).filter(*_missing()))
        return self._along(ResultChange.objects.all(), "changed_at").union(*parts)

    def _along(self, rows: QuerySet[Any], time: str) -> QuerySet[Any, Any]:
        """Narrow rows about cells to the cells in question.

        The rows of the time are named by a query of their own: the database begins with them.
        """
        offers = "exercise__session__offers"
        within: dict[str, Any] = {
            "pk__in": rows.filter(self._after(time)).order_by().values("pk"),
            "exercise__in": self._exercises,
            f"{offers}__cohort": F("enrolment__cohort"),
        }
        if self.lines.only_present:
            within |= {"exercise__retired_at": None, f"{offers}__withdrawn_at": None}
        found = rows.filter(self.lines.under("enrolment__"), **within).order_by()
        return found.values_list("enrolment_id", "exercise_id")

    def _grid(self) -> QuerySet[Any, Any]:
        """Return every cell of the places and exercises in question."""
        within: dict[str, Any] = {"exercise_ref__in": self._exercises}
        if self.lines.only_present:
            within |= {"retired_at": None, "withdrawn_at": None}
        places = Enrolment.objects.filter(self.lines.under(), cohort__in=self._cohorts)
        cells = places.annotate(
            exercise_ref=F(_EXERCISES),
            retired_at=F(f"{_EXERCISES}__retired_at"),
            withdrawn_at=F("cohort__offers__withdrawn_at"),
        )
        return cells.filter(**within).order_by().values_list("pk", "exercise_ref")

    @property
    def _cohorts(self) -> list[UUID]:
        return [found.cohort.pk for found, exercises in self.axes if exercises]

    @property
    def _exercises(self) -> list[UUID]:
        return list({exercise.pk for _, found in self.axes for exercise in found})

    @cached_property
    def _moved(self) -> list[tuple[UUID, list[UUID]]]:
        """By cohort, the exercises that were given, taken back or given another deadline."""
        return self._those(lambda found, exercise: self._is_after(found.moved_at(exercise)))

    @cached_property
    def _due(self) -> list[tuple[UUID, list[UUID]]]:
        """By cohort, the exercises whose deadline passed."""
        return self._those(
            lambda found, exercise: (
                found.due_at(exercise) <= self.as_of and self._is_after(found.due_at(exercise))
            )
        )

    def _those(self, chosen: Any) -> list[tuple[UUID, list[UUID]]]:  # noqa: ANN401 (a question about a class and an exercise)
        found = (
            (each.cohort.pk, [exercise.pk for exercise in exercises if chosen(each, exercise)])
            for each, exercises in self.axes
        )
        return [(cohort, exercises) for cohort, exercises in found if exercises]

    def _of_places(self) -> Q:
        return self._after("joined_at") | self._after("left_at") | self._after("roll__changed_at")

    def _after(self, name: str) -> Q:
        return Q(**{f"{name}__{'gte' if self.or_at else 'gt'}": self.moment})

    def _is_after(self, moment: datetime) -> bool:
        return moment >= self.moment if self.or_at else moment > self.moment


def _any_of(pairs: list[tuple[UUID, list[UUID]]]) -> Q:
    wanted = Q()
    for cohort, exercises in pairs:
        wanted |= Q(cohort=cohort, exercise_ref__in=exercises)
    return wanted


def _missing() -> list[Q]:
    """Return what makes a cell without work missing once its deadline has passed."""
    of_cell = {"enrolment": OuterRef("pk"), "exercise": OuterRef("exercise_ref")}
    return [
        ~Q(Exists(Submission.objects.filter(**of_cell))),
        ~Q(Exists(Exemption.objects.filter(**of_cell, lifted_at=None))),
        ~Q(Exists(Grade.objects.released().filter(**of_cell))),
    ]
