"""Rounding is never a fault: what typed digits leave open is carried along."""

from typing import Any

import numpy as np
import pytest

from exercises import references
from exercises.checking.following import Open, copies_of
from tests.exercises.checking.tracing import LOGITS, check, cross_entropy, faults, status_of

# p[0] = 0.99764...; loss = 0.0023620 from all digits, 0.0020020 from 0.998.
SURE: dict[str, Any] = {"logits": [6.05, 0, -6], "target": 0}
BEFORE = {"exp": "424.1 1 0.002479", "softmax": "0.998 0.002 0.000"}


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        pytest.param("0.002362", "right", id="from all digits"),
        pytest.param("0.00236", "right", id="from all digits, three kept"),
        pytest.param("0.002002", "carried", id="from the digits on paper"),
        pytest.param("0.0022", "carried", id="from digits between"),
        pytest.param("0.00250", "wrong", id="a hair past the exact value"),
        pytest.param("0.00190", "wrong", id="a hair past what the paper gives"),
    ],
)
def test_after_a_right_value_anything_between_typed_and_exact_is_meant(
    loss: str, expected: str
) -> None:
    checked = check("cross_entropy", SURE, {**BEFORE, "sum": "425.1", "loss": loss})

    assert status_of(checked, "softmax") == "right"
    assert status_of(checked, "loss") == expected


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        pytest.param("0.0020", "carried", id="from the digits on paper"),
        pytest.param("0.00249", "carried", id="from 0.9975, the least that is typed 0.998"),
        pytest.param("0.00151", "carried", id="from 0.9985, the most that is typed 0.998"),
        pytest.param("0.00253", "wrong", id="a hair below the least"),
        pytest.param("0.00148", "wrong", id="a hair above the most"),
    ],
)
def test_after_any_other_value_what_the_typed_digits_leave_open_is_meant(
    loss: str, expected: str
) -> None:
    answers = {"softmax": "0.998 0.001 0.001", "loss": loss}
    checked = check("cross_entropy", LOGITS, answers)

    assert status_of(checked, "softmax") == "wrong"
    assert status_of(checked, "loss") == expected


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        pytest.param("11.6", "carried", id="near the least of all three"),
        pytest.param("14.4", "carried", id="near the most of all three"),
        pytest.param("11.4", "wrong", id="below the least"),
        pytest.param("14.6", "wrong", id="above the most"),
    ],
)
def test_what_several_entries_leave_open_adds_up(total: str, expected: str) -> None:
    checked = cross_entropy(exp="9 3 1", sum=total)

    assert status_of(checked, "exp") == "wrong"
    assert status_of(checked, "sum") == expected


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        pytest.param("11", "carried", id="the sum of what is typed"),
        pytest.param("11.1", "right", id="the sum of all digits"),
        pytest.param("11.05", "carried", id="between"),
        pytest.param("10.9", "wrong", id="below both"),
        pytest.param("11.2", "wrong", id="above both"),
    ],
)
def test_after_a_coarse_value_the_method_is_kept(total: str, expected: str) -> None:
    checked = cross_entropy(exp="7 3 1", sum=total)

    assert status_of(checked, "exp") == "coarse"
    assert status_of(checked, "sum") == expected


def test_a_coarse_value_of_a_carried_one_leaves_open_its_own_digits_only() -> None:
    """The value is a rounding of what was carried, so the exact one is not what was meant."""
    answers = {"exp": "20.1 2.72 1", "sum": "23.8", "softmax": "0.84 0.11 0.042", "loss": "0.174"}
    checked = cross_entropy(**answers)

    assert status_of(checked, "exp") == "wrong"
    assert status_of(checked, "softmax") in ("carried", "coarse")
    assert status_of(checked, "loss") == "carried"
    assert status_of(cross_entropy(**{**answers, "loss": "0.3"}), "loss") == "wrong"


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param({"exp": "7.39 2.72 1.00", "sum": "11.1"}, id="three digits"),
        pytest.param({"exp": "7.4 2.7 1.0", "sum": "11.1"}, id="two digits"),
        pytest.param({"exp": "7 3 1", "sum": "11", "softmax": "0.6 0.3 0.1"}, id="one digit"),
        pytest.param({"softmax": "0.67 0.24 0.09", "loss": "0.40"}, id="two places"),
        pytest.param({"softmax": "0.7 0.2 0.1", "loss": "0.36"}, id="one place, from paper"),
        pytest.param({"softmax": "0.7 0.2 0.1", "loss": "0.41"}, id="one place, from all digits"),
    ],
)
def test_rounding_is_never_a_fault(answers: dict[str, str]) -> None:
    assert faults(cross_entropy(**answers)) == []


def test_zero_as_typed_leaves_a_small_probability_open() -> None:
    """A probability typed 0.00 may be anything up to 0.005, so its loss is not told."""
    given = {"logits": [0, 6.5], "target": 0}
    checked = check("cross_entropy", given, {"softmax": "0.00 1.00", "loss": "6.50"})

    assert status_of(checked, "loss") == "right"


