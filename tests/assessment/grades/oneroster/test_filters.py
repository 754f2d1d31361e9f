"""The filter's grammar: read exactly, or refused with what was seen."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from assessment.grades.oneroster.errors import InvalidFilterError
from assessment.grades.oneroster.filters import Clause, Filter, read_filter
from assessment.grades.oneroster.listing import matches
from assessment.grades.oneroster.objects import CATEGORY, CLASS, RESULT

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "clauses", "any_of"),
    [
        pytest.param("status='active'", [("status", "=", "active")], False, id="plain"),
        pytest.param("status = 'active' ", [("status", "=", "active")], False, id="blanks"),
        pytest.param("title='O''Brien'", [("title", "=", "O'Brien")], False, id="doubled quote"),
        pytest.param("title='a AND b'", [("title", "=", "a AND b")], False, id="AND in a value"),
        pytest.param("title~''", [("title", "~", "")], False, id="empty value"),
        pytest.param(
            "status='active' AND title!='x'",
            [("status", "=", "active"), ("title", "!=", "x")],
            False,
            id="both",
        ),
        pytest.param(
            "status='active' or title>='x'",
            [("status", "=", "active"), ("title", ">=", "x")],
            True,
            id="either, in small letters",
        ),
        pytest.param("weight<'0.5'", [("weight", "<", Decimal("0.5"))], False, id="number"),
        pytest.param("weight<-0.5", [("weight", "<", Decimal("-0.5"))], False, id="bare number"),
        pytest.param(
            "weight<5 AND title='x'",
            [("weight", "<", Decimal(5)), ("title", "=", "x")],
            False,
            id="bare number and more",
        ),
    ],
)
def test_reads(text: str, clauses: list[tuple[str, str, object]], any_of: bool) -> None:
    expected = Filter(tuple(Clause(*clause) for clause in clauses), any_of)  # type: ignore[arg-type]  # a table of plain tuples

    assert read_filter(text, CATEGORY) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("2026-11-30T12:00:00Z", id="Z"),
        pytest.param("2026-11-30T12:00:00+00:00", id="offset"),
        pytest.param("2026-11-30T12:00:00 00:00", id="a plus that was not escaped"),
        pytest.param("2026-11-30T17:30:00+05:30", id="half an hour"),
        pytest.param("2026-11-30T17:30:00 05:30", id="half an hour, not escaped"),
        pytest.param("2026-11-30T12:00:00.000Z", id="thousandths"),
    ],
)
def test_reads_one_instant_in_every_spelling(text: str) -> None:
    (clause,) = read_filter(f"dateLastModified>='{text}'", CATEGORY).clauses

    assert clause.value == NOON


def test_reads_a_day_as_its_first_moment() -> None:
    (time,) = read_filter("dateLastModified>'2026-11-30'", CATEGORY).clauses
    (day,) = read_filter("scoreDate>'2026-11-30'", RESULT).clauses

    assert time.value == datetime(2026, 11, 30, tzinfo=UTC)
    assert day.value == date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "cannot be read", id="empty"),
        pytest.param("status=active", "single quotes", id="no quotes"),
        pytest.param('status="active"', "single quotes", id="double quotes"),
        pytest.param("status='active", "cannot be read", id="open quote"),
        pytest.param("status=='active'", "cannot be read", id="no such operator"),
        pytest.param("status='a' AND", "AND or OR", id="nothing after AND"),
        pytest.param("status='a' XOR title='b'", "AND or OR", id="no such join"),
        pytest.param("status='a' AND title='b' OR title='c'", "two clauses", id="three clauses"),
        pytest.param("colour='red'", "'colour' is no field", id="no such field"),
        pytest.param("metadata.x='1'", "is no field", id="inside the open part"),
        pytest.param("weight>'heavy'", "not a number", id="no number"),
        pytest.param("weight>'NaN'", "not a number", id="not a number"),
        pytest.param("weight>'inf'", "not a number", id="infinity"),
        pytest.param("dateLastModified>'yesterday'", "2026-11-30T12:00:00Z", id="no time"),
        pytest.param("dateLastModified>'2026-11-30T12:00:00'", "%2B02:00", id="no zone"),
        pytest.param(
            "dateLastModified>'2026-10-25T02:30:00'", "any zone", id="the hour that comes twice"
        ),
        pytest.param("dateLastModified>'0001-01-01T00:00:00+14:00'", "beyond", id="before time"),
        pytest.param(f"title='{'x' * 2000}'", "2000 characters", id="too long"),
        pytest.param("title='a\0'", "holds a NUL", id="a NUL"),
    ],
)
def test_refuses_and_says_what_was_seen(text: str, said: str) -> None:
    with pytest.raises(InvalidFilterError) as refused:
        read_filter(text, CATEGORY)

    assert said in refused.value.description


ROW = {
    "sourcedId": "1",
    "status": "active",
    "dateLastModified": "2026-11-30T12:00:00.000Z",
    "title": "Été",
    "terms": [{"sourcedId": "a"}, {"sourcedId": "b"}],
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("title='Été'", True, id="equal"),
        pytest.param("title='été'", False, id="equal means equal"),
        pytest.param("title~'été'", True, id="contains, in any case"),
        pytest.param("title>'Z'", True, id="by code point"),
        pytest.param("terms.sourcedId='b'", True, id="any of a list"),
        pytest.param("terms.sourcedId!='b'", False, id="none of a list"),
        pytest.param("classCode='x'", False, id="a member that is absent"),
        pytest.param("dateLastModified>='2026-11-30T13:00:00+01:00'", True, id="the same instant"),
        pytest.param("dateLastModified>'2026-11-30T12:00:00Z'", False, id="not after itself"),
        pytest.param("title='x' OR status='active'", True, id="either"),
        pytest.param("title='x' AND status='active'", False, id="both"),
    ],
)
def test_matches_a_row(text: str, found: bool) -> None:
    assert matches(ROW, read_filter(text, CLASS), CLASS) is found
