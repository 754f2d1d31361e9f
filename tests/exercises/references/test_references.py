"""References: stable, batched, with routes that agree, and clear about unusable givens."""

from typing import Any

import mpmath
import numpy as np
import pytest

from exercises import references
from exercises.checking.steps import GivenError, Mistake, Reference, Route, Step, routes
from exercises.references import UnknownReferenceError
from exercises.references.accumulation import to_bfloat16
from tests.exercises.checking.learners import GIVENS, TRACES
from tests.exercises.references.values import VALUES

CONTRACT = {
    "cross_entropy": ["exp", "sum", "softmax", "loss"],
    "stable_cross_entropy": ["max", "shifted", "exp", "sum", "log_softmax", "loss"],
    "softmax_gradient": ["softmax", "one_hot", "gradient"],
    "masked_mean_loss": ["valid_positions", "total", "mean"],
    "adamw_step": ["m", "v", "m_hat", "v_hat", "update", "weight"],
    "gradient_clipping": ["norm", "scale", "clipped"],
    "optimizer_memory": ["weights", "moments", "total", "ratio"],
    "resume_cost": ["weights_only", "full_checkpoint", "replay_seconds"],
    "recompute_cost": ["plain", "checkpointed", "overhead"],
    "bf16_accumulation": ["bf16", "fp32", "lost"],
    "checkpoint_resume": ["loss_before", "loss_curve", "spike"],
}


def test_names_and_steps_are_those_of_the_contract() -> None:
    assert {name: list(references.get(name).step_names) for name in references.names()} == CONTRACT


def test_units_counts_and_shapes() -> None:
    memory, masked = references.get("optimizer_memory"), references.get("masked_mean_loss")

    assert [step.unit for step in memory.steps] == ["byte", "byte", "byte", None]
    assert references.get("resume_cost").steps[2].unit == "second"
    assert [step.is_count for step in masked.steps] == [True, False, False]
    assert [step.shape for step in references.get("cross_entropy").steps] == [
        ("V",),
        (),
        ("V",),
        (),
    ]


@pytest.mark.parametrize("name", ["", "softmax", "CROSS_ENTROPY", "../x"])
def test_an_unknown_name_says_which_are_known(name: str) -> None:
    with pytest.raises(UnknownReferenceError, match="Known: cross_entropy"):
        references.get(name)


