"""Cells: nothing that a spreadsheet program would run, everything back as it was."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessment.grades.csv_files.cells import Value, cell, make_safe, restore

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
        pytest.param("1-2", "1-2", id="a minus inside"),
        pytest.param("", "", id="empty"),
    ],
)
def test_text_is_made_safe_and_restored(text: str, safe: str) -> None:
    assert make_safe(text) == safe
    assert restore(safe) == text


@given(st.text(alphabet=st.sampled_from([*FORMULA, *"';a1 é"]), max_size=12) | st.text(max_size=20))
def test_every_text_comes_back_and_none_begins_like_a_formula(text: str) -> None:
    safe = make_safe(text)

    assert restore(safe) == text
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
    assert cell(value) == written
