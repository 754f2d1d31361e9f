"""Known mistakes: named with the break that they show, on exact and on own inputs."""

from typing import Any

import pytest

from exercises import references
from exercises.checking.steps import FloatArray, Given, Mistake, Reference, Step, routes
from exercises.checking.verdicts import Break
from tests.exercises.checking.small_chain import doubled, plus_five, squared
from tests.exercises.checking.tracing import (
    ADAMW,
    LOGITS,
    MASKED,
    MEMORY,
    broken,
    check,
    cross_entropy,
    faults,
    follow,
    step_of,
)

HUGE = {"logits": [1000, 999, 2], "target": 0}
CLIPPED = {"gradient": [3, -4], "max_norm": 2}
RESUME = {**MEMORY, "steps_lost": 2000, "seconds_per_step": 6.5}

# Reference, givens, step, text as typed, mistake, break: every row of the contract's table.
TABLE: tuple[tuple[str, dict[str, Any], str, str, str, str], ...] = (
    ("cross_entropy", LOGITS, "exp", "100 10 1", "power_of_ten", "operation"),
    ("cross_entropy", LOGITS, "exp", "4 2 1", "power_of_two", "operation"),
    ("cross_entropy", LOGITS, "sum", "3", "sum_of_logits", "operation"),
    ("cross_entropy", LOGITS, "softmax", "0.667 0.333 0", "linear_share", "operation"),
    ("cross_entropy", LOGITS, "loss", "-0.408", "missing_minus", "operation"),
    ("cross_entropy", LOGITS, "loss", "0.177", "log_base_ten", "operation"),
    ("cross_entropy", LOGITS, "loss", "1.408", "wrong_target", "operation"),
    ("cross_entropy", LOGITS, "loss", "2.408", "wrong_target", "operation"),
    ("cross_entropy", LOGITS, "loss", "0.665", "probability_as_loss", "vocabulary"),
    ("stable_cross_entropy", LOGITS, "exp", "7.389 2.718 1", "no_shift", "operation"),
    ("stable_cross_entropy", HUGE, "exp", "inf inf 7.389", "no_shift", "operation"),
    ("stable_cross_entropy", HUGE, "loss", "nan", "naive_nan", "operation"),
    ("softmax_gradient", LOGITS, "gradient", "0.335 -0.245 -0.090", "reversed", "operation"),
    ("softmax_gradient", LOGITS, "gradient", "0.665 0.245 0.090", "target_forgotten", "operation"),
    ("masked_mean_loss", MASKED, "valid_positions", "8", "all_positions", "shapes"),
    ("masked_mean_loss", MASKED, "valid_positions", "2", "rows_only", "shapes"),
    ("masked_mean_loss", MASKED, "mean", "0.4875", "mean_over_all", "shapes"),
    ("adamw_step", ADAMW, "m", "-0.14", "gradient_alone", "operation"),
    ("adamw_step", ADAMW, "v", "0.00985", "not_squared", "operation"),
    ("adamw_step", ADAMW, "m_hat", "0.022", "no_bias_correction", "operation"),
    ("adamw_step", ADAMW, "v_hat", "0.01001", "no_bias_correction", "operation"),
    ("adamw_step", ADAMW, "update", "-0.00917", "no_square_root", "operation"),
    ("adamw_step", ADAMW, "update", "0.000517", "decay_forgotten", "operation"),
    ("adamw_step", ADAMW, "weight", "-1.8889", "ascent", "operation"),
    (
        "gradient_clipping",
        CLIPPED,
        "norm",
        "7",
        "sum_of_absolutes",
        "vocabulary",
    ),
    (
        "gradient_clipping",
        CLIPPED,
        "norm",
        "4",
        "largest_entry",
        "vocabulary",
    ),
    (
        "gradient_clipping",
        CLIPPED,
        "clipped",
        "2 -2",
        "entry_by_entry",
        "operation",
    ),
    ("optimizer_memory", MEMORY, "moments", "28 GB", "one_moment", "operation"),
    ("optimizer_memory", MEMORY, "total", "28e9", "weights_only", "claim_scope"),
    ("optimizer_memory", MEMORY, "total", "56 GB", "moments_only", "claim_scope"),
    ("resume_cost", RESUME, "full_checkpoint", "28 GB", "weights_are_enough", "claim_scope"),
)


@pytest.mark.parametrize(
    ("name", "given", "step", "text", "cause", "break_"),
    [pytest.param(*row, id=f"{row[0]}.{row[2]} {row[4]} {row[3]}") for row in TABLE],
)
def test_a_known_mistake_is_named_on_the_exact_inputs(
    name: str, given: dict[str, Any], step: str, text: str, cause: str, break_: str
) -> None:
    found = step_of(check(name, given, {step: text}), step)

    assert (found["status"], found["cause"], found["break"]) == ("wrong", cause, break_)


def test_the_table_holds_every_known_mistake() -> None:
    known = {
        (name, step.name, mistake.name, mistake.break_.value)
        for name in references.names()
        for step in references.get(name).steps
        for mistake in step.mistakes
    }

    assert {(row[0], row[2], row[4], row[5]) for row in TABLE} == known


