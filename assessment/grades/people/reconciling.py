"""Compares released grades with what an LMS says it holds, row by row."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext

from assessment.cohorts.models import Cohort, Enrolment
from assessment.grades.lti.services import read_results
from assessment.grades.models import LineItem, LtiUser
from assessment.grades.people.finding import COLUMNS, NotFoundError, directory_of
from assessment.review.models import Grade
from assessment.review.points import UnreadablePoints, read_points
from assessment.web.csv_files.reading import FileRefusedError, Row, Table
from exercises.models import Exercise

# Canvas writes the column's own number behind its title: "Exercise 1 (1234)".
_NUMBERED = re.compile(r"\s*\(\d+\)\s*$")
# Canvas's second line holds maxima, under this name.
_MAXIMA = "points possible"
_PERSON_COLUMNS = frozenset(name for names in COLUMNS.values() for name in names)


class Finding(StrEnum):
    """What the comparison of one cell found."""

    SAME = "same"
    DIFFERENT = "different"
    ONLY_HERE = "only here"
    ONLY_THERE = "only there"
    UNKNOWN_PERSON = "unknown person"
    UNKNOWN_EXERCISE = "unknown exercise"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Compared:
    """One cell of both gradebooks; ``where`` is the line of the file or the LMS's own id."""

    finding: Finding
    person: str
    exercise: str
    ours: Decimal | None = None
    our_maximum: Decimal | None = None
    theirs: Decimal | None = None
    their_maximum: Decimal | None = None
    where: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Theirs:
    """What an LMS says of one learner and exercise."""

    enrolment: Enrolment
    exercise: Exercise
    points: Decimal | None
    maximum: Decimal | None
    where: str


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
    exercises = _exercises(cohort)
    cells: list[Theirs] = []
    problems: list[Compared] = []
    directory = directory_of(cohort)
    for row in table.rows:
        if any(_MAXIMA in value.casefold() for value in row.values.values()):
            continue
        person = " ".join(row.key(name) for name in table.columns if name in _PERSON_COLUMNS)
        for slug, text, maximum in _grades_of(row, table, exercises):
            where = str(row.line)
            try:
                enrolment = directory.find(row)
                points = read_points(text)
                most = read_points(maximum)
            except NotFoundError as error:
                problem = Compared(Finding.UNKNOWN_PERSON, person.strip(), slug, where=where)
                problems.append(replace(problem, note=str(error)))
                break
            except UnreadablePoints as error:
                problem = Compared(Finding.UNREADABLE, person.strip(), slug, where=where)
                problems.append(replace(problem, note=str(error)))
                continue
            exercise = exercises.get(slug)
            if exercise is None:
                problems.append(
                    Compared(Finding.UNKNOWN_EXERCISE, person.strip(), slug[:200], where=where)
                )
                continue
            cells.append(Theirs(enrolment, exercise, points, most, where))
    compared = {cell.exercise.pk for cell in cells}
    return [*problems, *_compared(cohort, cells, Q(exercise__in=compared))]


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


def _exact(result: dict[str, Any], name: str) -> Decimal | None:
    """Return a JSON number as the decimal that was written."""
    try:
        return Decimal(str(result[name])) if result.get(name) is not None else None
    except InvalidOperation:
        return None


def _exercises(cohort: Cohort) -> dict[str, Exercise]:
    """Return the exercises by what a gradebook may call them; a title that two share is no name."""
    by_name: defaultdict[str, set[Exercise]] = defaultdict(set)
    for exercise in Exercise.objects.filter(session__cohorts=cohort):
        by_name[exercise.slug.casefold()].add(exercise)
        by_name[exercise.title.casefold()].add(exercise)
    return {name: next(iter(found)) for name, found in by_name.items() if len(found) == 1}


def _grades_of(
    row: Row, table: Table, exercises: dict[str, Exercise]
) -> Iterator[tuple[str, str, str]]:
    """Yield exercise, points and maximum: of the row itself, or of its columns."""
    if "exercise" in table.columns:
        yield row.key("exercise").casefold(), row.get("points"), row.get("maximum")
        return
    columns = {name: _NUMBERED.sub("", name) for name in table.columns}
    named = [(name, slug) for name, slug in columns.items() if slug in exercises]
    if not named:
        raise FileRefusedError(
            gettext("No column names an exercise of this cohort, by its slug or its title.")
        )
    for name, slug in named:
        yield slug, row.get(name), ""


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
        if grade is None and cell.points is None:
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
    if grade is None:
        return Finding.ONLY_THERE
    if cell.points is None:
        return Finding.ONLY_HERE
    if cell.maximum is None or cell.maximum == grade.maximum:
        same = cell.points == grade.points
    else:
        same = cell.points * grade.maximum == grade.points * cell.maximum
    return Finding.SAME if same else Finding.DIFFERENT
