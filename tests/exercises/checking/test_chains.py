"""Following one chain: statuses, first break, faults, score."""

from typing import Any

import pytest

from exercises import references
from exercises.checking.chains import check_trace

LOGITS = {"logits": [2, 1, 0], "target": 0}
MASKED = {
    "token_losses": [[1.0, 0.5, 0.8, 0.7], [0.9, 0.0, 0.0, 0.0]],
    "mask": [[1, 1, 1, 1], [1, 0, 0, 0]],
}
MEMORY = {"parameters": 7_000_000_000, "bytes_per_value": 4}


def check(name: str, given: dict[str, Any], **answers: Any) -> dict[str, Any]:
    return check_trace(references.get(name), given, answers)


def statuses(checked: dict[str, Any]) -> list[str]:
    return [step["status"] for step in checked["steps"]]


def first_break(checked: dict[str, Any]) -> tuple[str, str | None, str | None] | None:
    first = checked["first_break"]
    return first and (first["step"], first["break"], first["cause"])


def test_the_example_of_a_right_trace() -> None:
    checked = check(
        "cross_entropy",
        LOGITS,
        exp="[7.389, 2.718, 1]",
        sum="11.107",
        softmax="0.665 0.245 0.090",
        loss="0.408",
    )

    assert statuses(checked) == ["right"] * 4
    assert checked["steps"][0]["name"] == "exp"
    assert checked["steps"][0]["read"] == [7.389, 2.718, 1.0]
    assert checked["first_break"] is None
    assert checked["faults"] == []
    assert checked["score"] == 1.0


@pytest.mark.parametrize(
    ("name", "given", "answers", "expected", "broken"),
    [
        pytest.param(
            "cross_entropy",
            LOGITS,
            {"exp": "7.389 2.718 1", "sum": "3", "softmax": "2.463 0.906 0.333", "loss": "-0.901"},
            ["right", "wrong", "carried", "carried"],
            ("sum", "operation", "sum_of_logits"),
            id="error carried forward",
        ),
        pytest.param(
            "cross_entropy",
            LOGITS,
            {"exp": "7.389 2.718 1", "sum": "3", "softmax": "0.665 0.245 0.090", "loss": "0.408"},
            ["right", "wrong", "unsupported", "right"],
            ("sum", "operation", "sum_of_logits"),
            id="right value not from the own line",
        ),
        pytest.param(
            "masked_mean_loss",
            MASKED,
            {"valid_positions": "8", "total": "3.9", "mean": "0.4875"},
            ["wrong", "right", "carried"],
            ("valid_positions", "shapes", "all_positions"),
            id="masked positions counted",
        ),
        pytest.param(
            "masked_mean_loss",
            MASKED,
            {"valid_positions": "5", "total": "3.9", "mean": "0.4875"},
            ["right", "right", "wrong"],
            ("mean", "shapes", "mean_over_all"),
            id="wrong denominator",
        ),
        pytest.param(
            "optimizer_memory",
            MEMORY,
            {"weights": "28 GB", "moments": "28 GB", "total": "56 GB", "ratio": "2"},
            ["right", "wrong", "carried", "carried"],
            ("moments", "operation", "one_moment"),
            id="one moment",
        ),
        pytest.param(
            "optimizer_memory",
            MEMORY,
            {"weights": "28e9", "moments": "52.15 GiB", "total": "28 GB", "ratio": "1"},
            ["right", "right", "wrong", "carried"],
            ("total", "claim_scope", "weights_only"),
            id="weights taken for the whole",
        ),
    ],
)
def test_follows_a_chain(
    name: str,
    given: dict[str, Any],
    answers: dict[str, str],
    expected: list[str],
    broken: tuple[str, str, str],
) -> None:
    checked = check(name, given, **answers)

    assert statuses(checked) == expected
    assert first_break(checked) == broken
