"""Every reference agrees with values that were computed independently, to 1e-12 relative."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exercises import references
from tests.exercises.references.values import VALUES

SHARED = Path(__file__).parents[4] / "shared" / "golden" / "references.jsonl"


def assert_agrees(name: str, given: dict[str, Any], steps: dict[str, Any]) -> None:
    evaluated = references.get(name).evaluate(given)

    assert list(evaluated) == list(steps)
    for step, value in steps.items():
        np.testing.assert_allclose(
            np.asarray(evaluated[step]), np.asarray(value), rtol=1e-12, atol=0, err_msg=step
        )


@pytest.mark.parametrize(
    ("name", "given", "steps"),
    [pytest.param(*row, id=f"{row[0]}-{number}") for number, row in enumerate(VALUES)],
)
def test_agrees_with_independent_values(
    name: str, given: dict[str, Any], steps: dict[str, Any]
) -> None:
    assert_agrees(name, given, steps)


@pytest.mark.skipif(not SHARED.exists(), reason="the independent values are not beside this clone")
def test_agrees_with_the_values_beside_the_clone() -> None:
    for line in SHARED.read_text().splitlines():
        row = json.loads(line)
        assert_agrees(row["reference"], row["given"], row["steps"])


def test_the_table_covers_every_trace() -> None:
    traces = {name for name in references.names() if references.get(name).is_trace}

    assert {row[0] for row in VALUES} == traces
