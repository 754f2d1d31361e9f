"""Synthetic learners: chains as people write them, with faults put in on purpose."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from exercises import references
from exercises.checking.steps import FloatArray, Mistake, Reference, Step

Random = np.random.Generator
TRACES = tuple(name for name in references.names() if references.get(name).is_trace)


def _logits(random: Random, size: float, shift: float = 0.0) -> dict[str, Any]:
    classes = int(random.integers(2, 6))
    logits = [round(float(each) + shift, 1) for each in random.uniform(-size, size, classes)]
    return {"logits": logits, "target": int(random.integers(classes))}


def _masked(random: Random) -> dict[str, Any]:
    rows, columns = int(random.integers(2, 4)), int(random.integers(2, 6))
    kept = [int(each) for each in random.integers(1, columns + 1, rows)]
    losses = random.uniform(0.1, 3, (rows, columns))
    return {
        "token_losses": [[round(float(each), 2) for each in row] for row in losses],
        "mask": [[int(column < keep) for column in range(columns)] for keep in kept],
    }


def _adamw(random: Random) -> dict[str, Any]:
    is_first = random.random() < 0.5
    return {
        "weight": round(float(random.uniform(-2, 2)), 2),
        "gradient": round(float(random.uniform(-1.5, 1.5)), 2) or 0.2,
        "lr": float(random.choice([0.1, 0.01, 0.001])),
        "beta1": 0.9,
        "beta2": float(random.choice([0.999, 0.99])),
        "eps": 1e-8,
        "weight_decay": float(random.choice([0.0, 0.01, 0.1, 0.5])),
        "step": 1 if is_first else int(random.integers(2, 50)),
        "m": 0 if is_first else round(float(random.uniform(-0.5, 0.5)), 3),
        "v": 0 if is_first else round(float(random.uniform(0.001, 0.5)), 4),
    }


def _clipping(random: Random) -> dict[str, Any]:
    size = int(random.integers(2, 5))
    gradient = [round(float(each), 2) for each in random.uniform(-5, 5, size)]
    return {"gradient": gradient, "max_norm": float(random.choice([0.5, 1.0, 2.0, 20.0]))}


def _memory(random: Random) -> dict[str, Any]:
    return {
        "parameters": int(random.choice([125_000_000, 1_300_000_000, 7_000_000_000])),
        "bytes_per_value": int(random.choice([1, 2, 4, 8])),
    }


def _resume(random: Random) -> dict[str, Any]:
    lost = {
        "steps_lost": int(random.integers(1, 5000)),
        "seconds_per_step": round(float(random.uniform(0.5, 10)), 2),
    }
    return _memory(random) | lost


def _accumulation(random: Random) -> dict[str, Any]:
    return {
        "start": round(float(random.uniform(0.5, 2)), 2),
        "increment": float(random.choice([0.01, 0.001, 0.0001])),
        "count": int(random.choice([10, 100, 400])),
    }


GIVENS: Mapping[str, Callable[[Random], dict[str, Any]]] = {
    "cross_entropy": lambda random: _logits(random, 4),
    "stable_cross_entropy": lambda random: _logits(
        random, 4, float(random.choice([0, 100, 1000, -500]))
    ),
    "softmax_gradient": lambda random: _logits(random, 4),
    "masked_mean_loss": _masked,
    "adamw_step": _adamw,
    "gradient_clipping": _clipping,
    "optimizer_memory": _memory,
    "resume_cost": _resume,
    "recompute_cost": lambda random: {
        "forward": round(float(random.uniform(0.5, 3)), 2),
        "backward": round(float(random.uniform(0.5, 6)), 2),
    },
    "bf16_accumulation": _accumulation,
}


@dataclass(frozen=True)
class Habit:
    """How one person writes: digits, decimal places or significant, and what is kept in mind.

    ``keeps_digits`` says, by turns, whether the person goes on with all digits of the
    calculator or with what is on paper.
    """

    digits: int = 3
    by_places: bool = False
    keeps_digits: tuple[bool, ...] = (False,)


KEEPING = ((False,), (True,), (True, False), (False, True), (True, False, False))


def a_habit(random: Random, least: int = 3) -> Habit:
    return Habit(
        digits=int(random.integers(least, 7)),
        by_places=bool(random.random() < 0.3),
        keeps_digits=KEEPING[int(random.integers(len(KEEPING)))],
    )


def typed(value: FloatArray, habit: Habit) -> str:
    """Write a number or a vector as this person does."""
    value = np.asarray(value)
    largest = float(np.abs(value).max(initial=0.0, where=np.isfinite(value)))
    # People who write decimal places write as many as leave the digits of the largest entry.
    by_places = habit.by_places and 0.1 <= largest < 1000
    entries = [_number(float(each), habit.digits, by_places) for each in value.ravel()]
    return entries[0] if value.ndim == 0 else "[" + ", ".join(entries) + "]"


def _number(value: float, digits: int, by_places: bool) -> str:
    if not math.isfinite(value):
        return str(value)
    if by_places:
        return f"{value:.{digits}f}"
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}"))))
    if -5 <= exponent < digits + 3:
        return f"{value:.{max(0, digits - 1 - exponent)}f}"
    return f"{value:.{digits - 1}e}"


@dataclass
class Written:
    """A trace as written, with the values that the person holds after each step."""

    answers: dict[str, str]
    values: dict[str, FloatArray]


def write(
    reference: Reference,
    given: Mapping[str, Any],
    habit: Habit,
    *,
    fault: tuple[str, Callable[[FloatArray, dict[str, FloatArray]], FloatArray]] | None = None,
    from_exact: bool = False,
) -> Written:
    """Write a trace line by line; ``fault`` replaces the value of one step by another.

    After a fault the chain goes on from the person's own values, or (``from_exact``) from
    the right ones, as somebody does who copies the rest.
    """
    arrays = reference.read_given(given)
    exact = reference.exact_values(arrays)
    held: dict[str, FloatArray] = {}
    answers: dict[str, str] = {}
    with np.errstate(all="ignore"):
        for place, step in enumerate(reference.steps):
            value = exact[step.name] if from_exact else _next(reference, step, arrays, held, exact)
            if fault is not None and fault[0] == step.name:
                value = np.asarray(fault[1](value, held))
            answers[step.name] = typed(value, _count_habit(step, habit))
            kept = _read_back(answers[step.name], value)
            keeps = habit.keeps_digits[place % len(habit.keeps_digits)]
            held[step.name] = value if keeps else kept
    return Written(answers, held)


def _count_habit(step: Step, habit: Habit) -> Habit:
    return Habit(digits=12) if step.is_count else habit


def _next(
    reference: Reference,
    step: Step,
    arrays: dict[str, FloatArray],
    held: dict[str, FloatArray],
    exact: dict[str, FloatArray],
) -> FloatArray:
    route = step.routes[0]
    if not reference.inputs(step, route):
        return exact[step.name]
    return reference.call(step, route, arrays, held)


def _read_back(text: str, value: FloatArray) -> FloatArray:
    entries = [float(each) for each in text.strip("[]").split(", ")]
    return np.array(entries).reshape(np.shape(value))


def of_mistake(
    reference: Reference, given: Mapping[str, Any], step: Step, mistake: Mistake, random: Random
) -> Callable[[FloatArray, dict[str, FloatArray]], FloatArray]:
    """Return the fault of somebody who makes a known mistake on their own values."""
    arrays = reference.read_given(given)

    def replaced(_: FloatArray, held: dict[str, FloatArray]) -> FloatArray:
        value = reference.call(step, mistake, arrays, held)
        if not mistake.several:
            return value
        gives = np.flatnonzero(~np.isnan(value))
        return np.asarray(value[..., random.choice(gives)]) if gives.size else value[..., 0]

    return replaced
