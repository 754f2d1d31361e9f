"""Written operations: a slip is told from a wrong operation."""

from typing import Any

import pytest

from tests.exercises.checking.tracing import ADAMW, LOGITS, check, cross_entropy, faults, step_of


def loss(operation: object, result: object, **others: object) -> dict[str, Any]:
    answer = {"operation": operation, "result": result}
    return step_of(cross_entropy(loss=answer, **others), "loss")


@pytest.mark.parametrize(
    "operation",
    [
        "-2 + ln(11.107)",
        "-logits[0] + ln(sum)",
        "-logits_0 + log(sum(exp))",
        "-ln(softmax[0])",
        "-ln(0.665)",
        "-ln(0.67)",
        "ln(1/softmax[0])",
    ],
)
def test_a_right_operation_with_a_wrong_result_is_a_slip(operation: str) -> None:
    found = loss(operation, "0.418")

    assert (found["status"], found["break"], found["cause"]) == ("slip", None, None)


def test_a_slip_is_a_fault() -> None:
    answer = {"operation": "-2 + ln(11.107)", "result": "0.418"}

    assert faults(cross_entropy(loss=answer)) == ["loss"]


def test_an_operation_that_follows_from_the_own_values_is_a_slip_too() -> None:
    assert loss("-ln(softmax[0])", "0.75", softmax="0.500 0.300 0.200")["status"] == "slip"


def test_a_wrong_operation_is_no_slip() -> None:
    assert loss("ln(11.107)", "2.5")["status"] == "wrong"


def test_a_coarse_result_is_no_slip() -> None:
    assert loss("-ln(softmax[0])", "0.41")["status"] == "coarse"


def test_the_right_result_decides_over_the_operation_and_the_message_says_so() -> None:
    found = loss("ln(11.107)", "0.408")

    assert found["status"] == "right"
    assert "operation as written gives another value" in found["message"]


@pytest.mark.parametrize("operation", ["-ln(softmax[0])", "-ln(0.67)"])
def test_nothing_is_said_where_the_operation_holds(operation: str) -> None:
    assert loss(operation, "0.408")["message"] == "Right."


@pytest.mark.parametrize("operation", ["2 +", "import os", "ln(foo)", "1/0", "9**9**9", "(" * 50])
def test_an_operation_that_cannot_be_read_leaves_the_result_to_decide(operation: str) -> None:
    right, wrong = loss(operation, "0.408"), loss(operation, "0.5")

    assert (right["status"], wrong["status"]) == ("right", "wrong")
    assert "operation could not be read" in right["message"]
    assert "operation could not be read" in wrong["message"]


@pytest.mark.parametrize("operation", [None, "", "   ", 7, ["ln"]])
def test_no_operation_is_no_matter(operation: object) -> None:
    assert loss(operation, "0.408") == loss("", "0.408")


@pytest.mark.parametrize("result", ["", None, "  "])
def test_an_operation_without_a_result_is_missing_its_result(result: object) -> None:
    found = loss("-ln(softmax[0])", result)

    assert found["status"] == "missing"
    assert "result is not" in found["message"]


def test_an_unreadable_result_stays_unreadable() -> None:
    assert loss("-ln(softmax[0])", "0.4.1")["status"] == "unreadable"


def test_an_operation_on_arrays_is_entrywise() -> None:
    answer = {"operation": "exp / sum", "result": "0.7 0.2 0.3"}

    assert step_of(cross_entropy(softmax=answer), "softmax")["status"] == "slip"


def test_an_operation_of_another_shape_is_no_slip() -> None:
    answer = {"operation": "exp[0] / sum", "result": "0.7 0.2 0.3"}

    assert step_of(cross_entropy(softmax=answer), "softmax")["status"] == "wrong"


def test_a_name_means_the_given_until_a_step_of_that_name_has_passed() -> None:
    operation = "beta1 * m + (1 - beta1) * gradient"
    answers = {"m": {"operation": operation, "result": "0.03"}}

    assert step_of(check("adamw_step", ADAMW, answers), "m")["status"] == "slip"


def test_after_a_step_of_that_name_it_means_the_step() -> None:
    answers = {"m": "0.022", "m_hat": {"operation": "m / (1 - beta1^step)", "result": "0.15"}}

    assert step_of(check("adamw_step", ADAMW, answers), "m_hat")["status"] == "slip"


def test_a_step_that_was_not_read_has_no_value_in_an_operation() -> None:
    answers = {"m": "", "m_hat": {"operation": "m / (1 - beta1^step)", "result": "0.15"}}
    found = step_of(check("adamw_step", ADAMW, answers), "m_hat")

    assert found["status"] == "wrong"
    assert "could not be read" in found["message"]


def test_a_withheld_step_is_not_made_a_slip() -> None:
    answers: dict[str, Any] = {
        "softmax": "0.333 0.333 0.333",
        "loss": {"operation": "-ln(softmax[0])", "result": "1.099"},
    }
    found = step_of(check("cross_entropy", LOGITS, answers), "loss")

    assert (found["status"], found["cause"]) == ("wrong", "degenerate")