@pytest.mark.parametrize(("name", "given"), [(row[0], row[1]) for row in VALUES])
def test_every_route_agrees_with_the_exact_value(name: str, given: dict[str, Any]) -> None:
    reference = references.get(name)
    arrays = reference.read_given(given)
    exact = reference.exact_values(arrays)

    for step in reference.steps:
        for route in step.routes:
            found = reference.call(step, route, arrays, exact)
            # Routes may cancel where the exact function does not.
            np.testing.assert_allclose(found, exact[step.name], rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("name", TRACES)
def test_leading_axes_change_no_value(name: str) -> None:
    """Values, routes and mistakes of many givens at once are those of each alone."""
    reference, random = references.get(name), np.random.default_rng(3)
    singles = [reference.read_given(GIVENS[name](random)) for _ in range(60)]
    shape = {key: array.shape for key, array in singles[0].items()}
    alike = [each for each in singles if {k: a.shape for k, a in each.items()} == shape]
    stacked = {key: np.array([[each[key] for each in alike]]) for key in shape}

    together = reference.exact_values(stacked)
    for place, single in enumerate(alike):
        alone = reference.exact_values(single)
        for step in reference.steps:
            np.testing.assert_array_equal(together[step.name][0, place], alone[step.name])
            with np.errstate(all="ignore"):
                rules: tuple[Route | Mistake, ...] = (*step.routes, *step.mistakes)
                for rule in rules:
                    np.testing.assert_array_equal(
                        reference.call(step, rule, stacked, together)[0, place],
                        reference.call(step, rule, single, alone),
                    )


@pytest.mark.parametrize(
    "logits",
    [
        pytest.param([30.0, 0.0, -5.0], id="nearly certain"),
        pytest.param([700.0, -700.0], id="as far apart as plain logits may be"),
        pytest.param([0.5, 0.5, 0.5], id="ties"),
        pytest.param([1e-8, 0.0], id="nearly equal"),
        pytest.param([-40.0, -40.0, 3.0], id="ties far below"),
    ],
)
@pytest.mark.parametrize("target", [0, 1])
@pytest.mark.parametrize("name", ["cross_entropy", "stable_cross_entropy", "softmax_gradient"])
def test_stable_where_the_plain_form_cancels(name: str, logits: list[float], target: int) -> None:
    with mpmath.workdps(60):
        powers = [mpmath.exp(mpmath.mpf(each)) for each in logits]
        shares = [power / mpmath.fsum(powers) for power in powers]
        expected: dict[str, list[float] | float] = {
            "softmax": [float(each) for each in shares],
            "loss": float(-mpmath.log(shares[target])),
            "log_softmax": [float(mpmath.log(each)) for each in shares],
            "gradient": [float(each - (k == target)) for k, each in enumerate(shares)],
        }
    found = references.get(name).evaluate({"logits": logits, "target": target})

    for step in expected.keys() & found.keys():
        np.testing.assert_allclose(
            np.asarray(found[step]), expected[step], rtol=1e-12, atol=1e-300, err_msg=step
        )


@pytest.mark.parametrize("beta", ["0.9", "0.999", "0.99999", "0.9999999"])
@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_bias_correction_keeps_the_digits_of_a_decimal_rate(beta: str, step: int) -> None:
    given = {
        "weight": 0.5,
        "gradient": 0.3,
        "lr": 0.01,
        "beta1": float(beta),
        "beta2": float(beta),
        "eps": 1e-8,
        "weight_decay": 0.1,
        "step": step,
        "m": 0.02,
        "v": 0.01,
    }
    with mpmath.workdps(40):
        rate, g = mpmath.mpf(beta), mpmath.mpf("0.3")
        m = rate * mpmath.mpf("0.02") + (1 - rate) * g
        m_hat = m / (1 - rate**step)
    found = references.get("adamw_step").evaluate(given)

    assert found["m"] == pytest.approx(float(m), rel=1e-12)
    assert found["m_hat"] == pytest.approx(float(m_hat), rel=1e-12)


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        pytest.param(1.00390625, 1.0, id="a tie goes to the even neighbour"),
        pytest.param(1.01171875, 1.015625, id="a tie goes up to the even neighbour"),
        pytest.param(1.00390625 + 1e-12, 1.0078125, id="a hair above a tie is rounded once"),
        pytest.param(1.01171875 - 1e-12, 1.0078125, id="a hair below a tie is rounded once"),
        pytest.param(-1.00390625 - 1e-12, -1.0078125, id="negative"),
        pytest.param(0.0, 0.0, id="zero"),
        pytest.param(1e39, float("inf"), id="too large"),
    ],
)
def test_rounding_to_bfloat16(value: float, rounded: float) -> None:
    assert float(to_bfloat16(value)) == rounded


def test_a_hundred_thousand_additions_are_counted_out() -> None:
    found = references.get("bf16_accumulation").evaluate(
        {"start": 0.0, "increment": 1.0, "count": 100_000}
    )

    assert found == {"bf16": 256.0, "fp32": 100_000.0, "lost": 99_744.0}


def test_a_gradient_of_zeros_is_not_scaled() -> None:
    found = references.get("gradient_clipping").evaluate({"gradient": [0, 0], "max_norm": 1})

    assert found == {"norm": 0.0, "scale": 1.0, "clipped": [0.0, 0.0]}


def test_a_norm_does_not_overflow() -> None:
    given = {"gradient": [3e11, 4e11], "max_norm": 1}

    assert references.get("gradient_clipping").evaluate(given)["norm"] == pytest.approx(5e11)


