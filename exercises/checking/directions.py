"""Prediction against observation: the first step whose direction of change contradicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from exercises.checking.steps import FloatArray, GivenError, Reference

UP, DOWN, SAME, MIXED = "up", "down", "same", "mixed"
DIRECTIONS = (UP, DOWN, SAME)
# Changes below this share of a value are round-off, not a direction.
LEAST_CHANGE = 1e-12

Direction = str | list[str]


class PredictionError(ValueError):
    """A prediction that names no step or no direction; the text says which."""


@dataclass(frozen=True)
class Contradiction:
    """The first step whose direction of change is not the predicted one.

    ``observed`` is a direction for each entry of an array. ``directions`` holds one word
    for each step of the chain, ``mixed`` where entries move differently.
    """

    step: str
    predicted: Direction
    observed: Direction
    directions: Mapping[str, str]


def first_contradiction(
    reference: Reference,
    given: Mapping[str, object],
    variation: Mapping[str, object],
    prediction: str | Mapping[str, Direction],
) -> Contradiction | None:
    """Return the first operation that contradicts a prediction, or None where none does.

    Parameters
    ----------
    given, variation
        The givens before the change, and those that change (all or some).
    prediction
        ``up``, ``down`` or ``same`` for the last step; or by step, with one direction for
        the whole or a list with one for each entry. A direction alone holds for an array
        where every entry that moves does so.

    Notes
    -----
    A prediction of the last step that fails is traced back: the first step of the chain
    that moves in another single direction is where the predicted direction turns. Steps
    whose entries move differently have no single direction and are passed over.
    """
    before = reference.exact_values(reference.read_given(given))
    after = reference.exact_values(reference.read_given({**given, **variation}))
    moves = {name: _moves(before[name], after[name]) for name in reference.step_names}
    words = {name: _word(move) for name, move in moves.items()}
    if isinstance(prediction, str):
        _check(prediction)
        last = reference.step_names[-1]
        if words[last] == prediction:
            return None
        names = [*(n for n in reference.step_names[:-1] if words[n] != MIXED), last]
        predicted: dict[str, Direction] = dict.fromkeys(names, prediction)
    else:
        predicted = _by_step(reference, prediction)
    for name in reference.step_names:
        if name in predicted and not _holds(predicted[name], moves[name]):
            return Contradiction(name, predicted[name], moves[name], words)
    return None


def _by_step(reference: Reference, prediction: Mapping[str, Direction]) -> dict[str, Direction]:
    for name, direction in prediction.items():
        if name not in reference.step_names:
            raise PredictionError(f"{str(name)[:40]} is no step of {reference.name}.")
        for each in direction if isinstance(direction, list) else [direction]:
            _check(each)
    return dict(prediction)


def _check(direction: object) -> None:
    if direction not in DIRECTIONS:
        raise PredictionError(f"a direction is one of {', '.join(DIRECTIONS)}.")


def _moves(before: FloatArray, after: FloatArray) -> Direction:
    if before.shape != after.shape:
        raise GivenError("the variation must keep the shapes of the givens.")
    change = after - before
    change = np.where(np.abs(change) <= LEAST_CHANGE * np.abs(before), 0.0, change)
    words = np.select([change > 0, change < 0], [UP, DOWN], SAME).tolist()
    return words if isinstance(words, str) else np.ravel(words).tolist()


def _word(moves: Direction) -> str:
    if isinstance(moves, str):
        return moves
    moving = {each for each in moves if each != SAME}
    return MIXED if len(moving) > 1 else moving.pop() if moving else SAME


def _holds(predicted: Direction, moves: Sequence[str] | str) -> bool:
    if isinstance(predicted, list):
        return predicted == ([moves] if isinstance(moves, str) else list(moves))
    return predicted == _word(moves if isinstance(moves, str) else list(moves))
