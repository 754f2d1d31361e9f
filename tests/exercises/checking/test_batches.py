"""Many traces at once give what each gives alone."""

import json
import tracemalloc
from itertools import repeat
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises import references
from exercises.checking.batches import check_traces, checked_traces
from exercises.checking.chains import check_trace
from exercises.checking.steps import GivenError
from exercises.checking.tolerance import Tolerance
from tests.exercises.checking.learners import GIVENS, TRACES, a_habit, typed, write

ODD = ("", "   ", "nan", "inf", "-inf", "0", "0.0", "-1", "1,234", "3 GB", "x", "1 2 3", "[1, 1]")
ODD_ARRAYS = ("[0, 0, 0]", "nan nan nan", "[inf, 1, 2]", "[[1, 2], [3, 4]]", "0.5", "[]", "1;1;1")
FACTORS = (1.0, 1.0, 1.0, 1.0, -1.0, 10.0, 0.01, 100.0, 1.001, 1.003, 1.01, 1.3, 0.0)


@st.composite
def traces(draw: st.DrawFn) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """A reference, givens, and answers that follow the chain more or less."""
    name = draw(st.sampled_from(TRACES))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    reference = references.get(name)
    case = GIVENS[name](random)
    step_at = draw(st.sampled_from(reference.step_names))
    factor = draw(st.sampled_from(FACTORS))
    habit = a_habit(random, least=draw(st.integers(1, 4)))
    written = write(
        reference,
        case,
        habit,
        fault=(step_at, lambda value, _: value * factor),
        from_exact=draw(st.booleans()),
    )
    answers: dict[str, Any] = dict(written.answers)
    for step in reference.steps:
        what = draw(st.integers(0, 11))
        if what == 0:
            del answers[step.name]
        elif what == 1:
            answers[step.name] = draw(st.sampled_from(ODD_ARRAYS if step.shape else ODD))
        elif what == 2:
            values = reference.exact_values(reference.read_given(case))
            mistake = draw(st.sampled_from(step.mistakes)) if step.mistakes else None
            if mistake is not None and not mistake.several:
                given_arrays = reference.read_given(case)
                with np.errstate(all="ignore"):
                    value = reference.call(step, mistake, given_arrays, values)
                answers[step.name] = typed(value, habit)
        elif what == 4 and step.shape:
            entries = answers[step.name].strip("[]").split(", ")
            entries = draw(st.sampled_from([entries[:-1], [*entries, "1"], entries[:1] * 7]))
            answers[step.name] = "[" + ", ".join(entries) + "]"
        elif what == 3:
            operation = draw(st.sampled_from(["1 + 1", "sum(exp)", "-log(softmax[0])", "2 *"]))
            answers[step.name] = {"operation": operation, "result": answers[step.name]}
    return name, case, answers


@settings(max_examples=120, deadline=None)
@given(st.lists(traces(), min_size=1, max_size=8))
def test_single_and_batch_are_identical(cases: list[tuple[str, dict[str, Any], Any]]) -> None:
    for name in {name for name, _, _ in cases}:
        reference = references.get(name)
        mine = [(case, answers) for other, case, answers in cases if other == name]
        together = check_traces(reference, [case for case, _ in mine], [a for _, a in mine])
        alone = [check_trace(reference, case, answers) for case, answers in mine]

        assert json.dumps(together) == json.dumps(alone)


@settings(max_examples=100, deadline=None)
@given(traces(), st.sampled_from([{"rtol": 0.01}, {"atol": 0.01}, {"rtol": 0, "atol": 0.1}]))
def test_single_and_batch_are_identical_at_other_tolerances(
    case: tuple[str, dict[str, Any], Any], rule: dict[str, float]
) -> None:
    name, givens, answers = case
    reference = references.get(name)
    tolerances = dict.fromkeys(reference.step_names, Tolerance.from_json(rule))

    alone = check_trace(reference, givens, answers, tolerances=tolerances)
    together = check_traces(reference, [givens] * 3, [answers] * 3, tolerances=tolerances)

    assert together == [alone] * 3


@pytest.mark.parametrize("chunk", [1, 2, 7, 1000])
def test_the_chunk_size_changes_nothing(chunk: int) -> None:
    random = np.random.default_rng(5)
    reference = references.get("cross_entropy")
    givens = [GIVENS["cross_entropy"](random) for _ in range(30)]
    answers = [write(reference, each, a_habit(random)).answers for each in givens]

    assert check_traces(reference, givens, answers, chunk=chunk) == check_traces(
        reference, givens, answers
    )


def test_givens_of_different_shapes_go_into_one_batch() -> None:
    reference = references.get("cross_entropy")
    givens = [{"logits": [2.0] * size, "target": 0} for size in (2, 3, 2, 5)]
    answers = [{"loss": text} for text in ("0.693", "1.099", "0.693", "1.609")]

    checked = check_traces(reference, givens, answers)

    assert [each["steps"][-1]["status"] for each in checked] == ["unsupported"] * 4


def test_a_trace_whose_givens_cannot_be_used_does_not_stop_the_others() -> None:
    reference = references.get("cross_entropy")
    good, bad = {"logits": [2, 1, 0], "target": 0}, {"logits": [2, 1, 0], "target": 9}

    checked = check_traces(reference, [good, bad, good], [{"loss": "0.408"}] * 3)

    assert [set(each) for each in checked] == [
        {"steps", "first_break", "faults", "score"},
        {"verdict", "message"},
        {"steps", "first_break", "faults", "score"},
    ]
    assert "target" in checked[1]["message"]
    with pytest.raises(GivenError, match="target"):
        check_trace(reference, bad, {})


def peak_of(count: int) -> int:
    """Return the peak of memory while so many traces are checked and let go."""
    reference, case = references.get("cross_entropy"), {"logits": [2, 1, 0], "target": 0}
    answers = {"exp": "7.389 2.718 1", "sum": "3", "softmax": "2.463 0.906 0.333", "loss": "-1"}
    tracemalloc.start()
    try:
        for _ in checked_traces(reference, repeat((case, answers), count), chunk=200):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_is_bounded_by_the_chunk_and_not_by_the_number_of_traces() -> None:
    peak_of(400)  # what is kept between runs is there from here on

    assert peak_of(4_000) < 2 * peak_of(400)


def test_long_vectors_are_taken_a_few_traces_at_a_time() -> None:
    reference = references.get("cross_entropy")
    case = {"logits": [each % 7 * 0.5 for each in range(400)], "target": 1}
    answers = {"exp": " ".join(["1", "2"] * 200), "sum": "700", "softmax": " ".join(["0"] * 400)}
    tracemalloc.start()
    try:
        checked = check_traces(reference, [case] * 20, [answers] * 20)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert checked == [checked[0]] * 20
    assert peak < 150_000_000


def test_as_many_givens_as_traces_are_needed() -> None:
    with pytest.raises(ValueError, match="zip"):
        check_traces(references.get("cross_entropy"), [], [{}])


def test_an_empty_batch_is_empty() -> None:
    assert check_traces(references.get("cross_entropy"), [], []) == []