@pytest.mark.parametrize(
    ("answers", "cause"),
    [
        pytest.param({"softmax": "0.5 0.3 0.2", "loss": "-0.693"}, "missing_minus", id="minus"),
        pytest.param({"softmax": "0.5 0.3 0.2", "loss": "0.301"}, "log_base_ten", id="base"),
        pytest.param({"softmax": "0.5 0.3 0.2", "loss": "1.204"}, "wrong_target", id="target"),
        pytest.param({"softmax": "0.52 0.3 0.2", "loss": "0.52"}, "probability_as_loss", id="p"),
        pytest.param({"sum": "20", "loss": "-0.996"}, "missing_minus", id="minus, from the sum"),
        pytest.param({"sum": "20", "loss": "-0.699"}, "log_base_ten", id="base, from the sum"),
    ],
)
def test_a_known_mistake_is_named_on_the_own_inputs(answers: dict[str, str], cause: str) -> None:
    checked = cross_entropy(**answers)

    assert step_of(checked, "loss")["cause"] == cause
    assert len(faults(checked)) == 2


def test_a_known_mistake_on_the_exact_inputs_is_named_after_wrong_ones() -> None:
    checked = cross_entropy(sum="12", softmax="0.5 0.3 0.2", loss="-0.408")

    assert step_of(checked, "loss")["cause"] == "missing_minus"


def test_a_known_mistake_on_the_exact_inputs_is_named_after_a_line_of_another_shape() -> None:
    checked = cross_entropy(sum="", softmax="0.731 0.269", loss="-0.408")

    assert step_of(checked, "loss")["cause"] == "missing_minus"


def test_a_known_mistake_is_named_where_only_some_of_its_inputs_are_there() -> None:
    answers = {"softmax": "0.665 0.245 0.090", "gradient": "0.335 -0.245 -0.090"}
    checked = check("softmax_gradient", LOGITS, answers)

    assert step_of(checked, "gradient")["cause"] == "reversed"


def test_a_known_mistake_is_named_as_far_as_typed_digits_leave_it_open() -> None:
    """0.998 may be 0.9975, whose logarithm is -0.0025: the sign is what is wrong."""
    checked = check("cross_entropy", LOGITS, {"softmax": "0.998 0.001 0.001", "loss": "-0.0025"})

    assert step_of(checked, "loss")["cause"] == "missing_minus"


def test_a_known_mistake_is_named_from_few_digits() -> None:
    assert broken(cross_entropy(loss="0.18")) == ("loss", "operation", "log_base_ten")


def test_known_mistakes_come_before_generic_signs() -> None:
    """Both reversed and sign fit a gradient of the other sign."""
    checked = check("softmax_gradient", LOGITS, {"gradient": "0.335 -0.245 -0.090"})

    assert step_of(checked, "gradient")["cause"] == "reversed"


def test_a_value_that_agrees_is_right_although_a_mistake_gives_it_too() -> None:
    given = {"gradient": [3, 4], "max_norm": 10}
    answers = {"norm": "5", "scale": "1", "clipped": "3 4"}

    assert check("gradient_clipping", given, answers)["faults"] == []


def nearly_doubled(plus_five: FloatArray) -> FloatArray:
    return 2.0005 * plus_five


def chain_with(*breaks: Break) -> Reference:
    mistakes = tuple(
        Mistake(name, break_, function, f"Look at {name}.")
        for name, break_, function in zip(
            ("first", "second"), breaks, (doubled, nearly_doubled), strict=True
        )
    )
    return Reference(
        "two_mistakes",
        "Two mistakes",
        (Given("times_three"),),
        (
            Step("plus_five", "Plus five", routes(plus_five)),
            Step("squared", "Squared", routes(squared), mistakes=mistakes),
        ),
    )


def test_two_mistakes_with_one_value_and_one_break() -> None:
    chain = chain_with(Break.OPERATION, Break.OPERATION)
    checked = follow(chain, {"times_three": 12}, {"squared": "34.0"})
    step = step_of(checked, "squared")

    assert (step["cause"], step["break"]) == ("first", "operation")
    assert "more than one known mistake" in step["message"]
    assert "Look at first. Look at second." in step["message"]


def test_two_mistakes_with_one_value_and_different_breaks_suggest_none() -> None:
    chain = chain_with(Break.OPERATION, Break.CLAIM_SCOPE)
    step = step_of(follow(chain, {"times_three": 12}, {"squared": "34.0"}), "squared")

    assert (step["cause"], step["break"]) == (None, None)
    assert "more than one known mistake" in step["message"]


def test_the_mistake_that_fits_every_typed_digit_wins() -> None:
    chain = chain_with(Break.OPERATION, Break.CLAIM_SCOPE)
    step = step_of(follow(chain, {"times_three": 12}, {"squared": "34.0085"}), "squared")

    assert (step["cause"], step["break"]) == ("second", "claim_scope")


def test_a_mistakes_own_value_wins_over_what_another_leaves_open() -> None:
    """Twice 20 is 40, and may be 39 to 41 for all that is typed; 2.0005 times 20 is 40.01."""
    chain = chain_with(Break.OPERATION, Break.CLAIM_SCOPE)
    answers = {"plus_five": "20", "squared": "40.01"}
    step = step_of(follow(chain, {"times_three": 12}, answers), "squared")

    assert (step["cause"], step["break"]) == ("second", "claim_scope")


def test_one_mistake_is_said_as_one() -> None:
    assert step_of(cross_entropy(sum="3"), "sum")["message"] == (
        "Look at what is added: the logits were summed, not their exponentials."
    )


@pytest.mark.parametrize(
    "given", [{"logits": [-1, 0, 3.5], "target": 2}, {"logits": [5], "target": 0}]
)
def test_mistakes_hold_for_other_givens(given: dict[str, Any]) -> None:
    powers = " ".join(f"{10.0**each:.6g}" for each in given["logits"])

    assert broken(check("cross_entropy", given, {"exp": powers})) == (
        "exp",
        "operation",
        "power_of_ten",
    )
