"""Compares released grades with what an LMS says it holds, row by row."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext

from assessment.cohorts.models import Cohort, Enrolment
from assessment.grades.lti.services import read_results
from assessment.grades.models import LineItem, LtiUser
from assessment.grades.people.comparison import Compared, Finding
from assessment.grades.people.finding import COLUMNS, Directory, NotFoundError, directory_of
from assessment.grades.people.gradebooks import Entry, entries
from assessment.review.models import Grade
from assessment.review.points import UnreadablePoints, read_points
from assessment.web.csv_files.reading import FileRefusedError, Table
from exercises.models import Exercise

_PERSON_COLUMNS = frozenset(name for names in COLUMNS.values() for name in names)


@dataclass(frozen=True, slots=True)
class Theirs:
    """What an LMS says of one learner and exercise; ``where`` as in ``Compared``."""

    enrolment: Enrolment
    exercise: Exercise
    points: Decimal | None
    maximum: Decimal | None
    where: str
    note: str = ""
    is_read: bool = True


def with_file(cohort: Cohort, table: Table) -> list[Compared]:
    """Compare with an LMS's gradebook as a file: a line a grade, or a column an exercise.

    Raises
    ------
    FileRefusedError
        No column names a person, or none an exercise.
    """
    if not _PERSON_COLUMNS & set(table.columns):
        raise FileRefusedError(
            gettext("No column names a person: sis_id, username, lti_user_id or learner.")
        )
    cells: list[Theirs] = []
    problems: list[Compared] = []
    directory = directory_of(cohort)
    unknown: set[int] = set()
    named: set[Exercise] = set()
    for entry in entries(table, cohort):
        named |= {entry.exercise} if entry.exercise else set()
        found = _read(entry, table, directory)
        if isinstance(found, Theirs):
            cells.append(found)
        elif found.finding is not Finding.UNKNOWN_PERSON or entry.row.line not in unknown:
            problems.append(found)
            unknown.add(entry.row.line)
    cells, doubled = _once(cells)
    problems += doubled
    return [*problems, *_compared(cohort, cells, Q(exercise__in=named))]


def with_lms(cohort: Cohort) -> list[Compared]:
    """Compare with what the LMS's columns hold now.

    Raises
    ------
    LtiException, RequestException
        The LMS refused or cannot be reached.
    """
    found: list[Compared] = []
    items = LineItem.objects.filter(context__cohort=cohort)
    for item in items.select_related("exercise", "context__deployment__platform"):
        people = {
            person.subject: person.user_id
            for person in LtiUser.objects.filter(platform=item.context.deployment.platform)
        }
        places = {
            place.user_id: place
            for place in Enrolment.objects.learners().filter(cohort=cohort).select_related("user")
        }
        cells = []
        for result in read_results(item):
            subject = str(result.get("userId", ""))
            place = places.get(people.get(subject, UUID(int=0)))
            if place is None:
                found.append(
                    Compared(Finding.UNKNOWN_PERSON, subject, item.exercise.slug, where=item.url)
                )
                continue
            points, maximum = _exact(result, "resultScore"), _exact(result, "resultMaximum")
            cells.append(Theirs(place, item.exercise, points, maximum, str(result.get("id", ""))))
        known = Q(exercise=item.exercise, enrolment__lti_memberships__context=item.context)
        found += _compared(cohort, cells, known)
    return found


def _read(entry: Entry, table: Table, directory: Directory) -> Theirs | Compared:
    """Return what an entry says of whom, or why it cannot be compared."""
    row = entry.row
    person = " ".join(row.key(name) for name in table.columns if name in _PERSON_COLUMNS).strip()
    problem = Compared(Finding.UNKNOWN_PERSON, person, entry.name[:200], where=str(row.line))
    try:
        place = directory.find(row)
    except NotFoundError as error:
        return replace(problem, note=str(error))
    if entry.exercise is None:
        return replace(problem, finding=Finding.UNKNOWN_EXERCISE)
    try:
        points, maximum = read_points(entry.points), read_points(entry.maximum)
    except UnreadablePoints as error:
        return Theirs(place, entry.exercise, None, None, str(row.line), str(error), is_read=False)
    note = gettext("excused there") if entry.excused else ""
    return Theirs(place, entry.exercise, points, maximum, str(row.line), note)


def _once(cells: Iterable[Theirs]) -> tuple[list[Theirs], list[Compared]]:
    """Keep the first entry of each learner and exercise, and report the others."""
    first: dict[tuple[UUID, UUID], Theirs] = {}
    doubled = []
    for cell in cells:
        kept = first.setdefault((cell.enrolment.pk, cell.exercise.pk), cell)
        if kept is not cell:
            text = gettext("Stands in line %(line)s already; this one was not compared.")
            doubled.append(
                Compared(
                    Finding.TWICE,
                    str(cell.enrolment.user),
                    cell.exercise.slug,
                    theirs=cell.points,
                    their_maximum=cell.maximum,
                    where=cell.where,
                    note=text % {"line": kept.where},
                )
            )
    return list(first.values()), doubled


def _exact(result: dict[str, Any], name: str) -> Decimal | None:
    """Return a JSON number as the decimal that was written."""
    try:
        return Decimal(str(result[name])) if result.get(name) is not None else None
    except InvalidOperation:
        return None


def _compared(cohort: Cohort, cells: Iterable[Theirs], ours: Q) -> Iterator[Compared]:
    """Yield both sides of every cell, ours without an answer at the end."""
    grades = {
        (grade.enrolment_id, grade.exercise_id): grade
        for grade in Grade.objects.released()
        .filter(ours, enrolment__cohort=cohort)
        .select_related("enrolment__user", "exercise")
    }
    for cell in cells:
        grade = grades.pop((cell.enrolment.pk, cell.exercise.pk), None)
        if grade is None and cell.points is None and cell.is_read:
            continue
        yield Compared(
            _finding(grade, cell),
            str(cell.enrolment.user),
            cell.exercise.slug,
            grade.points if grade else None,
            grade.maximum if grade else None,
            cell.points,
            cell.maximum,
            cell.where,
            cell.note,
        )
    for grade in grades.values():
        yield Compared(
            Finding.ONLY_HERE,
            str(grade.enrolment.user),
            grade.exercise.slug,
            grade.points,
            grade.maximum,
        )


def _finding(grade: Grade | None, cell: Theirs) -> Finding:
    """Compare exactly; on another maximum the same share of it is the same grade."""
    if not cell.is_read:
        return Finding.UNREADABLE
    if grade is None:
        return Finding.ONLY_THERE
    if cell.points is None:
        return Finding.ONLY_HERE
    if cell.maximum is None or cell.maximum == grade.maximum:
        same = cell.points == grade.points
    else:
        same = cell.points * grade.maximum == grade.points * cell.maximum
    return Finding.SAME if same else Finding.DIFFERENT
