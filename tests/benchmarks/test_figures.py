"""What ``make bench`` prints, and the promises of scale that hold on any machine."""

import json
import os
import subprocess
import sys

import pytest

from tests.operations.service import ROOT

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def figures() -> dict[str, dict[str, float]]:
    """Return the figures of grades, by name."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", "grades"],
        cwd=ROOT,
        env={**os.environ, "BENCH_RESULTS": os.environ.get("BENCH_RESULTS", "60000")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    assert all(list(line) == ["name", "value", "unit", "floor", "ratio"] for line in lines)
    return {line["name"]: line for line in lines}


def ratios(figures: dict[str, dict[str, float]], end: str) -> dict[str, float]:
    """Return the ratios of the figures whose name ends so, on both databases."""
    found = {name: each["ratio"] for name, each in figures.items() if name.endswith(end)}
    assert {name.partition(":")[0] for name in found} == {"grades/SQLite", "grades/PostgreSQL"}
    return found


def test_the_last_page_costs_what_the_first_does(figures: dict[str, dict[str, float]]) -> None:
    found = ratios(figures, "last page")
    assert max(found.values()) <= 1.2, found


def test_a_large_page_asks_as_often_as_a_small_one(figures: dict[str, dict[str, float]]) -> None:
    assert set(ratios(figures, "queries of a page of 1,000").values()) == {1}


def test_memory_stays_flat(figures: dict[str, dict[str, float]]) -> None:
    found = ratios(figures, "memory of a whole pull") | ratios(figures, "memory")
    assert max(found.values()) <= 1.2, found
