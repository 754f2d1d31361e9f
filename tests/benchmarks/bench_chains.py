"""How many traces a second are followed: alone, in batches, and without the text.

Traces of ``cross_entropy`` by synthetic learners, each with givens of its own: half are
right, half have one fault (a known mistake or a slip) that is carried along. The floor of
the traces is the four step functions themselves, called on one trace; that of the
arithmetic is one call of each on all traces at once.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from exercises import references
from exercises.checking.batches import CHUNK, check_traces, follow, group_of, read_trace
from exercises.checking.chains import check_trace
from exercises.checking.discrimination import discriminate
from exercises.checking.variants import draw
from exercises.checking.worked import worked
from tests.exercises.checking.learners import a_habit, of_mistake, write

TRACES = 10_000
ALONE = 1_000
ROUNDS = 3
REFERENCE = references.get("cross_entropy")
GIVEN: dict[str, Any] = {"logits": [2, 1, 0], "target": 0}
VARY = {"logits[0]": {"from": 1.2, "to": 3, "step": 0.1}}


def figures() -> list[dict[str, object]]:
    """Return every figure: name, value, unit, floor and ratio."""
    givens, answers = _traces(TRACES)
    right = [write(REFERENCE, GIVEN, a_habit(np.random.default_rng(each))) for each in range(50)]
    arrays = {
        name: np.array([worked(REFERENCE, given).given[name] for given in givens])
        for name in ("logits", "target")
    }
    one = {name: array[:1] for name, array in arrays.items()}
    single = _rate(lambda: REFERENCE.exact_values(one), 1, 500)
    whole = _rate(lambda: REFERENCE.exact_values(arrays), 4 * TRACES, 1)

    alone = _rate(lambda: _alone(givens[:ALONE], answers[:ALONE]), ALONE, 1)
    common = _rate(lambda: _alone([GIVEN] * ALONE, answers[:ALONE]), ALONE, 1)
    all_right = _rate(lambda: _alone([GIVEN] * 50, [each.answers for each in right]), 50, 10)
    together = _rate(lambda: check_traces(REFERENCE, givens, answers), TRACES, 1)
    drawn = _rate(lambda: draw(REFERENCE, GIVEN, VARY, seed_parts=("bench",)), 1, 50)
    judged = _rate(lambda: discriminate(REFERENCE, arrays, None), TRACES, 1)
    return [
        _figure("traces, one at a time", alone, "traces/s", single),
        _figure("traces of one case, one at a time", common, "traces/s", single),
        _figure("right traces of one case, one at a time", all_right, "traces/s", single),
        _figure("traces in a batch of 10,000, text included", together, "traces/s", single),
        _figure("arithmetic alone, already read", _arithmetic(givens, answers), "steps/s", whole),
        _figure("a discriminating variant drawn", drawn, "variants/s", single),
        _figure("draws judged for discrimination", judged, "draws/s", single),
    ]


def _traces(count: int) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    random = np.random.default_rng(4)
    mistakes = [(step, mistake) for step in REFERENCE.steps for mistake in step.mistakes]
    givens, answers = [], []
    for number in range(count):
        logits = [round(float(each), 1) for each in random.uniform(-3, 3, 3)]
        given: dict[str, Any] = {"logits": logits, "target": int(random.integers(3))}
        fault = None
        if number % 2:
            step, mistake = mistakes[number % len(mistakes)]
            fault = (step.name, of_mistake(REFERENCE, given, step, mistake, random))
        givens.append(given)
        answers.append(write(REFERENCE, given, a_habit(random), fault=fault).answers)
    return givens, answers


def _alone(givens: list[dict[str, Any]], answers: list[dict[str, str]]) -> None:
    for given, typed in zip(givens, answers, strict=True):
        check_trace(REFERENCE, given, typed)


def _arithmetic(givens: list[dict[str, Any]], answers: list[dict[str, str]]) -> float:
    """Return steps a second, from arrays of values to statuses, causes included."""
    traces = [read_trace(REFERENCE, *each, "auto") for each in zip(givens, answers, strict=True)]
    portions = [traces[start : start + CHUNK] for start in range(0, len(traces), CHUNK)]
    best = 0.0
    for _ in range(ROUNDS):
        groups = [group_of(REFERENCE, portion, REFERENCE.tolerances) for portion in portions]
        began = time.process_time()
        for group in groups:
            follow(group, {})
        best = max(best, 4 * len(traces) / (time.process_time() - began))
    return best


def _rate(function: Callable[[], object], count: int, times: int) -> float:
    """Return how many a second: the best of some rounds, in processor time."""
    best = 0.0
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(times):
            function()
        best = max(best, count * times / (time.process_time() - began))
    return best


def _figure(name: str, value: float, unit: str, floor: float) -> dict[str, object]:
    return {"name": name, "value": value, "unit": unit, "floor": floor, "ratio": value / floor}