LOGITS = {"logits": [2, 1, 0], "target": 0}
MASKED = {"token_losses": [[1.0, 0.5]], "mask": [[1, 0]]}
ACCUMULATED = {"start": 1, "increment": 0.1, "count": 3}


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        pytest.param("cross_entropy", {}, "not given: logits, target", id="nothing given"),
        pytest.param("cross_entropy", LOGITS | {"x": 1}, "unknown given: x", id="unknown"),
        pytest.param("cross_entropy", LOGITS | {"target": 3}, "from 0 to 2", id="target too large"),
        pytest.param("cross_entropy", LOGITS | {"target": -1}, "target: must lie", id="negative"),
        pytest.param("cross_entropy", LOGITS | {"target": 0.5}, "whole numbers", id="half"),
        pytest.param("cross_entropy", LOGITS | {"target": [0]}, "one number", id="a list"),
        pytest.param("cross_entropy", LOGITS | {"logits": 2}, r"axes \(V\)", id="a number"),
        pytest.param("cross_entropy", LOGITS | {"logits": []}, "1 to 1000 entries", id="empty"),
        pytest.param("cross_entropy", LOGITS | {"logits": [0] * 1001}, "numbers", id="too many"),
        pytest.param("cross_entropy", LOGITS | {"logits": [[1], [2, 3]]}, "logits", id="ragged"),
        pytest.param("cross_entropy", LOGITS | {"logits": ["1", 2]}, "numbers", id="text"),
        pytest.param("cross_entropy", LOGITS | {"logits": [None, 2]}, "numbers", id="null"),
        pytest.param("cross_entropy", LOGITS | {"logits": [float("nan")]}, "finite", id="nan"),
        pytest.param("cross_entropy", LOGITS | {"logits": [float("inf")]}, "finite", id="inf"),
        pytest.param("cross_entropy", LOGITS | {"logits": [701]}, "at most 700", id="overflow"),
        pytest.param("cross_entropy", LOGITS | {"logits": [10**400]}, "logits", id="huge integer"),
        pytest.param("cross_entropy", LOGITS | {"target": 10**400}, "target", id="huge target"),
        pytest.param("cross_entropy", LOGITS | {"logits": [[[[1]]]]}, "logits", id="too deep"),
        pytest.param("cross_entropy", 7, "must be named: logits, target", id="no object"),
        pytest.param("masked_mean_loss", MASKED | {"mask": [[1, 2]]}, "at most 1", id="mask of 2"),
        pytest.param("masked_mean_loss", MASKED | {"mask": [[1, 0.5]]}, "0 or 1", id="half mask"),
        pytest.param("masked_mean_loss", MASKED | {"mask": [[0, 0]]}, "at least one", id="no one"),
        pytest.param("masked_mean_loss", MASKED | {"mask": [[1]]}, "axis T", id="other shape"),
        pytest.param("bf16_accumulation", ACCUMULATED | {"count": 100_001}, "count", id="too long"),
        pytest.param("optimizer_memory", {"parameters": 0, "bytes_per_value": 4}, "from 1", id="0"),
        pytest.param(
            "optimizer_memory", {"parameters": 1, "bytes_per_value": 0}, "more than 0", id="0 bytes"
        ),
    ],
)
def test_unusable_givens_say_which_and_why(name: str, given: dict[str, Any], says: str) -> None:
    with pytest.raises(GivenError, match=says):
        references.get(name).read_given(given)


@pytest.mark.parametrize("mask", [[[True, False]], [[1.0, 0.0]], ((1, 0),), np.array([[1, 0]])])
def test_givens_may_be_written_in_other_ways(mask: object) -> None:
    found = references.get("masked_mean_loss").evaluate(MASKED | {"mask": mask})

    assert found["valid_positions"] == 1.0


def test_a_parameter_that_is_neither_a_given_nor_an_earlier_step_is_an_error_at_once() -> None:
    with pytest.raises(TypeError, match=r"small\.first: nothing is neither"):
        Reference("small", "", (), (Step("first", "", routes(lambda nothing: nothing)),))
