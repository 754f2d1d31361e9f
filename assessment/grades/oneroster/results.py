"""Results: one for every learner and exercise, a score only where a grade is released."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from uuid import UUID

from assessment.cohorts.models import Enrolment
from assessment.grades.oneroster.cells import Writer
from assessment.grades.oneroster.collections import Page
from assessment.grades.oneroster.filters import Clause
from assessment.grades.oneroster.grid import PLACE_FIELDS, Axes, Cell, Grid, Lines, Place
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
            axes, lines = self._axes((), deleted=True), self._lines((), deleted=True)
            found = search(lines, axes, query, self._references, self._reach.as_of)
            return Page(found.total, self._written(found))
        deleted = query.wants_tombstones and not any(map(_asks_for_active, picks))
        axes, lines = self._axes(picks, deleted=deleted), self._lines(picks, deleted=deleted)
        if times:
            (clause,) = times
            assert isinstance(clause.value, datetime), "read as one"  # noqa: S101
            since = Since(
                lines, axes, clause.value, or_at=clause.op == ">=", as_of=self._reach.as_of
            )
            if not since.is_everything:
                return Page(since.total, self._written(since.page(query.offset, query.limit)))
        grid = Grid(axes, Enrolment.objects.filter(lines.under()))
        return Page(grid.total, self._written(grid.cells(query.offset, query.limit)))

    def one(self, sourced_id: str) -> Row | None:
        """Return one result, deleted or not."""
        pair = taken_apart(sourced_id)
        if pair is None:
            return None
        lines = self._lines((), deleted=True).under()
        places = Enrolment.objects.filter(lines, pk=pair[0]).values_list(*PLACE_FIELDS)
        for place in map(Place._make, places):
            for exercise in self._exercises(place.cohort_id):
                if exercise.pk == pair[1]:
                    return self._writer.write([(place, exercise)])[0]
        return None

    def _written(self, cells: Iterable[Cell]) -> Iterator[Sequence[Row]]:
        cells = iter(cells)
        while part := list(islice(cells, PART)):
            yield self._writer.write(part)

    def _exercises(self, cohort_id: UUID) -> Sequence[Exercise]:
        found = (each for each in self._reach.classes if each.cohort.pk == cohort_id)
        return [exercise for each in found for exercise in each.all_exercises]

    def _lines(self, clauses: Sequence[Clause], *, deleted: bool) -> Lines:
        students = {
            read_uuid(str(clause.value)) or _NOBODY
            for clause in clauses
            if clause.field == "student.sourcedId"
        }
        if self._student:
            students.add(self._student)
        student = students.pop() if students else None
        # Two different ones: nobody is both.
        return Lines(self._reach.cohorts, _NOBODY if students else student, not deleted)

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


_NOBODY = UUID(int=0)
_NO_PAIR = (_NOBODY, _NOBODY)


def _is_positional(clause: Clause) -> bool:
    """Return whether a clause only picks lines or columns, or asks for what is not deleted."""
    return clause.op == "=" and (clause.field in _AXES or _asks_for_active(clause))


def _asks_for_changes(clause: Clause) -> bool:
    return clause.field == "dateLastModified" and clause.op in {">", ">="}


def _asks_for_active(clause: Clause) -> bool:
    return (clause.field, clause.op, clause.value) == ("status", "=", "active")
