"""Generic signs of a mistake: tried where no known mistake fits."""

from typing import Any

import pytest

from tests.exercises.checking.tracing import LOGITS, MASKED, MEMORY, check, cross_entropy, step_of

STABLE = {"max": "2", "shifted": "0 -1 -2"}


@pytest.mark.parametrize(
    ("name", "given", "step", "text", "cause", "break_"),
    [
        pytest.param("cross_entropy", LOGITS, "sum", "-11.107", "sign", None, id="sign"),
        pytest.param("cross_entropy", LOGITS, "sum", "-11", "sign", None, id="sign, coarsely"),
        pytest.param(
            "stable_cross_entropy",
            LOGITS,
            "shifted",
            "0 1 2",
            "sign",
            None,
            id="signs of all entries",
        ),
        pytest.param(
            "cross_entropy",
            LOGITS,
            "sum",
            "1110.7",
            "order_of_magnitude",
            None,
            id="a hundred times a sum",
        ),
        pytest.param(
            "cross_entropy", LOGITS, "sum", "1.1107", "order_of_magnitude", None, id="a tenth"
        ),
        pytest.param(
            "optimizer_memory",
            MEMORY,
            "weights",
            "28 MB",
            "order_of_magnitude",
            None,
            id="MB for GB",
        ),
        pytest.param(
            "optimizer_memory",
            MEMORY,
            "total",
            "8.4e12",
            "order_of_magnitude",
            None,
            id="bytes are no percentage",
        ),
        pytest.param(
            "cross_entropy", LOGITS, "softmax", "66.5 24.5 9.00", "percent", None, id="percent"
        ),
        pytest.param(
            "cross_entropy", LOGITS, "softmax", "0.245 0.665 0.090", "permuted", None, id="permuted"
        ),
        pytest.param(
            "stable_cross_entropy", LOGITS, "loss", "0.588", "log_base", "operation", id="base two"
        ),
        pytest.param(
            "stable_cross_entropy", LOGITS, "loss", "0.177", "log_base", "operation", id="base ten"
        ),
        pytest.param(
            "stable_cross_entropy",
            LOGITS,
            "log_softmax",
            "-0.588 -2.031 -3.473",
            "log_base",
            "operation",
            id="base two, a vector",
        ),
        pytest.param(
            "cross_entropy",
            LOGITS,
            "loss",
            "0.588",
            "log_base",
            "operation",
            id="base two, where base ten is a known mistake",
        ),
        pytest.param("cross_entropy", LOGITS, "sum", "12.3", None, None, id="no sign"),
        pytest.param(
            "cross_entropy", LOGITS, "sum", "16.02", None, None, id="a sum is no logarithm"
        ),
        pytest.param(
            "masked_mean_loss",
            MASKED,
            "valid_positions",
            "50",
            "order_of_magnitude",
            None,
            id="a count",
        ),
        pytest.param(
            "masked_mean_loss",
            MASKED,
            "valid_positions",
            "500",
            "order_of_magnitude",
            None,
            id="a count is no percentage",
        ),
    ],
)
def test_a_sign_of_the_exact_value(
    name: str, given: dict[str, Any], step: str, text: str, cause: str | None, break_: str | None
) -> None:
    found = step_of(check(name, given, {step: text}), step)

    assert (found["status"], found["cause"], found["break"]) == ("wrong", cause, break_)


@pytest.mark.parametrize(
    ("answers", "step", "cause"),
    [
        pytest.param({"exp": "8 3 1", "sum": "-12"}, "sum", "sign", id="sign"),
        pytest.param({"exp": "8 3 1", "sum": "1200"}, "sum", "order_of_magnitude", id="magnitude"),
        pytest.param(
            {"sum": "20", "softmax": "0.136 0.369 0.050"}, "softmax", "permuted", id="permuted"
        ),
        pytest.param({"softmax": "0.5 0.3 0.2", "loss": "1.00"}, "loss", "log_base", id="log base"),
    ],
)
def test_a_sign_of_what_follows_from_the_own_values(
    answers: dict[str, str], step: str, cause: str
) -> None:
    assert step_of(cross_entropy(**answers), step)["cause"] == cause


def test_other_dimensions_are_a_break_of_shapes() -> None:
    found = step_of(cross_entropy(softmax="0.665 0.245"), "softmax")

    assert (found["status"], found["cause"], found["break"]) == ("shape", None, "shapes")


def test_a_count_of_one_typed_a_hundred_times_too_large_is_no_percentage() -> None:
    given = {"token_losses": [[1.5, 0.5, 2.0]], "mask": [[0, 1, 0]]}
    checked = check("masked_mean_loss", given, {"valid_positions": "100"})

    assert step_of(checked, "valid_positions")["cause"] == "order_of_magnitude"


def test_a_magnitude_within_reason_is_a_sign() -> None:
    assert step_of(cross_entropy(sum="1.1107e13"), "sum")["cause"] == "order_of_magnitude"
    assert step_of(cross_entropy(sum="1.1107e-11"), "sum")["cause"] == "order_of_magnitude"


def test_a_zero_reference_has_no_sign_and_no_magnitude() -> None:
    given = {"logits": [2, 2], "target": 0}
    checked = check("stable_cross_entropy", given, {"shifted": "5 5"})

    assert step_of(checked, "shifted")["cause"] is None


@pytest.mark.parametrize("text", ["1.1107e-12", "1.1107e14", "1e-20", "1.1e+40"])
def test_a_magnitude_beyond_reason_is_no_sign(text: str) -> None:
    assert step_of(cross_entropy(sum=text), "sum")["cause"] is None
