"""Public reports about chains marked by other systems, each as its kind of fault."""

import math

import pytest

from tests.exercises.checking.tracing import (
    LOGITS,
    MASKED,
    RIGHT,
    check,
    cross_entropy,
    faults,
    status_of,
    statuses,
    step_of,
)


def test_c1_a_stock_value_makes_no_later_step_trivial() -> None:
    """Zeros, then a third three times: the uniform shares earn nothing."""
    checked = cross_entropy(exp="[0, 0, 0]", sum="0", softmax="nan nan nan", loss="nan")

    assert [step["cause"] for step in checked["steps"]][1:] == ["degenerate"] * 3
    assert faults(checked) == ["exp"]
    assert checked["score"] == 0

    ones = cross_entropy(exp="[1, 1, 1]", sum="3", softmax="0.333 0.333 0.333", loss="1.099")
    assert statuses(ones) == ["wrong"] * 4
    assert ones["score"] == 0


def test_c2_the_score_is_the_sum_of_its_lines() -> None:
    counts = {"right": 1, "coarse": 1, "carried": 1, "unsupported": 0.5, "slip": 0.5}
    for checked in (cross_entropy(), cross_entropy(sum="3"), cross_entropy(loss="0.41", sum="")):
        earned = [counts.get(step["status"], 0) for step in checked["steps"]]
        assert checked["score"] == sum(earned) / len(earned)


def test_c4_the_same_value_typed_otherwise_is_judged_the_same() -> None:
    found = [cross_entropy(loss=text)["first_break"] for text in ("0.50", "0.500", ".50", "5.0e-1")]

    assert found == [found[0]] * 4


def test_c5_surplus_lines_and_surplus_entries_do_not_earn_full_marks() -> None:
    invented = check("cross_entropy", LOGITS, {**RIGHT, "entropy": "1", "perplexity": "2"})
    too_long = cross_entropy(softmax="0.665 0.245 0.090 0.000")

    assert invented["score"] < 1
    assert "entropy" in invented["message"]
    assert status_of(too_long, "softmax") == "shape"
    assert "4 entries" in step_of(too_long, "softmax")["message"]
    assert too_long["score"] < 1


@pytest.mark.parametrize("count", [0, 1, 5])
def test_c7_more_or_fewer_steps_are_graded_with_a_finite_score(count: int) -> None:
    lines = ["valid_positions", "total", "mean", "fourth", "fifth"]
    answers = dict.fromkeys(lines[:count], "3.9")
    checked = check("masked_mean_loss", MASKED, answers)

    assert math.isfinite(checked["score"])
    assert 0 <= checked["score"] <= 1
    assert all(step["message"] for step in checked["steps"])


def test_c8_an_ordered_vector_in_another_order_is_wrong_and_says_so() -> None:
    step = step_of(cross_entropy(softmax="0.090 0.245 0.665"), "softmax")

    assert (step["status"], step["cause"]) == ("wrong", "permuted")
    assert "order of the entries" in step["message"]


def test_c8_a_table_of_unequal_sides_is_not_taken_turned_round() -> None:
    """Sides differ, so that a turned table cannot hide."""
    turned = [list(column) for column in zip(*MASKED["mask"], strict=True)]
    given = {
        "token_losses": [list(c) for c in zip(*MASKED["token_losses"], strict=True)],
        "mask": turned,
    }
    checked = check("masked_mean_loss", given, {"valid_positions": "4"})

    assert step_of(checked, "valid_positions")["cause"] == "rows_only"


def test_b10_rounded_shares_need_not_add_up_to_one() -> None:
    given = {"logits": [1, 2, 3], "target": 2}
    shares = check("cross_entropy", given, {"softmax": "0.0900 0.2447 0.6652"})
    missed = check("cross_entropy", given, {"softmax": "0.09 0.24 0.57"})

    assert status_of(shares, "softmax") == "unsupported"
    assert status_of(missed, "softmax") == "wrong"


def test_b14_a_mistake_inside_the_right_band_does_not_outrank_the_right_value() -> None:
    given = {"gradient": [0.001, 5], "max_norm": 10}

    assert status_of(check("gradient_clipping", given, {"norm": "5"}), "norm") == "right"
