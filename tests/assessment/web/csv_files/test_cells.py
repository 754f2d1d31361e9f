"""Cells: nothing that a spreadsheet program would run, everything back as it was."""

import time
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessment.web.csv_files.cells import Notation, Value, cell, make_safe, restore

FORMULA = "=+-@\t\r\n＝＋－＠"


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        pytest.param("=HYPERLINK(1)", "'=HYPERLINK(1)", id="formula"),
        pytest.param("+1", "'+1", id="plus"),
        pytest.param("-1.5", "'-1.5", id="a negative number that is text"),
        pytest.param("@SUM(1)", "'@SUM(1)", id="at"),
        pytest.param("\t=1", "'\t'=1", id="tab"),
        pytest.param("\r=1", "'\r'=1", id="carriage return"),
        pytest.param("＝1", "'＝1", id="full width"),
        pytest.param("'=1", "''=1", id="an apostrophe of its own"),
        pytest.param("''=1", "'''=1", id="two of its own"),
        pytest.param("a;=1", "a;'=1", id="after a semicolon"),
        pytest.param("a\n=1", "a\n'=1", id="on the next line"),
        pytest.param("'tis", "'tis", id="an apostrophe that stays"),
        pytest.param("a-2", "a-2", id="a minus inside"),
        pytest.param("", "", id="empty"),
    ],
)
def test_text_is_made_safe_and_restored(text: str, safe: str) -> None:
    assert make_safe(text) == safe
    assert restore(safe) == text


@given(
    st.text(alphabet=st.sampled_from([*FORMULA, *"';a10Ee./ é"]), max_size=12)
    | st.text(max_size=20)
)
def test_every_text_comes_back_and_none_begins_like_a_formula(text: str) -> None:
    safe = make_safe(text)

    assert restore(safe) == text
    assert restore(make_safe(text, keep=False)) == text
    assert safe[:1] not in set(FORMULA)
    for separator in ";\t\n\r":
        for part in safe.split(separator)[1:]:
            assert part[:1] not in set("=+-@＝＋－＠")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param(Decimal("-1.5000"), "-1.5", id="negative"),
        pytest.param(Decimal("7.50"), "7.5", id="half"),
        pytest.param(Decimal("0E-4"), "0", id="zero"),
        pytest.param(-3, "-3", id="whole"),
        pytest.param(None, "", id="nothing"),
        pytest.param("-3", "'-3", id="text"),
        pytest.param(datetime(2026, 11, 30, 12, tzinfo=UTC), "2026-11-30T12:00:00Z", id="time"),
    ],
)
def test_numbers_stay_numbers(value: Value, written: str) -> None:
    assert cell(value, Notation()) == written


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        pytest.param("00123", "'00123", id="leading zeros"),
        pytest.param("'00123", "''00123", id="with an apostrophe of its own"),
        pytest.param("1E5", "'1E5", id="a power of ten"),
        pytest.param("2-3", "'2-3", id="a day"),
        pytest.param("1/2", "'1/2", id="a fraction"),
        pytest.param("MAR-1", "'MAR-1", id="a month"),
        pytest.param("3 Mai", "'3 Mai", id="a month in German"),
        pytest.param("10:30 PM", "'10:30 PM", id="a time"),
        pytest.param("0.4080", "'0.4080", id="a zero at the end"),
        pytest.param("€5", "'€5", id="money"),
        pytest.param("5 %", "'5 %", id="percent"),
        pytest.param("true", "'true", id="a truth value"),
        pytest.param("1234567890123456", "'1234567890123456", id="more than 15 digits"),
        pytest.param("123456789012345", "123456789012345", id="15 digits"),
        pytest.param("0", "0", id="zero"),
        pytest.param("mario5", "mario5", id="a name that begins like a month"),
        pytest.param("may", "may", id="a month without a day"),
        pytest.param("S-1815", "S-1815", id="a number with a letter"),
        pytest.param("'5", "'5", id="an apostrophe before a number that stays"),
    ],
)
def test_what_a_spreadsheet_would_write_otherwise_is_kept_as_text(text: str, safe: str) -> None:
    assert make_safe(text) == safe
    assert restore(safe) == text


@pytest.mark.parametrize("text", ["00123", "1E5", "2-3", "true", "0.50"])
def test_scripts_get_such_text_as_it_is(text: str) -> None:
    assert make_safe(text, keep=False) == text
    assert restore(make_safe("'" + text, keep=False)) == "'" + text


def test_a_decimal_comma_is_written_for_programs_that_have_one() -> None:
    assert cell(Decimal("-2.1250"), Notation(decimal_comma=True)) == "-2,125"
    assert cell("2.125", Notation(decimal_comma=True)) == "'2.125"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("'" * 20_000, id="apostrophes"),
        pytest.param("'" * 20_000 + "1x", id="apostrophes and a number"),
        pytest.param("1 jan" + " " * 20_000 + "x", id="blanks after a month"),
    ],
)
def test_a_long_run_of_one_character_costs_one_look(text: str) -> None:
    begun = time.thread_time()

    assert restore(make_safe(text)) == text

    assert time.thread_time() - begun < 0.5
