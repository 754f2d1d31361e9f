"""Variants: reproducible, discriminating, never the worked case or one already seen."""

from typing import Any

import numpy as np
import pytest

from exercises import references
from exercises.checking.discrimination import typed_to
from exercises.checking.drawing import GENERATOR_VERSION, Stream, VaryError
from exercises.checking.steps import FloatArray, Mistake, Reference, Step
from exercises.checking.variants import discrimination_report, draw, reasons_against
from exercises.checking.verdicts import Break
from tests.exercises.checking.small_chain import SMALL_CHAIN

LOGITS: dict[str, Any] = {"logits": [2, 1, 0], "target": 0}
VARY: dict[str, Any] = {"logits[0]": {"from": 1.2, "to": 3, "step": 0.1}, "target": [0, 1, 2]}
CROSS_ENTROPY = references.get("cross_entropy")


def drawn(learner: str, number: int = 1, **options: Any) -> dict[str, Any]:
    parts = ("exercise-1", learner, number)
    return draw(CROSS_ENTROPY, LOGITS, VARY, seed_parts=parts, **options).given


def test_the_same_seed_gives_the_same_case_for_ever() -> None:
    variant = draw(CROSS_ENTROPY, LOGITS, VARY, seed_parts=("exercise-1", "ada", 1))

    assert variant.given == {"logits": [1.7, 1, 0], "target": 0}
    assert variant.generator_version == GENERATOR_VERSION == "sha256-counter-1"
    assert variant.seed_parts == ("exercise-1", "ada", "1")


def test_the_stream_is_what_it_was_when_the_first_case_was_stored() -> None:
    stream = Stream(("exercise-1", "ada", 1))

    assert [stream.below(1000) for _ in range(5)] == [391, 4, 171, 999, 19]


def test_learners_and_case_numbers_get_cases_of_their_own() -> None:
    cases = [drawn(f"learner-{each}", number) for each in range(20) for number in (1, 2)]

    assert len({str(case) for case in cases}) > 20


def test_values_are_exact_decimals() -> None:
    cases = [drawn(f"learner-{each}")["logits"][0] for each in range(200)]

    assert set(cases) <= {round(1.2 + 0.1 * step, 1) for step in range(19)}
    assert {1.2, 3.0} <= set(cases)


def test_whole_numbers_stay_whole() -> None:
    vary = {"logits[1]": {"from": -1, "to": 1, "step": 1}}
    variant = draw(CROSS_ENTROPY, LOGITS, vary, seed_parts=("e", "l", 1))

    assert type(variant.given["logits"][1]) is int  # type: ignore[index] # a list by construction


def test_the_worked_case_is_never_drawn() -> None:
    assert LOGITS not in [drawn(f"learner-{each}") for each in range(300)]


def test_a_case_that_was_seen_is_not_drawn_again() -> None:
    seen: list[dict[str, Any]] = []
    for number in range(40):
        case = drawn("ada", number, seen=seen)
        assert case not in seen
        seen.append(case)


def test_nothing_is_drawn_when_every_case_was_seen() -> None:
    vary = {"logits[0]": [2, 2.5]}
    seen = [{"logits": [2.5, 1, 0], "target": 0}]

    with pytest.raises(VaryError, match="no new discriminating variant"):
        draw(CROSS_ENTROPY, LOGITS, vary, seed_parts=("e", "l", 1), seen=seen)


def test_the_givens_are_left_as_they_were() -> None:
    given = {"logits": [2, 1, 0], "target": 0}
    draw(CROSS_ENTROPY, given, VARY, seed_parts=("e", "l", 1))

    assert given == {"logits": [2, 1, 0], "target": 0}


def test_entries_of_a_matrix_and_whole_arrays_are_drawn() -> None:
    given = {"token_losses": [[1.0, 0.5], [0.9, 0.2]], "mask": [[1, 1], [1, 0]]}
    vary = {"token_losses[1][0]": [0.7], "mask": [[[1, 1], [0, 0]], [[1, 0], [1, 1]]]}
    masked = references.get("masked_mean_loss")

    case: dict[str, Any] = draw(masked, given, vary, seed_parts=("e", "l", 2)).given

    assert case["token_losses"] == [[1.0, 0.5], [0.7, 0.2]]
    assert case["mask"] == [[1, 0], [1, 1]]


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        pytest.param(
            "cross_entropy",
            {"logits": [0, 0], "target": 0},
            "exp: power_of_ten would pass for right",
            id="a mistake that gives the right value",
        ),
        pytest.param(
            "cross_entropy",
            {"logits": [1, 1, 0], "target": 0},
            "loss: wrong_target would pass for right",
            id="one of the wrong targets gives the right value",
        ),
        pytest.param(
            "adamw_step",
            {
                "weight": 0.5,
                "gradient": 0.2,
                "lr": 0.1,
                "beta1": 0.9,
                "beta2": 0.999,
                "eps": 1e-8,
                "weight_decay": 0.01,
                "step": 1,
                "m": 0,
                "v": 0,
            },
            "update: decay_forgotten would pass for right",
            id="told apart, but not when typed to three digits",
        ),
        pytest.param(
            "gradient_clipping",
            {"gradient": [3, 4], "max_norm": 100},
            "clipped: entry_by_entry would pass for right",
            id="nothing to clip",
        ),
        pytest.param(
            "cross_entropy",
            {"logits": [2, 1, 0], "target": 3},
            "givens that cannot be used: target",
            id="unusable",
        ),
    ],
)
def test_a_case_that_does_not_discriminate_says_why(
    name: str, given: dict[str, Any], says: str
) -> None:
    reasons = reasons_against(references.get(name), given)

    assert any(reason.startswith(says) for reason in reasons)


