"""How well the first break is found, on synthetic learners over random givens.

Chains with one fault of every kind, followed through or rejoined after it, rounded as
people round. The full size runs in the soak; a moderate one runs always.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from exercises import references
from exercises.checking.batches import check_traces
from exercises.checking.steps import FloatArray, Mistake, Reference, Step
from exercises.checking.variants import reasons_against
from tests.exercises.checking.learners import GIVENS, TRACES, Random, a_habit, of_mistake, write

Fault = Callable[[FloatArray, dict[str, FloatArray]], FloatArray]

FEW, MANY = 8, 100
SIZES = [FEW, pytest.param(MANY, marks=pytest.mark.soak)]


@dataclass
class Tally:
    """Counts over all chains, and the chains that missed."""

    chains: int = 0
    found: int = 0
    named: int = 0
    invented: int = 0
    missed: list[object] = field(default_factory=list)

    def add(self, found: bool, named: bool, invented: bool, about: object) -> None:
        self.chains += 1
        self.found += found
        self.named += named
        self.invented += invented
        if not (found and named) or invented:
            self.missed.append(about)


def cases_of(
    reference: Reference,
    size: int,
    random: Random,
    fault_of: Callable[[dict[str, Any]], Fault],
    at: str,
) -> Iterator[tuple[dict[str, Any], dict[str, str], bool]]:
    """Give discriminating givens, chains with the fault, and whether it was followed through."""
    while size:
        given = GIVENS[reference.name](random)
        if reasons_against(reference, given):
            continue  # the service would not hand it out
        follows = bool(random.random() < 0.75)
        written = write(
            reference, given, a_habit(random), fault=(at, fault_of(given)), from_exact=not follows
        )
        yield given, written.answers, follows
        size -= 1


def tally(
    reference: Reference,
    step: Step,
    cases: list[tuple[dict[str, Any], dict[str, str], bool]],
    counts: Tally,
    break_: str | None = None,
) -> None:
    results = check_traces(reference, [case[0] for case in cases], [case[1] for case in cases])
    for (given, answers, follows), checked in zip(cases, results, strict=True):
        first = checked["first_break"]
        found = first is not None and first["step"] == step.name
        named = found and (break_ is None or first["break"] == break_)
        invented = follows and found and len(checked["faults"]) > 1
        counts.add(found, named, invented, (reference.name, step.name, given, answers, first))


@pytest.mark.parametrize("size", SIZES)
def test_known_mistakes_are_found_and_named(size: int) -> None:
    random, counts = np.random.default_rng(11), Tally()
    for name in TRACES:
        reference = references.get(name)
        for step in reference.steps:
            for mistake in step.mistakes:

                def fault_of(
                    given: dict[str, Any], step: Step = step, made: Mistake = mistake
                ) -> Fault:
                    return of_mistake(reference, given, step, made, random)  # noqa: B023

                cases = list(cases_of(reference, size, random, fault_of, step.name))
                tally(reference, step, cases, counts, mistake.break_.value)

    assert counts.found >= 0.995 * counts.chains, counts.missed
    assert counts.named >= 0.99 * counts.chains, counts.missed
    assert counts.invented <= 0.005 * counts.chains, counts.missed


def slipped(value: FloatArray, random: Random) -> FloatArray:
    """Return the value with its largest entry off by five to sixty per cent."""
    value = np.array(value, dtype=np.float64)
    place = np.unravel_index(np.argmax(np.abs(value)), value.shape) if value.ndim else ()
    sign = -1 if random.random() < 0.5 else 1
    value[place] = value[place] * (1 + sign * random.uniform(0.05, 0.6)) or 1.5
    return value


KINDS: dict[str, Callable[[FloatArray, Random], FloatArray]] = {
    "slip": slipped,
    "sign": lambda value, _: -value,
    "order_of_magnitude": lambda value, random: value * 10.0 ** random.choice([-3, -2, -1, 1, 3]),
    "permuted": lambda value, _: np.roll(value, 1),
    "log_base": lambda value, _: value / math.log(2),
}


def applies(kind: str, step: Step) -> bool:
    if kind == "permuted":
        return bool(step.shape)
    if kind == "log_base":
        return step.is_logarithm
    return kind == "slip" or not step.is_count


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_other_faults_are_found(kind: str, size: int) -> None:
    random, counts = np.random.default_rng(12), Tally()
    for name in TRACES:
        reference = references.get(name)
        for step in (each for each in reference.steps if applies(kind, each)):
            cases: list[tuple[dict[str, Any], dict[str, str], bool]] = []
            while len(cases) < size:
                given = GIVENS[name](random)
                state = random.bit_generator.state

                def fault(value: FloatArray, _: object, step: Step = step) -> FloatArray:
                    if step.is_count:
                        return value + 1
                    return KINDS[kind](value, random)

                right = reference.exact_values(reference.read_given(given))[step.name]
                off = np.abs(fault(right, None) - right).max()
                if off <= 0.03 * np.abs(right).max():
                    continue  # the fault changes nothing that could be seen
                random.bit_generator.state = state
                follows = bool(random.random() < 0.75)
                written = write(
                    reference,
                    given,
                    a_habit(random),
                    fault=(step.name, fault),
                    from_exact=not follows,
                )
                cases.append((given, written.answers, follows))
            tally(reference, step, cases, counts)

    assert counts.found >= 0.995 * counts.chains, counts.missed
    assert counts.invented <= 0.005 * counts.chains, counts.missed


@pytest.mark.parametrize("gap", ["", "?", "1,234", None])
def test_a_line_that_is_missing_or_unreadable_is_found(gap: str | None) -> None:
    random, counts = np.random.default_rng(13), Tally()
    for name in TRACES:
        reference = references.get(name)
        for step in reference.steps:
            given = GIVENS[name](random)
            answers: dict[str, Any] = dict(write(reference, given, a_habit(random)).answers)
            answers[step.name] = gap
            tally(reference, step, [(given, answers, True)], counts)

    assert counts.found == counts.chains, counts.missed
    assert counts.invented == 0, counts.missed


@pytest.mark.parametrize("size", [200, pytest.param(1_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", TRACES)
def test_right_chains_raise_no_alarm(name: str, size: int) -> None:
    """Ten references: two thousand chains always, ten thousand in the soak."""
    random, reference = np.random.default_rng(14), references.get(name)
    givens = [GIVENS[name](random) for _ in range(size)]
    answers = [write(reference, given, a_habit(random)).answers for given in givens]

    alarms = [
        (given, typed, checked["first_break"])
        for given, typed, checked in zip(
            givens, answers, check_traces(reference, givens, answers), strict=True
        )
        if checked["faults"] or checked["score"] < 1
    ]

    assert alarms == []
