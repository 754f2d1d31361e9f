"""What is wanted of chains, on a small exact one: 4, times 3, plus 5, squared."""

from typing import Any

import pytest

from tests.exercises.checking.small_chain import ALL_EXACT, SMALL_CHAIN
from tests.exercises.checking.tracing import broken, faults, follow, statuses


def check(*texts: str | None) -> dict[str, Any]:
    answers = {
        name: text
        for name, text in zip(SMALL_CHAIN.step_names, texts, strict=True)
        if text is not None
    }
    return follow(SMALL_CHAIN, {"start": 4}, answers, tolerances=ALL_EXACT)


@pytest.mark.parametrize(
    ("texts", "expected", "first", "listed"),
    [
        pytest.param(("12", "17", "289"), ["right"] * 3, None, [], id="all right"),
        pytest.param(
            ("10", "15", "225"),
            ["wrong", "carried", "carried"],
            ("times_three", None, None),
            ["times_three"],
            id="ff-02 one fault, followed",
        ),
        pytest.param(
            ("10", "17", "289"),
            ["wrong", "unsupported", "right"],
            ("times_three", None, None),
            ["times_three"],
            id="ff-03 rejoined: true, but not from the own step",
        ),
        pytest.param(
            ("10", "50", "2500"),
            ["wrong", "wrong", "carried"],
            ("times_three", None, None),
            ["times_three", "plus_five"],
            id="ff-05 two independent faults",
        ),
        pytest.param(
            ("-5", "0", "0"),
            ["wrong", "carried", "wrong"],
            ("times_three", None, None),
            ["times_three"],
            id="ff-06 the square of zero shows nothing",
        ),
        pytest.param(
            (None, "17", "289"),
            ["missing", "unsupported", "right"],
            ("times_three", None, None),
            ["times_three"],
            id="ff-08 missing is not wrong",
        ),
        pytest.param(
            ("12", "17", "34"),
            ["right", "right", "wrong"],
            ("squared", "operation", "doubled"),
            ["squared"],
            id="ff-09 doubled instead of squared",
        ),
        pytest.param(
            ("12", "17", "-289"),
            ["right", "right", "wrong"],
            ("squared", None, "sign"),
            ["squared"],
            id="ff-11 sign",
        ),
        pytest.param(
            ("4", "9", "81"),
            ["wrong", "carried", "carried"],
            ("times_three", "operation", "skipped"),
            ["times_three"],
            id="ff-12 operation left out",
        ),
    ],
)
def test_follows_the_small_chain(
    texts: tuple[str | None, ...],
    expected: list[str],
    first: tuple[str, str | None, str | None] | None,
    listed: list[str],
) -> None:
    checked = check(*texts)

    assert statuses(checked) == expected
    assert broken(checked) == first
    assert faults(checked) == listed


def test_the_withheld_step_says_why() -> None:
    step = check("-5", "0", "0")["steps"][2]

    assert step["cause"] == "degenerate"
    assert "correct that line first" in step["message"]


def test_a_whole_number_leaves_no_half_open_where_values_are_exact() -> None:
    assert statuses(check("10", "15", "236")) == ["wrong", "carried", "wrong"]