def test_two_mistakes_with_different_breaks_must_differ() -> None:
    doubled = SMALL_CHAIN.steps[2].mistakes[0]

    def also_doubled(plus_five: FloatArray) -> FloatArray:
        return 2 * plus_five + 0.001

    other = Mistake("scope", Break.CLAIM_SCOPE, also_doubled, "Look at the scope.")
    last = SMALL_CHAIN.steps[2]
    chain = Reference(
        "small",
        "Small",
        SMALL_CHAIN.givens,
        (*SMALL_CHAIN.steps[:2], Step(last.name, "", last.routes, mistakes=(doubled, other))),
    )

    assert reasons_against(chain, {"start": 4}) == ("squared: doubled and scope coincide",)


def test_a_cases_right_and_wrong_values_differ_when_typed_to_three_digits() -> None:
    for each in range(50):
        given = drawn(f"learner-{each}")
        exact = CROSS_ENTROPY.exact_values(CROSS_ENTROPY.read_given(given))
        right = f"{float(exact['loss']):.3g}"
        p = exact["softmax"]
        for wrong in (np.log(p), -np.log10(p), p):
            assert f"{float(wrong[int(given['target'])]):.3g}" != right


def test_the_report_of_ten_thousand_draws() -> None:
    report = discrimination_report(CROSS_ENTROPY, LOGITS, VARY)

    assert report.draws == 10_000
    assert report.discriminates
    assert 0.9 < report.rate < 1
    assert set(report.margins) == {
        (step.name, mistake.name) for step in CROSS_ENTROPY.steps for mistake in step.mistakes
    }
    assert all(margin > 0.005 for margin in report.margins.values())
    assert report.reasons["the worked case"] == 10_000 - report.accepted


def test_a_vary_that_hardly_ever_discriminates_is_refused_with_the_draws_that_show_it() -> None:
    vary = {"logits": [[0, 0, 0], [1, 1, 1], [1, 1, 2]]}
    report = discrimination_report(CROSS_ENTROPY, LOGITS, vary, draws=300)

    assert not report.discriminates
    assert report.rate == 0
    given, reasons = report.refused[0]
    assert given["logits"] in vary["logits"]
    assert any("would pass for right" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("vary", "says"),
    [
        pytest.param({}, "from 1 to 100 paths", id="nothing"),
        pytest.param({"weights": [1]}, "weights is not among the givens", id="unknown name"),
        pytest.param({"logits[3]": [1]}, "no such entry", id="no such entry"),
        pytest.param({"target[0]": [1]}, "no such entry", id="index into a number"),
        pytest.param({"logits[-1]": [1]}, "write a path like", id="negative index"),
        pytest.param({"logits[0]": []}, "choices are needed", id="no choices"),
        pytest.param({"logits[0]": 3}, "write a list of choices", id="no list"),
        pytest.param({"logits[0]": {"from": 1, "to": 2}}, "from, to and step", id="no step"),
        pytest.param({"logits[0]": {"from": 1, "to": 2, "step": 0}}, "more than 0", id="step 0"),
        pytest.param({"logits[0]": {"from": 2, "to": 1, "step": 1}}, "at most to", id="backwards"),
        pytest.param({"logits[0]": {"from": 0, "to": 1, "step": 1e-9}}, "more than", id="endless"),
        pytest.param({"logits[0]": {"from": "x", "to": 1, "step": 1}}, "a number", id="a word"),
        pytest.param({"logits[0]": {"from": "nan", "to": 1, "step": 1}}, "finite", id="nan"),
    ],
)
def test_refuses_a_vary_that_it_cannot_draw_from(vary: dict[str, Any], says: str) -> None:
    with pytest.raises(VaryError, match=says):
        draw(CROSS_ENTROPY, LOGITS, vary, seed_parts=("e", "l", 1))


@pytest.mark.parametrize(
    ("value", "typed", "half"),
    [
        pytest.param(0.40761, 0.408, 0.0005, id="below one"),
        pytest.param(-11.107, -11.1, 0.05, id="negative"),
        pytest.param(56e9, 56e9, 5e7, id="large"),
        pytest.param(0.0, 0.0, 0.005, id="zero"),
    ],
)
def test_typed_to_three_digits(value: float, typed: float, half: float) -> None:
    rounded, halves = typed_to(np.array(value), 3)

    assert float(rounded) == pytest.approx(typed, rel=1e-12)
    assert float(halves) == pytest.approx(half)


def test_the_stream_is_even() -> None:
    stream = Stream(("even",))
    counts = np.bincount([stream.below(7) for _ in range(7000)], minlength=7)

    assert counts.min() > 880
    assert counts.max() < 1120
