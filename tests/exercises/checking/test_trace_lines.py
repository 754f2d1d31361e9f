"""Traces and references on the engine's command line."""

import json
import subprocess
import sys
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from exercises import references
from exercises.checking.chains import LineError, check_trace_line, reference_line
from tests.exercises.checking.tracing import LOGITS, RIGHT, statuses

TRACE: dict[str, Any] = {
    "id": "t1",
    "kind": "trace",
    "reference": "cross_entropy",
    "given": LOGITS,
    "answers": RIGHT,
}
CROSS_ENTROPY = references.get("cross_entropy")


def run(*lines: object) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "exercises.checking"],
        input="\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_trace_a_reference_and_what_cannot_be_answered() -> None:
    reference = {"id": "r1", "kind": "reference", "reference": "cross_entropy", "given": LOGITS}
    unusable = TRACE | {"id": "t2", "given": {"logits": [], "target": 0}}
    unknown = TRACE | {"id": "t3", "reference": "no_such"}

    trace, exact, *errors = run(TRACE, reference, unusable, unknown, TRACE | {"answers": 3})

    assert (trace["id"], statuses(trace), trace["score"]) == ("t1", ["right"] * 4, 1.0)
    assert exact["steps"]["loss"] == pytest.approx(0.4076059644443803, rel=1e-12)
    assert [each["verdict"] for each in errors] == ["error"] * 3
    assert [each["id"] for each in errors] == ["t2", "t3", "t1"]
    assert "logits" in errors[0]["message"]
    assert "cross_entropy" in errors[1]["message"]


@pytest.mark.parametrize("name", references.names())
def test_every_reference_answers_what_is_wrong_with_its_givens(name: str) -> None:
    for given in ({}, {"x": 1}, {each.name: "seven" for each in references.get(name).givens}):
        with pytest.raises(LineError, match=r"\w"):
            reference_line({"given": given}, references.get(name))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param({"answers": None}, "answers must be an object", id="no answers"),
        pytest.param({"answers": ["0.408"]}, "answers must be an object", id="a list of answers"),
        pytest.param({"given": None}, "given must be an object", id="no givens"),
        pytest.param({"given": [1]}, "given must be an object", id="a list of givens"),
        pytest.param({"decimal": "dot"}, "decimal must be one of", id="unknown decimal mark"),
        pytest.param({"decimal": ["auto"]}, "decimal must be one of", id="a list of marks"),
        pytest.param({"tolerance": {"rtol": -1}}, "rtol must be", id="negative tolerance"),
        pytest.param({"tolerance": 0.1}, "must be an object", id="tolerance as a number"),
        pytest.param({"tolerances": {"los": {}}}, "step name to tolerance", id="unknown step"),
        pytest.param({"tolerances": 3}, "step name to tolerance", id="tolerances as a number"),
    ],
)
def test_a_line_that_cannot_be_answered_says_why(change: dict[str, Any], says: str) -> None:
    with pytest.raises(LineError, match=says):
        check_trace_line(TRACE | change, CROSS_ENTROPY)


def test_a_reference_without_a_trace_is_refused() -> None:
    with pytest.raises(LineError, match="no trace"):
        check_trace_line(TRACE, references.get("checkpoint_resume"))


def test_tolerances_for_all_and_for_one_step() -> None:
    answers = {
        "exp": "7.389 2.718 1",
        "sum": "11.5",
        "softmax": "0.665 0.245 0.090",
        "loss": "0.42",
    }
    wide = TRACE | {"answers": answers, "tolerance": {"rtol": 0.05}}
    mixed = TRACE | {"tolerance": {"rtol": 0.05}, "tolerances": {"loss": {"decimals": 4}}}

    assert statuses(check_trace_line(wide, CROSS_ENTROPY)) == ["right"] * 4
    assert statuses(check_trace_line(mixed, CROSS_ENTROPY)) == ["right"] * 3 + ["coarse"]


def test_the_decimal_mark_of_a_line() -> None:
    line = TRACE | {"answers": {"exp": "7,389; 2,718; 1", "sum": "11,107"}, "decimal": "comma"}

    assert statuses(check_trace_line(line, CROSS_ENTROPY))[:2] == ["right", "right"]


def test_values_that_are_not_finite_are_text_in_json() -> None:
    line = {"id": "r", "given": {"seed": 18, "restored": ["weights"], "peak_lr": 1.2}}
    answered = reference_line(line, references.get("checkpoint_resume"))

    assert json.loads(json.dumps(answered, allow_nan=False)) == answered
    assert len(answered["steps"]["loss_curve"]) == 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
TYPED = st.text(alphabet="0123456789.,;[] -+eE/%nainf()∞×", max_size=40)
ANSWERS = st.dictionaries(
    st.sampled_from(["exp", "sum", "softmax", "loss", "other"]),
    TYPED | JSON | st.fixed_dictionaries({"operation": TYPED, "result": TYPED}),
)


@hypothesis.settings(max_examples=300, deadline=None)
@hypothesis.given(
    st.fixed_dictionaries({"answers": ANSWERS | JSON}, optional={"given": JSON, "decimal": JSON})
)
def test_any_line_is_answered_or_refused(change: dict[str, Any]) -> None:
    try:
        checked = check_trace_line(TRACE | change, CROSS_ENTROPY)
    except LineError:
        return

    assert json.loads(json.dumps(checked, allow_nan=False)) == checked
    assert [step["name"] for step in checked["steps"]] == ["exp", "sum", "softmax", "loss"]
    assert 0 <= checked["score"] <= 1


def test_no_message_gives_a_value_away() -> None:
    """Whatever is typed, no right value of a later or the same line is in any message."""
    exact = CROSS_ENTROPY.evaluate(LOGITS)
    secrets = {f"{number:.3f}" for number in (exact["sum"], exact["loss"])}
    for texts in (
        {"exp": "100 10 1", "sum": "3", "softmax": "0.667 0.333 0", "loss": "-0.4"},
        {"exp": "1 1 1", "sum": "inf", "softmax": "0.5", "loss": "4 %"},
        {"exp": "x", "sum": "1,234", "softmax": "66.5 24.5 9.00", "loss": {"operation": "1+"}},
    ):
        said = json.dumps(check_trace_line(TRACE | {"answers": texts}, CROSS_ENTROPY))
        assert not any(secret in said for secret in secrets)