def test_a_difference_of_close_values_is_judged_by_what_they_could_have_been() -> None:
    given = {"start": 1.24, "increment": 0.0001, "count": 10}
    for lost in ("-0.001", "-0.00118", "-0.0011"):
        answers = {"bf16": "1.242", "fp32": "1.241", "lost": lost}
        assert faults(check("bf16_accumulation", given, answers)) == []


ADAMW: dict[str, Any] = {
    "weight": -0.12,
    "gradient": -0.48,
    "lr": 0.1,
    "beta1": 0.9,
    "beta2": 0.99,
    "eps": 1e-8,
    "weight_decay": 0.5,
    "step": 1,
    "m": 0,
    "v": 0,
}
MOMENTS = {"m": "-0.0480", "v": "0.00230", "m_hat": "-0.480", "v_hat": "0.230"}


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        pytest.param("-0.0140", "right", id="from all digits"),
        pytest.param("-0.014", "right", id="fewer digits"),
        pytest.param("-0.0139", "carried", id="from the update before it was rounded"),
        pytest.param("-0.0136", "wrong", id="from no update"),
    ],
)
def test_a_value_may_be_held_with_more_digits_than_are_typed(weight: str, expected: str) -> None:
    """The update follows as -0.10609 from the typed moments and is typed as -0.106."""
    answers = {**MOMENTS, "update": "-0.106", "weight": weight}
    checked = check("adamw_step", ADAMW, answers)

    assert status_of(checked, "update") == "right"
    assert status_of(checked, "weight") == expected


def test_what_is_held_is_what_is_typed_before_it_was_rounded() -> None:
    """An update typed as another number than follows is not held as what follows."""
    answers = {**MOMENTS, "update": "-0.1060", "weight": "-0.01391"}
    checked = check("adamw_step", ADAMW, answers)

    assert status_of(checked, "update") == "right"
    assert status_of(checked, "weight") == "wrong"


def test_a_fraction_leaves_nothing_open() -> None:
    given = {"forward": 1, "backward": 2}
    answers = {"plain": "3", "checkpointed": "9/2", "overhead": "0.5"}

    assert status_of(check("recompute_cost", given, answers), "overhead") == "carried"
    near = {**answers, "overhead": "0.51"}
    assert status_of(check("recompute_cost", given, near), "overhead") == "wrong"


def test_the_reach_of_a_sum_is_the_sum_of_the_reaches() -> None:
    value = np.array([[1.0, 2.0, 3.0]])
    copies = copies_of({"x": Open(value, (), np.array([[0.5, 0.0, 1.0]]))}, {})
    found = copies.span(copies.arguments["x"].sum(axis=-1))

    assert (found.low[0], found.value[0], found.high[0]) == (4.5, 6.0, 7.5)


def test_an_input_is_replaced_as_a_whole_by_what_may_have_been_meant() -> None:
    typed, meant = np.array([[7.0, 3.0, 1.0]]), np.array([[7.4, 2.7, 1.0]])
    copies = copies_of({"x": Open(typed, (meant,), np.zeros((1, 3)))}, {})
    found = copies.span(copies.arguments["x"].sum(axis=-1))

    assert (found.low[0], found.value[0], found.high[0]) == (11.0, 11.0, pytest.approx(11.1))


def test_the_exact_inputs_on_the_last_copy_widen_nothing() -> None:
    value = np.array([[1.0, 2.0]])
    copies = copies_of({"x": Open(value, (), value * 0)}, {}, {"x": value * 100})
    results = copies.arguments["x"].sum(axis=-1)
    found = copies.span(results)

    assert results[-1] == 300
    assert (found.low[0], found.high[0]) == (3.0, 3.0)


def test_every_reference_follows_itself_within_half_a_per_cent() -> None:
    """The intervals are narrow where inputs have six digits: they excuse no real error."""
    reference = references.get("cross_entropy")
    exact = reference.evaluate(LOGITS)
    answers = {
        name: " ".join(f"{each:.6g}" for each in np.ravel(np.asarray(value)))
        for name, value in exact.items()
    }
    answers["softmax"] = " ".join(f"{each * 1.02:.6g}" for each in np.ravel(exact["softmax"]))  # type: ignore[call-overload]

    assert status_of(check("cross_entropy", LOGITS, answers), "softmax") == "wrong"


def test_a_line_of_another_shape_before_a_rounded_one_is_judged_like_any_other() -> None:
    checked = check(
        "stable_cross_entropy",
        {"logits": [2.3, 1.1, -0.4], "target": 0},
        {
            "exp": "[1;2;3;4;5;6;7]",
            "sum": "1.368",
            "log_softmax": "[-0.3; -2; -3]",
            "loss": "0.345",
        },
    )

    assert status_of(checked, "exp") == "shape"
    assert status_of(checked, "log_softmax") == "coarse"
    assert status_of(checked, "loss") == "wrong"
