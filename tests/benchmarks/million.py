"""Fills an empty database with classes so large that a million results leave them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection
from django.db.models import Model

from assessment.cohorts.models import Client, Cohort, User
from assessment.grades.models import ResultChange, Roll
from assessment.grades.oneroster import scopes
from assessment.review.models import GradeSequence
from assessment.review.releasing import release
from exercises.models import Exercise
from tests.factories import (
    enrol,
    make_client,
    make_cohort,
    make_exercise,
    make_review,
    make_session,
    make_submission,
)

EXERCISES = 40
THOUSAND = 1000

_NUMBERS = (
    "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {count})"
    " SELECT n FROM s"
)
_GRID = (
    "CREATE TEMP TABLE cell AS SELECT row_number() OVER (ORDER BY line.n, x.id) AS n,"
    " line.n AS l, x.id AS x, x.current_id AS v FROM line, {exercises} x"
)


@dataclass
class LargeClass:
    """What was made: a class of a thousand, a larger one, who teaches both and who may read."""

    thousand: Cohort
    instructor: User
    lms: Client
    results: int


def fill(results: int) -> LargeClass:
    """Make two classes with this many results in all, all released.

    One learner is made as the service makes them; the database itself copies them.
    """
    session = make_session()
    exercises = [make_exercise(session) for _ in range(EXERCISES)]
    large, thousand = make_cohort(session), make_cohort(session)
    instructor = enrol(large, role="instructor").user
    enrol(thousand, instructor, role="instructor")
    model = enrol(large)
    submission = make_submission(model, exercises[0])
    make_review(submission, instructor, "1.5", "2", "2.25")
    (grade,) = release([submission], instructor)
    learners = results // EXERCISES - 1
    with connection.cursor() as cursor:
        for statement in _CARELESS[connection.vendor]:
            cursor.execute(statement)
        cursor.execute(f"CREATE TEMP TABLE line AS {_NUMBERS.format(count=learners)}")
        cohort = {"cohort_id": _cohort(thousand, large)}
        _copy(model.user, "line", {"id": _id(1), "username": "'learner-' || n"})
        _copy(model, "line", {"id": _id(2), "user_id": _id(1), **cohort})
        cursor.execute(_GRID.format(exercises=Exercise._meta.db_table))
        place = {"enrolment_id": _id(2, "l"), "exercise_id": "x"}
        case = {"id": _id(5), "version_id": "v", "enrolment_id": _id(2, "l")}
        _copy(submission.case, "cell", case)
        attempt = {"id": _id(3), "version_id": "v", "case_id": _id(5)}
        _copy(submission, "cell", attempt | place)
        cohort = {"cohort_id": _cohort(thousand, large, "l")}
        own = {"id": _id(4), "submission_id": _id(3), "sequence": "n + 9", **cohort}
        _copy(grade, "cell", own | place)
        _copy(Roll.objects.get(enrolment=model), "line", {"enrolment_id": _id(2)})
        _copy(ResultChange.objects.get(enrolment=model), "cell", {"id": _id(6)} | place)
        cursor.execute(_TIDY[connection.vendor])
    GradeSequence.objects.update(last=learners * EXERCISES + 9)
    lms = make_client(large, thousand, scopes=("grades:read", scopes.GRADEBOOK, scopes.ROSTER))
    return LargeClass(thousand, instructor, lms, (learners + 1) * EXERCISES)


# Rows that fit by construction are not checked one by one; a lost machine is no loss here.
_CARELESS = {
    "sqlite": ("PRAGMA foreign_keys = OFF", "PRAGMA synchronous = OFF"),
    "postgresql": ("SET session_replication_role = replica",),
}
# What the service's own database does by itself in the end.
_TIDY = {"sqlite": "ANALYZE", "postgresql": "VACUUM ANALYZE"}


def _id(kind: int, number: str = "n") -> str:
    """Return the SQL of an id that no other row has."""
    digits = f"{number} + {kind << 56}"
    if connection.vendor == "sqlite":
        return f"printf('%032x', {digits})"
    return f"lpad(to_hex({digits}), 32, '0')::uuid"


def _cohort(first: Cohort, rest: Cohort, line: str = "n") -> str:
    """Return the SQL of a learner's cohort: the first thousand share one."""
    kind = "" if connection.vendor == "sqlite" else "::uuid"
    chosen, other = (f"'{cohort.pk.hex}'{kind}" for cohort in (first, rest))
    return f"CASE WHEN {line} <= {THOUSAND} THEN {chosen} ELSE {other} END"


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
        cursor.execute(f"{sql} WHERE t.{row._meta.pk.column} = '{row.pk.hex}'")
