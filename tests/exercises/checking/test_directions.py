"""The first operation whose direction of change contradicts a prediction."""

from typing import Any

import pytest

from exercises import references
from exercises.checking.directions import (
    Contradiction,
    PredictionError,
    first_contradiction,
)
from exercises.checking.steps import GivenError

Prediction = str | dict[str, str | list[str]]
LOGITS: dict[str, Any] = {"logits": [2, 1, 0], "target": 0}
RAISED = {"logits": [2.4, 1, 0]}


def contradiction(variation: dict[str, Any], prediction: Prediction) -> Contradiction | None:
    return first_contradiction(references.get("cross_entropy"), LOGITS, variation, prediction)


@pytest.mark.parametrize(
    ("variation", "prediction", "step"),
    [
        pytest.param(RAISED, "down", None, id="the loss falls as predicted"),
        pytest.param(RAISED, "up", "loss", id="everything rises until the logarithm turns it"),
        pytest.param({"logits": [1.2, 1, 0]}, "down", "loss", id="a lower target logit"),
        pytest.param({"logits": [3, 2, 1]}, "up", "softmax", id="a common shift cancels there"),
        pytest.param({"logits": [3, 2, 1]}, "same", None, id="a common shift changes no loss"),
        pytest.param(RAISED, {"sum": "down", "loss": "up"}, "sum", id="the first of two"),
        pytest.param(
            RAISED, {"softmax": ["up", "down", "down"], "loss": "down"}, None, id="by entry"
        ),
        pytest.param(
            RAISED, {"softmax": ["up", "same", "same"]}, "softmax", id="shares have to add up"
        ),
        pytest.param(RAISED, {"exp": "up"}, None, id="the entries that move move up"),
        pytest.param(RAISED, {"softmax": "up"}, "softmax", id="entries move differently"),
        pytest.param({"target": 1}, {"exp": "same", "loss": "up"}, None, id="another target"),
    ],
)
def test_names_the_first_step_that_contradicts(
    variation: dict[str, Any], prediction: Prediction, step: str | None
) -> None:
    found = contradiction(variation, prediction)

    assert (found and found.step) == step


def test_says_what_was_predicted_and_how_each_step_moves() -> None:
    assert contradiction(RAISED, "up") == Contradiction(
        step="loss",
        predicted="up",
        observed="down",
        directions={"exp": "up", "sum": "up", "softmax": "mixed", "loss": "down"},
    )


def test_round_off_is_no_direction() -> None:
    before = {"logits": [0.1, 0.2, 0.3], "target": 0}
    shifted = {"logits": [0.4, 0.5, 0.6]}

    assert first_contradiction(references.get("cross_entropy"), before, shifted, "same") is None


@pytest.mark.parametrize(
    ("prediction", "says"),
    [
        pytest.param("sideways", "a direction is one of", id="no direction"),
        pytest.param({"weights": "up"}, "weights is no step", id="no step"),
        pytest.param({"loss": ["up", "left"]}, "a direction is one of", id="no direction inside"),
    ],
)
def test_refuses_a_prediction_that_says_nothing(prediction: Prediction, says: str) -> None:
    with pytest.raises(PredictionError, match=says):
        contradiction(RAISED, prediction)


def test_the_variation_keeps_the_shapes() -> None:
    with pytest.raises(GivenError, match="must keep the shapes"):
        contradiction({"logits": [2.4, 1]}, "up")
