"""Filters and orders of results, every field by every operator: the database beside the rows."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.http import QueryDict
from django.utils import timezone

from assessment.cohorts.models import Enrolment
from assessment.grades.models import Assignment, Exemption
from assessment.grades.oneroster.listing import select
from assessment.grades.oneroster.objects import RESULT, Schema
from assessment.grades.oneroster.queries import read_query
from assessment.review.models import Grade
from assessment.review.releasing import withdraw
from rubrics.models import Scale
from tests.assessment.grades.oneroster.conftest import Classroom, Lms, make_lms
from tests.factories import (
    enrol,
    make_cohort,
    make_exercise,
    make_review,
    make_session,
    make_submission,
)

pytestmark = pytest.mark.django_db

Row = dict[str, Any]
OPERATORS = ("=", "!=", ">", ">=", "<", "<=", "~")
FIELDS = list(RESULT.paths)


@pytest.fixture
def lms(classroom: Classroom) -> Lms:
    """Return an LMS of two classes in which every state of a result stands somewhere."""
    room, session = classroom, classroom.exercise.session
    Scale.objects.create(session=session).levels.create(number=2, criterion="executes")
    late, retired = make_exercise(session), make_exercise(session)
    past = timezone.now() - timedelta(days=3)
    Assignment.objects.create(cohort=room.cohort, exercise=late, due_at=past)
    make_submission(room.idle, late)
    part = make_submission(room.opened, late)
    make_review(part, room.instructor.user, "5")
    room.grade(room.opened, "0.7", "0", "0")
    Exemption.objects.create(enrolment=room.zero, exercise=late, granted_by=room.instructor.user)
    gone = enrol(room.cohort)
    withdraw(room.grade(gone, "5", "2.5", "0"), room.instructor.user)
    Grade.objects.filter(enrolment=room.zero).update(released_at=past)
    Enrolment.objects.filter(pk=gone.pk).update(left_at=past)
    retired.retired_at = timezone.now()
    retired.save()
    plain = make_session()
    make_exercise(plain)
    other = make_cohort(plain)
    enrol(other)
    return make_lms(room.cohort, other)


def everything(lms: Lms) -> list[Row]:
    """Return every result, deleted ones included."""
    rows = lms.rows("results", filter="status!=''", limit=1000)
    assert {row["status"] for row in rows} == {"active", "tobedeleted"}
    assert len({row["scoreStatus"] for row in rows}) == 5
    return rows


def compared_with(field: str, schema: Schema, rows: Sequence[Row]) -> Iterator[str]:
    """Yield texts to compare a field with: every value it has, and some that it has not."""
    found: set[Any] = set()
    for row in rows:
        value: Any = row
        for name in field.split("."):
            value = value.get(name) if value else None
        found |= {value} - {None}
    yield from (str(value) for value in sorted(found)[:4])
    if schema.get("type") == "number":
        yield from ("0.5", "-1")
    elif schema.get("format") == "date":
        yield from ("2026-01-01", "9999-12-31", "0001-01-01")
    elif schema.get("format") == "date-time":
        yield "2026-01-01T00:00:00Z"
    else:
        yield from ("", "e", "zzz", "019")


@pytest.mark.soak
@pytest.mark.parametrize("field", FIELDS)
def test_every_operator_finds_what_stands_in_the_rows(lms: Lms, field: str) -> None:
    rows, schema = everything(lms), RESULT.paths[field]

    for text in compared_with(field, schema, rows):
        for op in operators(schema):
            wanted = f"{field}{op}'{text}'"
            check(lms, rows, {"filter": wanted})
            check(lms, rows, {"filter": f"{wanted} AND status='active'"})
            check(lms, rows, {"filter": f"status='tobedeleted' OR {wanted}"})


def test_a_value_of_every_field_is_found_by_every_operator(lms: Lms) -> None:
    rows = everything(lms)

    for field, schema in RESULT.paths.items():
        if field.startswith(("student.", "class.")):
            continue  # compared as the others that refer to something are
        text = next(compared_with(field, schema, rows))
        for op in operators(schema) if "." not in field else ("=", "!=", "~"):
            check(lms, rows, {"filter": f"{field}{op}'{text}' AND sourcedId!=''"})


def operators(schema: Schema) -> Sequence[str]:
    """Return the operators of a type: numbers and times have no parts."""
    is_text = schema.get("type") != "number" and "format" not in schema
    return OPERATORS if is_text or schema.get("format") == "uri" else OPERATORS[:-1]


def test_every_field_orders_the_rows_and_ties_by_their_id(lms: Lms) -> None:
    rows = everything(lms)

    for field in FIELDS:
        for order in ("asc", "desc"):
            check(lms, rows, {"sort": field, "orderBy": order, "filter": "status!=''"})


@pytest.mark.parametrize("op", [">", ">="])
def test_changes_since_a_time_are_those_that_the_rows_bear(
    lms: Lms, classroom: Classroom, op: str
) -> None:
    rows = everything(lms)
    item = f"{classroom.cohort.pk}.{classroom.exercise.pk}"
    picks = (
        "",
        " AND status='active'",
        f" AND class.sourcedId='{classroom.cohort.pk}'",
        f" AND student.sourcedId='{classroom.opened.user_id}'",
        f" AND lineItem.sourcedId='{item}'",
    )

    for moment in sorted({row["dateLastModified"] for row in rows}):
        for pick in picks:
            check(lms, rows, {"filter": f"dateLastModified{op}'{moment}'{pick}"})


def check(lms: Lms, rows: Sequence[Row], params: dict[str, str]) -> None:
    """Compare what the service finds with what the rows themselves say."""
    query = QueryDict(mutable=True)
    query.update(params)
    expected = [row["sourcedId"] for row in select(rows, read_query(query, RESULT), RESULT)]

    found = [row["sourcedId"] for row in lms.rows("results", **params, limit=1000)]

    assert found == expected, params
