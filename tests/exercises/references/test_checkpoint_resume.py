"""Resuming a real run: a complete file continues bit for bit, weights alone do not."""

from typing import Any

import numpy as np
import pytest

from exercises import references
from exercises.checking.steps import GivenError
from exercises.references import training

SEED, PEAK_LR = 18, 1.2
COMPLETE = ["weights", "m, v", "scheduler", "data position", "RNG states"]


def resume(fields: list[str]) -> dict[str, Any]:
    return references.get("checkpoint_resume").evaluate(
        {"seed": SEED, "step": 12_000, "restored": fields, "peak_lr": PEAK_LR}
    )


def test_weights_alone_lift_the_loss_for_a_while() -> None:
    values = resume(["weights"])

    assert values["loss_before"] == pytest.approx(0.4, abs=0.03)
    assert values["loss_before"] + values["spike"] == pytest.approx(1.9, abs=0.1)
    assert values["loss_curve"][-1] < values["loss_before"] + values["spike"] / 3
    assert len(values["loss_curve"]) == 200


def test_a_complete_file_continues_bit_for_bit() -> None:
    data = training.data_of(SEED)
    path = training.advance(training.fresh(SEED), data, PEAK_LR, 12_200)[1]

    assert resume(COMPLETE)["loss_curve"] == [training.loss(each, data) for each in path[-200:]]


@pytest.mark.parametrize("left_out", COMPLETE)
def test_every_field_of_the_file_matters(left_out: str) -> None:
    partial = [field for field in COMPLETE if field != left_out]

    assert resume(partial)["loss_curve"] != resume(COMPLETE)["loss_curve"]


def test_without_the_moments_the_loss_rises_more_than_with_them() -> None:
    assert resume(["weights"])["spike"] > resume(["weights", "m, v"])["spike"] > 0


def test_step_12000_is_what_stands_where_no_step_is_given() -> None:
    values = references.get("checkpoint_resume").evaluate(
        {"seed": SEED, "restored": COMPLETE, "peak_lr": PEAK_LR}
    )

    assert values == resume(COMPLETE)


def test_the_schedule_falls_from_the_peak_to_zero() -> None:
    rates = [training.learning_rate(PEAK_LR, step) for step in range(0, 15_001, 1_000)]

    assert rates[0] == PEAK_LR
    assert rates[-1] == pytest.approx(0.0, abs=1e-12)
    assert (np.diff(rates) < 0).all()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        pytest.param({"restored": ["moustache"]}, "unknown field", id="unknown field"),
        pytest.param({"restored": "weights"}, "a list of field names", id="no list"),
        pytest.param({"step": 15_000}, "step: must lie", id="past the end"),
        pytest.param({"seed": 1.5}, "seed: whole numbers", id="seed not whole"),
    ],
)
def test_refuses_what_it_cannot_start_from(given: dict[str, Any], says: str) -> None:
    whole = {"seed": SEED, "step": 12_000, "restored": ["weights"], "peak_lr": PEAK_LR}

    with pytest.raises(GivenError, match=says):
        references.get("checkpoint_resume").evaluate(whole | given)
