"""Lines that were not asked for, and lines too few: reported, never an error."""

from typing import Any

import pytest

from tests.exercises.checking.tracing import LOGITS, RIGHT, check, cross_entropy, statuses


def test_lines_that_are_not_asked_for_are_named() -> None:
    checked = cross_entropy(entropy="1.2", gradient="3")

    assert checked["surplus"] == ["entropy", "gradient"]
    assert "entropy, gradient" in checked["message"]
    assert statuses(checked) == ["right"] * 4


def test_invented_lines_do_not_earn_full_marks() -> None:
    assert cross_entropy(entropy="1.2", gradient="3")["score"] == pytest.approx(4 / 6)


@pytest.mark.parametrize("blank", ["", None])
def test_a_blank_line_more_is_no_matter(blank: object) -> None:
    checked = check("cross_entropy", LOGITS, {**RIGHT, "entropy": blank})

    assert "surplus" not in checked
    assert checked["score"] == 1.0


@pytest.mark.parametrize("count", range(5))
def test_any_number_of_lines_is_scored_between_nothing_and_one(count: int) -> None:
    answers: dict[str, Any] = dict(list(RIGHT.items())[:count])
    checked = check("cross_entropy", LOGITS, answers)

    assert checked["score"] == count / 4
    assert statuses(checked)[count:] == ["missing"] * (4 - count)


def test_a_long_name_is_cut() -> None:
    checked = check("cross_entropy", LOGITS, {"x" * 5000: "1"})

    assert len(checked["message"]) < 200


def test_many_invented_lines_are_not_all_repeated() -> None:
    checked = check("cross_entropy", LOGITS, {f"line {each}": "1" for each in range(10_000)})

    assert len(checked["surplus"]) <= 20
    assert checked["score"] < 0.001
