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

# Doubles that one call may hold at once; rows are taken in portions that respect it.
MAX_DOUBLES = 2_000_000


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

    def rows(self, chosen: npt.NDArray[np.intp] | slice) -> "Open":
        """Return the chosen rows."""
        others = tuple(other[chosen] for other in self.others)
        return Open(self.value[chosen], others, self.half[chosen])

    def wholes(self) -> list[FloatArray]:
        """Return the value and what else may have been meant, each with entries flat."""
        differing = (other for other in self.others if (other != self.value).any())
        return [_flat(self.value), *map(_flat, differing)]


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

    def rows(self, chosen: npt.NDArray[np.intp]) -> "Reach":
        """Return the chosen rows."""
        return self.map(lambda array: array[chosen])

    def map(self, change: Callable[[FloatArray], FloatArray]) -> "Reach":
        """Return the reach with each of its arrays changed in the same way."""
        return Reach(change(self.value), change(self.low), change(self.high))


def reach(
    function: Callable[[Mapping[str, FloatArray]], FloatArray],
    inputs: Mapping[str, Open],
    fixed: Arrays,
) -> Reach:
    """Return what ``function`` gives on the inputs, and how far their intervals carry.

    Parameters
    ----------
    function
        Takes inputs and givens by name; maps (..., *shape) to (..., *shape of the result).
    inputs
        Values with intervals, shape (n, *shape).
    fixed
        Givens, shape (n, *shape); they are taken as they are.

    Returns
    -------
    Reach
        Entries that are not finite somewhere in the interval reach from the smallest to
        the largest value that was met.
    """
    count = next(iter(inputs.values())).value.shape[0]
    entries = sum(open_.value[0].size for open_ in inputs.values())
    portion = max(1, MAX_DOUBLES // ((2 * entries + 3 ** len(inputs)) * (entries + 1)))
    if count <= portion:
        return _reach(function, inputs, fixed)
    parts = [
        _reach(
            function,
            {name: open_.rows(rows) for name, open_ in inputs.items()},
            {name: given[rows] for name, given in fixed.items()},
        )
        for rows in (slice(start, start + portion) for start in range(0, count, portion))
    ]
    return Reach(
        np.concatenate([part.value for part in parts]),
        np.concatenate([part.low for part in parts]),
        np.concatenate([part.high for part in parts]),
    )


def _reach(
    function: Callable[[Mapping[str, FloatArray]], FloatArray],
    inputs: Mapping[str, Open],
    fixed: Arrays,
) -> Reach:
    wholes = {name: open_.wholes() for name, open_ in inputs.items()}
    corners = list(product(*wholes.values()))
    movable = {
        name: np.flatnonzero(_flat(open_.half != 0).any(axis=0)) for name, open_ in inputs.items()
    }
    copies = len(corners) + 2 * sum(len(entries) for entries in movable.values())
    arguments = {
        name: np.broadcast_to(given, (copies, *given.shape)) for name, given in fixed.items()
    }
    first = len(corners)
    for place, (name, open_) in enumerate(inputs.items()):
        value, half = wholes[name][0], _flat(open_.half)
        moved = np.empty((copies, *value.shape))
        moved[:] = value
        moved[: len(corners)] = [corner[place] for corner in corners]
        for entry in movable[name]:
            moved[first, :, entry] -= half[:, entry]
            moved[first + 1, :, entry] += half[:, entry]
            first += 2
        arguments[name] = moved.reshape(copies, *open_.value.shape)
    return _span(function(arguments), len(corners))


def _flat(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array.reshape(array.shape[0], -1)


def _span(results: FloatArray, corners: int) -> Reach:
    value = results[0]
    if len(results) == 1:
        return Reach(value, value, value)
    low, high = results[:corners].min(axis=0), results[:corners].max(axis=0)
    if len(results) > corners:
        ends = results[corners:] - value
        low = low + np.minimum(np.minimum(ends[0::2], ends[1::2]), 0).sum(axis=0)
        high = high + np.maximum(np.maximum(ends[0::2], ends[1::2]), 0).sum(axis=0)
    broken = ~np.isfinite(results).all(axis=0)
    if broken.any():
        low = np.where(broken, np.fmin.reduce(results, axis=0), low)
        high = np.where(broken, np.fmax.reduce(results, axis=0), high)
    return Reach(value, low, high)
