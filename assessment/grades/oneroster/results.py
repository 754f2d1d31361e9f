"""Results: one for every learner and exercise, a score only where a grade is released."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from uuid import UUID

from django.db.models import Q

from assessment.cohorts.models import Enrolment, EnrolmentQuerySet
from assessment.grades.oneroster.cells import Writer
from assessment.grades.oneroster.collections import Page
from assessment.grades.oneroster.filters import Clause, Filter
from assessment.grades.oneroster.grid import PLACE_FIELDS, Axes, Cell, Grid, Place
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.objects import RESULT
from assessment.grades.oneroster.queries import Query
from assessment.grades.oneroster.reach import Reach
from assessment.grades.oneroster.references import References, read_uuid, taken_apart
from assessment.grades.oneroster.searching import search
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
        page costs what the first one does. Other filters and orders search all results.
        """
        if query.sort or query.descending or not _is_positional(query.filter):
            found = search(self._places(), self._all_axes(), query, self._references)
            return Page(found.total, self._written(found))
        grid = Grid(self._axes(query.filter.clauses), self._learners(query.filter.clauses))
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

    def _all_axes(self) -> Axes:
        """Return the classes and the exercises that the address picks, deleted ones included."""
        return [
            (found, exercises)
            for found in self._reach.classes
            if (
                exercises := [
                    exercise
                    for exercise in found.all_exercises
                    if self._line_item in {None, (found.cohort.pk, exercise.pk)}
                ]
            )
        ]

    def _learners(self, clauses: Sequence[Clause]) -> EnrolmentQuerySet:
        learners = self._places().learners().active()
        for clause in clauses:
            if clause.field == "student.sourcedId":
                student = read_uuid(str(clause.value))
                learners = learners.filter(user=student) if student else learners.none()
        return learners

    def _axes(self, clauses: Sequence[Clause]) -> Axes:
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
                    for exercise in found.exercises
                    if all((found.cohort.pk, exercise.pk) == pair for pair in line_items)
                ],
            )
            for found in self._reach.classes
            if wanted <= {str(found.cohort.pk)}
        ]


_NO_PAIR = (UUID(int=0), UUID(int=0))


def _is_positional(wanted: Filter) -> bool:
    """Return whether every clause only picks lines or columns, or asks for what is not deleted."""
    if wanted.any_of:
        return False
    return all(
        clause.op == "=" and (clause.field in _AXES or _asks_for_active(clause))
        for clause in wanted.clauses
    )


def _asks_for_active(clause: Clause) -> bool:
    return clause.field == "status" and clause.value == "active"
