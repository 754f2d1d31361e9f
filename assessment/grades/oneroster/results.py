"""Results: one for every learner and exercise, a score only where a grade is released."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from uuid import UUID

from django.db.models import Q

from assessment.cohorts.models import Enrolment, EnrolmentQuerySet
from assessment.grades.oneroster.cells import Writer
from assessment.grades.oneroster.collections import Page
from assessment.grades.oneroster.filters import Clause
from assessment.grades.oneroster.grid import PLACE_FIELDS, Axes, Cell, Grid, Place
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.objects import RESULT
from assessment.grades.oneroster.queries import Query
from assessment.grades.oneroster.reach import Reach
from assessment.grades.oneroster.references import References, read_uuid, taken_apart
from assessment.grades.oneroster.searching import search
from assessment.grades.oneroster.since import Since
from exercises.models import Exercise

PART = 2000

# Filters that pick lines and columns of the grid: they cost nothing.
_AXES = frozenset({"class.sourcedId", "lineItem.sourcedId", "student.sourcedId"})


class Results:
    """The results within a client's reach, or those of one learner or one line item of it."""

    kind = RESULT

    def __init__(
        self,
        reach: Reach,
        references: References,
        *,
        student: UUID | None = None,
        line_item: tuple[UUID, UUID] | None = None,
    ) -> None:
        self._reach = reach
        self._references = references
        self._writer = Writer(reach, references)
        self._student = student
        self._line_item = line_item

    def page(self, query: Query) -> Page:
        """Return one page.

        In the default order, and where the filter only picks learners, exercises or classes, any
        page costs what the first one does; one of what changed since a time costs what changed.
        Other filters and orders depend on facts of several tables: the database looks at every
        result.
        """
        clauses = query.filter.clauses
        times = [clause for clause in clauses if _asks_for_changes(clause)]
        picks = [clause for clause in clauses if clause not in times]
        is_walk = not (query.sort or query.descending or query.filter.any_of)
        if not is_walk or len(times) > 1 or not all(map(_is_positional, picks)):
            axes = self._axes((), deleted=True)
            found = search(self._places(), axes, query, self._references)
            return Page(found.total, self._written(found))
        deleted = query.wants_tombstones and not any(map(_asks_for_active, picks))
        axes, places = self._axes(picks, deleted=deleted), self._picked(picks, deleted=deleted)
        if times:
            (clause,) = times
            assert isinstance(clause.value, datetime), "read as one"  # noqa: S101
            since = Since(
                places, axes, clause.value, or_at=clause.op == ">=", only_present=not deleted
            )
            if not since.is_everything:
                return Page(since.total, self._written(since.page(query.offset, query.limit)))
        grid = Grid(axes, places)
        return Page(grid.total, self._written(grid.cells(query.offset, query.limit)))

    def one(self, sourced_id: str) -> Row | None:
        """Return one result, deleted or not."""
        pair = taken_apart(sourced_id)
        if pair is None:
            return None
        places = self._places().filter(pk=pair[0]).values_list(*PLACE_FIELDS)
        for place in map(Place._make, places):
            for exercise in self._exercises(place.cohort_id):
                if exercise.pk == pair[1]:
                    return self._writer.write([(place, exercise)])[0]
        return None

    def _written(self, cells: Iterable[Cell]) -> Iterator[Sequence[Row]]:
        cells = iter(cells)
        while part := list(islice(cells, PART)):
            yield self._writer.write(part)

    def _places(self) -> EnrolmentQuerySet:
        """Return every learner's place, those who left or have another role now included."""
        learners = Q(role=Enrolment.Role.LEARNER) | Q(roll__was_learner=True)
        places = Enrolment.objects.filter(learners, cohort__in=self._reach.cohorts)
        return places.filter(user=self._student) if self._student else places

    def _exercises(self, cohort_id: UUID) -> Sequence[Exercise]:
        found = (each for each in self._reach.classes if each.cohort.pk == cohort_id)
        return [exercise for each in found for exercise in each.all_exercises]

    def _picked(self, clauses: Sequence[Clause], *, deleted: bool) -> EnrolmentQuerySet:
        places = self._places() if deleted else self._places().learners().active()
        for clause in clauses:
            if clause.field == "student.sourcedId":
                student = read_uuid(str(clause.value))
                places = places.filter(user=student) if student else places.none()
        return places

    def _axes(self, clauses: Sequence[Clause], *, deleted: bool) -> Axes:
        """Return the classes and, of each, the exercises that the address and the filter pick."""
        line_items = [
            taken_apart(str(clause.value)) or _NO_PAIR
            for clause in clauses
            if clause.field == "lineItem.sourcedId"
        ]
        if self._line_item:
            line_items.append(self._line_item)
        wanted = {clause.value for clause in clauses if clause.field == "class.sourcedId"}
        return [
            (
                found,
                [
                    exercise
                    for exercise in (found.all_exercises if deleted else found.exercises)
                    if all((found.cohort.pk, exercise.pk) == pair for pair in line_items)
                ],
            )
            for found in self._reach.classes
            if wanted <= {str(found.cohort.pk)}
        ]


_NO_PAIR = (UUID(int=0), UUID(int=0))


def _is_positional(clause: Clause) -> bool:
    """Return whether a clause only picks lines or columns, or asks for what is not deleted."""
    return clause.op == "=" and (clause.field in _AXES or _asks_for_active(clause))


def _asks_for_changes(clause: Clause) -> bool:
    return clause.field == "dateLastModified" and clause.op in {">", ">="}


def _asks_for_active(clause: Clause) -> bool:
    return (clause.field, clause.op, clause.value) == ("status", "=", "active")
