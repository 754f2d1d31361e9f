"""The tags and filters that pages use."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from django.http import HttpRequest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import translation

from assessment.web import marks, shapes


def rendered(source: str, **context: object) -> str:
    return Template("{% load web %}" + source).render(Context(context)).strip()


@pytest.mark.parametrize(
    "status",
    [
        "right",
        "carried",
        "unsupported",
        "slip",
        "coarse",
        "wrong",
        "shape",
        "unit",
        "unreadable",
        "missing",
    ],
)
def test_every_step_status_has_words_and_a_shape(status: str) -> None:
    shown = rendered("{% step_status status %}", status=status)

    assert str(marks.STEPS[status].label) in shown
    assert "<svg" in shown
    assert 'aria-hidden="true"' in shown


@pytest.mark.parametrize(
    "state", ["draft", "submitted", "checked", "uncheckable", "reviewed", "released"]
)
def test_every_state_has_words_and_a_shape(state: str) -> None:
    shown = rendered("{% status_mark state %}", state=state)

    assert str(marks.STATES[state].label) in shown
    assert "<svg" in shown


@pytest.mark.parametrize("table", [marks.STATES, marks.BREAKS, marks.EVIDENCE])
def test_no_two_marks_of_one_table_share_a_shape(table: dict[str, marks.Mark]) -> None:
    drawn = [mark.shape for mark in table.values()]

    assert len(drawn) == len(set(drawn))
    assert set(drawn) <= shapes.NAMES


def test_no_break_and_no_tag_are_two_things() -> None:
    assert rendered("{% break_mark 'none' %}") != rendered("{% break_mark '' %}")
    assert "Not yet tagged" in rendered("{% break_mark None %}")
    assert "Claim scope" in rendered("{% break_mark 'claim scope' %}")


def test_an_unknown_status_shows_itself_without_becoming_markup() -> None:
    assert "&lt;b&gt;" in rendered("{% step_status status %}", status="<b>")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(Decimal("7.50"), "7.5", id="half"),
        pytest.param(Decimal("10.00"), "10", id="whole"),
        pytest.param(Decimal(100), "100", id="no zero lost before the point"),
        pytest.param(Decimal("1E+2"), "100", id="exponent"),
        pytest.param(Decimal("0.00"), "0", id="zero"),
        pytest.param(Decimal("-0.0"), "0", id="negative zero"),
        pytest.param("0.7", "0.7", id="text"),
        pytest.param(Decimal("0.125"), "0.125", id="every digit"),
        pytest.param("NaN", "NaN", id="not a number"),
        pytest.param("later", "later", id="not a decimal"),
        pytest.param(Decimal("1E+999999"), "1E+999999", id="too long to write out"),
    ],
)
def test_points_are_exact_and_short(value: Decimal | str, text: str) -> None:
    assert rendered("{{ value|exact }}", value=value) == text


def test_points_name_their_maximum() -> None:
    shown = rendered("{% points value of=maximum %}", value=Decimal("7.50"), maximum=Decimal(10))

    assert "7.5" in shown
    assert "of 10" in shown


def test_no_points_are_not_zero_points() -> None:
    assert "no points yet" in rendered("{% points None of=10 %}")
    assert "no points yet" not in rendered("{% points 0 of=10 %}")


def test_points_follow_the_language() -> None:
    with translation.override("fr"):
        assert rendered("{{ value|exact }}", value=Decimal("7.50")) == "7,5"


@pytest.mark.parametrize(
    ("zone", "clock"),
    [
        pytest.param("Europe/Paris", "25 October 2026, 02:30 CEST", id="name"),
        pytest.param(
            timezone(timedelta(hours=5, minutes=30), "IST"),
            "25 October 2026, 06:00 IST",
            id="tzinfo",
        ),
        pytest.param("No/Where", "25 October 2026, 00:30 UTC", id="unknown name"),
        pytest.param("../../etc/passwd", "25 October 2026, 00:30 UTC", id="path"),
        pytest.param(None, "25 October 2026, 00:30 UTC", id="none"),
    ],
)
def test_times_are_on_the_clock_of_the_zone(zone: object, clock: str) -> None:
    when = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)

    shown = rendered("{{ when|local_time:zone }}", when=when, zone=zone)

    assert shown == f'<time datetime="2026-10-25T00:30:00Z">{clock}</time>'


def test_the_repeated_hour_is_told_apart() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    source = "{{ when|local_time:'Europe/Paris' }}"

    assert "02:30 CEST" in rendered(source, when=first)
    assert "02:30 CET" in rendered(source, when=first + timedelta(hours=1))


def test_no_time_is_nothing() -> None:
    assert rendered("{{ when|local_time }}", when=None) == ""


def page(path: str, **cookies: str) -> HttpRequest:
    request = RequestFactory().get(path)
    request.COOKIES.update(cookies)
    return request


@pytest.mark.parametrize(
    ("cookies", "attribute"),
    [
        pytest.param({}, "", id="nothing chosen"),
        pytest.param({"theme": "dark"}, 'data-theme="dark"', id="dark"),
        pytest.param({"theme": "light"}, 'data-theme="light"', id="light"),
        pytest.param({"theme": '"><script>'}, "", id="anything else"),
    ],
)
def test_the_chosen_colours_stand_in_the_markup(cookies: dict[str, str], attribute: str) -> None:
    assert rendered("{% theme_attribute %}", request=page("/", **cookies)) == attribute


def test_the_navigation_marks_the_page_and_leaves_out_what_does_not_exist() -> None:
    here = rendered("{% nav_link 'web:theme' 'Theme' %}", request=page("/theme/"))

    assert 'aria-current="page"' in here
    assert rendered("{% nav_link 'no-such-page' 'Nowhere' %}", request=page("/")) == ""
