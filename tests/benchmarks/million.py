"""Fills an empty SQLite database with a class so large that a million results leave it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection
from django.db.models import Model

from assessment.cohorts.models import Cohort
from assessment.grades.oneroster import scopes
from assessment.review.models import GradeSequence
from assessment.review.releasing import release
from exercises.models import Exercise
from tests.factories import (
    bearer,
    enrol,
    make_cohort,
    make_exercise,
    make_review,
    make_session,
    make_submission,
)

EXERCISES = 40

_COUNT = (
    "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %s)"
    " INSERT INTO line SELECT n FROM s"
)


@dataclass
class LargeClass:
    """What was made, and the header that reads it."""

    cohort: Cohort
    headers: dict[str, str]
    results: int
    last_sequence: int


def fill(results: int) -> LargeClass:
    """Make one class with this many results, all released.

    One learner is made as the service makes them; the database itself copies them.
    """
    session = make_session()
    exercises = [make_exercise(session) for _ in range(EXERCISES)]
    cohort = make_cohort(session)
    instructor = enrol(cohort, role="instructor").user
    model = enrol(cohort)
    submission = make_submission(model, exercises[0])
    make_review(submission, instructor, "1.5", "2", "2.25")
    (grade,) = release([submission], instructor)
    learners = results // EXERCISES - 1
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.execute("PRAGMA synchronous = OFF")
        cursor.execute("CREATE TEMP TABLE line (n INTEGER PRIMARY KEY)")
        cursor.execute(_COUNT, [learners])
        _copy(model.user, "line", {"id": _id(1), "username": "'learner-' || n"})
        _copy(model, "line", {"id": _id(2), "user_id": _id(1)})
        cursor.execute("CREATE TEMP TABLE cell (n INTEGER PRIMARY KEY, l, x, v)")
        exercise_table = Exercise._meta.db_table
        grid = f"SELECT line.n, x.id, x.current_id FROM line, {exercise_table} x"  # noqa: S608 (a name of our own)
        cursor.execute(f"INSERT INTO cell (l, x, v) {grid}")
        place = {"enrolment_id": _id(2, "l"), "exercise_id": "x"}
        _copy(submission, "cell", {"id": _id(3), "version_id": "v", **place})
        _copy(grade, "cell", {"id": _id(4), "submission_id": _id(3), "sequence": "n + 9", **place})
        cursor.execute("ANALYZE")
    last = learners * EXERCISES + 9
    GradeSequence.objects.update(last=last)
    headers = bearer(instructor, "grades:read", scopes.GRADEBOOK, scopes.ROSTER)
    return LargeClass(cohort, headers, (learners + 1) * EXERCISES, last)


def _id(kind: int, number: str = "n") -> str:
    """Return the SQL of an id that no other row has."""
    return f"printf('%032x', {number} + {kind << 60})"


def _copy(row: Model, source: str, changed: Mapping[str, str]) -> None:
    """Insert a copy of a row for every line of ``source``, with these columns of its own."""
    table = row._meta.db_table
    columns = [str(field.column) for field in row._meta.concrete_fields]
    values = [changed.get(column, f't."{column}"') for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    taken = ", ".join(values)
    sql = f"INSERT INTO {table} ({names}) SELECT {taken} FROM {source}, {table} t"  # noqa: S608 (names of our own tables)
    with connection.cursor() as cursor:
        # No placeholders: a percent sign of printf is passed through as it is.
        cursor.execute(f"{sql} WHERE t.id = '{row.pk.hex}'")
