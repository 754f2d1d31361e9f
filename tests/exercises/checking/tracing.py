"""Short forms for tests about traces."""

from collections.abc import Mapping
from typing import Any

from exercises import references
from exercises.checking.batches import check_traces
from exercises.checking.chains import check_trace
from exercises.checking.steps import Reference

LOGITS: dict[str, Any] = {"logits": [2, 1, 0], "target": 0}
MASKED: dict[str, Any] = {
    "token_losses": [[1.0, 0.5, 0.8, 0.7], [0.9, 0.0, 0.0, 0.0]],
    "mask": [[1, 1, 1, 1], [1, 0, 0, 0]],
}
MEMORY: dict[str, Any] = {"parameters": 7_000_000_000, "bytes_per_value": 4}
ADAMW: dict[str, Any] = {
    "weight": -1.88,
    "gradient": -0.14,
    "lr": 0.01,
    "beta1": 0.9,
    "beta2": 0.999,
    "eps": 1e-8,
    "weight_decay": 0.5,
    "step": 2,
    "m": 0.04,
    "v": 0.01,
}
RIGHT: dict[str, Any] = {
    "exp": "[7.389, 2.718, 1]",
    "sum": "11.107",
    "softmax": "0.665 0.245 0.090",
    "loss": "0.408",
}


def check(name: str, given: Mapping[str, Any], answers: Mapping[str, Any]) -> dict[str, Any]:
    return follow(references.get(name), given, answers)


def follow(
    reference: Reference, given: Mapping[str, Any], answers: Mapping[str, Any], **options: Any
) -> dict[str, Any]:
    """Check a trace alone and in a batch; both must say the same."""
    alone = check_trace(reference, given, answers, **options)
    together = check_traces(reference, [given], [answers], **options)

    assert together == [alone]
    return alone


def cross_entropy(**answers: object) -> dict[str, Any]:
    """Check the worked case with some lines of the right trace replaced; None leaves one out."""
    lines = {name: each for name, each in {**RIGHT, **answers}.items() if each is not None}
    return check("cross_entropy", LOGITS, lines)


def statuses(checked: Mapping[str, Any]) -> list[str]:
    return [step["status"] for step in checked["steps"]]


def status_of(checked: Mapping[str, Any], name: str) -> str:
    return str(step_of(checked, name)["status"])


def step_of(checked: Mapping[str, Any], name: str) -> dict[str, Any]:
    return next(dict(step) for step in checked["steps"] if step["name"] == name)


def faults(checked: Mapping[str, Any]) -> list[str]:
    return [fault["step"] for fault in checked["faults"]]


def broken(checked: Mapping[str, Any]) -> tuple[str, str | None, str | None] | None:
    """Return step, break and cause of the first break."""
    first = checked["first_break"]
    return first and (first["step"], first["break"], first["cause"])
