"""What follows from a learner's own values, with what their typed digits leave open.

The step functions are called once, on copies of the inputs that lie along one more
leading axis. After right or coarse inputs the copies hold each input as typed or as the
exact value, in every combination, and the reach is what lies between the results. After
other inputs they hold one entry at a time at either end of what its digits leave open,
and the reach is the sum of the reaches of the single entries.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.checking.steps import Arrays, FloatArray

Chosen = npt.NDArray[np.intp] | slice


@dataclass(frozen=True)
class Open:
    """A typed input and what it leaves open; arrays of shape (n, *shape).

    Attributes
    ----------
    value
        What was typed.
    others
        What may have been meant in its stead, each as a whole: the exact value after a right
        or coarse one.
    half
        How far each entry is open to both sides: half a unit of its last digit, or 0.
    """

    value: FloatArray
    others: tuple[FloatArray, ...]
    half: FloatArray

    def wholes(self) -> list[FloatArray]:
        """Return the value and what else may have been meant, each with entries flat."""
        differing = (other for other in self.others if (other != self.value).any())
        return [_flat(self.value), *map(_flat, differing)]


@dataclass(frozen=True)
class Copies:
    """Inputs and givens on the copies' axis; arrays of shape (copies, n, *shape).

    The first ``corners`` copies hold every input as a whole, the others come in pairs with
    one entry moved down and up. ``has_exact``: one more copy, the last, holds exact inputs.
    """

    arguments: Arrays
    corners: int
    has_exact: bool = False

    def span(self, results: FloatArray) -> "Reach":
        """Return how far the results of a function on these copies reach.

        Entries that are not finite somewhere reach from the smallest to the largest value
        that was met.
        """
        if self.has_exact:
            results = results[:-1]
        value = results[0]
        if len(results) == 1:
            return Reach(value, value, value)
        with np.errstate(invalid="ignore", over="ignore"):
            low, high = self._ends(results, value)
        finite = np.isfinite(results)
        if not finite.all():
            broken = ~finite.all(axis=0)
            low = np.where(broken, np.fmin.reduce(results, axis=0), low)
            high = np.where(broken, np.fmax.reduce(results, axis=0), high)
        return Reach(value, low, high)

    def _ends(self, results: FloatArray, value: FloatArray) -> tuple[FloatArray, FloatArray]:
        whole = results[: self.corners]
        low, high = whole.min(axis=0), whole.max(axis=0)
        if len(results) > self.corners:
            moved = results[self.corners :] - value
            down, up = moved[0::2], moved[1::2]
            low = low + np.minimum(np.minimum(down, up), 0).sum(axis=0)
            high = high + np.maximum(np.maximum(down, up), 0).sum(axis=0)
        return low, high


@dataclass(frozen=True)
class Reach:
    """The value that follows, and the interval around it; all of shape (n, *shape)."""

    value: FloatArray
    low: FloatArray
    high: FloatArray

    def nearest(self, typed: FloatArray) -> FloatArray:
        """Return the point of the interval that lies nearest to what was typed."""
        near = np.minimum(np.maximum(typed, self.low), self.high)
        return np.where(np.isnan(typed), self.value, near)

    def rows(self, chosen: Chosen) -> "Reach":
        """Return the chosen rows."""
        return self.map(lambda array: array[chosen])

    def map(self, change: Callable[[FloatArray], FloatArray]) -> "Reach":
        """Return the reach with each of its arrays changed in the same way."""
        return Reach(change(self.value), change(self.low), change(self.high))


def copies_of(inputs: Mapping[str, Open], fixed: Arrays, exact: Arrays | None = None) -> Copies:
    """Return copies of the inputs, and the givens beside them.

    Parameters
    ----------
    inputs
        What was typed and what it leaves open, shape (n, *shape).
    fixed
        Givens, shape (n, *shape); they are the same on every copy.
    exact
        The exact values of the inputs, to stand on a last copy.
    """
    wholes = {name: open_.wholes() for name, open_ in inputs.items()}
    corners = list(product(*wholes.values()))
    movable = {
        name: np.flatnonzero(_flat(open_.half).any(axis=0)) for name, open_ in inputs.items()
    }
    moves = 2 * sum(len(entries) for entries in movable.values())
    count = len(corners) + moves + (exact is not None)
    arguments = {
        name: np.broadcast_to(given, (count, *given.shape)) for name, given in fixed.items()
    }
    first = len(corners)
    for place, (name, open_) in enumerate(inputs.items()):
        value, half = wholes[name][0], _flat(open_.half)
        moved = np.empty((count, *value.shape))
        moved[:] = value
        for copy, corner in enumerate(corners):
            if corner[place] is not value:
                moved[copy] = corner[place]
        for entry in movable[name]:
            moved[first, :, entry] -= half[:, entry]
            moved[first + 1, :, entry] += half[:, entry]
            first += 2
        if exact is not None:
            moved[-1] = _flat(exact[name])
        arguments[name] = moved.reshape(count, *open_.value.shape)
    return Copies(arguments, len(corners), exact is not None)


def _flat(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array.reshape(array.shape[0], -1)
