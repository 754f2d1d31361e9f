"""What follows from a learner's own values, with what their typed digits leave open.

The step functions are called once, on copies of the inputs in which one entry at a
time sits at either end of its interval; the copies lie along one more leading axis.
The reach of the result is the sum of the reaches of the single entries.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exercises.checking.steps import Arrays, FloatArray

# Doubles that one call may hold at once; rows are taken in portions that respect it.
MAX_DOUBLES = 2_000_000


@dataclass(frozen=True)
class Open:
    """An input with an interval for each entry; all three of shape (n, *shape)."""

    value: FloatArray
    low: FloatArray
    high: FloatArray

    def rows(self, chosen: npt.NDArray[np.intp] | slice) -> "Open":
        """Return the chosen rows."""
        return Open(self.value[chosen], self.low[chosen], self.high[chosen])


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
    portion = max(1, MAX_DOUBLES // ((2 * entries + 1) * (entries + 1)))
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
    movable = {
        name: np.flatnonzero(_flat(open_.high != open_.low).any(axis=0))
        for name, open_ in inputs.items()
    }
    copies = 1 + 2 * sum(len(entries) for entries in movable.values())
    arguments = {
        name: np.broadcast_to(given, (copies, *given.shape)) for name, given in fixed.items()
    }
    first = 1
    for name, open_ in inputs.items():
        shape = open_.value.shape
        moved = np.empty((copies, shape[0], open_.value[0].size))
        moved[:] = _flat(open_.value)
        last = first + 2 * len(movable[name])
        _move(moved[first:last], movable[name], _flat(open_.low), _flat(open_.high))
        arguments[name] = moved.reshape(copies, *shape)
        first = last
    return _span(function(arguments))


def _flat(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    return array.reshape(array.shape[0], -1)


def _move(
    moved: FloatArray,
    entries: Sequence[int] | npt.NDArray[np.intp],
    low: npt.NDArray[np.generic],
    high: npt.NDArray[np.generic],
) -> None:
    for copy, entry in enumerate(entries):
        moved[2 * copy, :, entry] = low[:, entry]
        moved[2 * copy + 1, :, entry] = high[:, entry]


def _span(results: FloatArray) -> Reach:
    value = results[0]
    if len(results) == 1:
        return Reach(value, value, value)
    ends = results[1:] - value
    up = np.maximum(np.maximum(ends[0::2], ends[1::2]), 0).sum(axis=0)
    down = np.minimum(np.minimum(ends[0::2], ends[1::2]), 0).sum(axis=0)
    low, high = value + down, value + up
    broken = ~np.isfinite(results).all(axis=0)
    if broken.any():
        low = np.where(broken, np.fmin.reduce(results, axis=0), low)
        high = np.where(broken, np.fmax.reduce(results, axis=0), high)
    return Reach(value, low, high)
