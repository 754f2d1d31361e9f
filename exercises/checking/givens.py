"""The values that an exercise starts from: read, bounded, refused with a reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Arrays = Mapping[str, FloatArray]

MAX_ENTRIES = 1_000
MAX_DEPTH = 3
_PLAIN = (int, float)


class GivenError(ValueError):
    """A given value that a reference cannot start from; the text says which and why."""


@dataclass(frozen=True)
class Given:
    """A value that an exercise starts from.

    ``shape`` names the axes (``("V",)``); equal names must have equal sizes. ``default``
    stands where nothing is given.
    """

    name: str
    shape: tuple[str, ...] = ()
    minimum: float = -1e300
    maximum: float = 1e300
    is_integer: bool = False
    above_minimum: bool = False
    default: float | None = None

    def read(self, value: object) -> FloatArray:
        """Return the value as a float64 array of the declared number of axes."""
        if not self.shape and type(value) in _PLAIN and self._takes(cast("float", value)):
            return np.array(value, dtype=np.float64)
        array = self._as_array(value)
        if array.ndim == len(self.shape) and 0 < array.size <= MAX_ENTRIES and self._all_in(array):
            return array
        self._refuse(array)
        return array

    def _refuse(self, array: FloatArray) -> None:
        """Say what is wrong with an array, if anything is."""
        if array.ndim != len(self.shape):
            raise GivenError(f"{self.name}: {self._wanted()} is needed.")
        if array.size == 0 or array.size > MAX_ENTRIES:
            raise GivenError(f"{self.name}: from 1 to {MAX_ENTRIES} entries are needed.")
        if not np.isfinite(array).all():
            raise GivenError(f"{self.name}: every entry must be a finite number.")
        if self.is_integer and (array != np.rint(array)).any():
            raise GivenError(f"{self.name}: whole numbers are needed.")
        low = array <= self.minimum if self.above_minimum else array < self.minimum
        if (low | (array > self.maximum)).any():
            least = "more than" if self.above_minimum else "from"
            raise GivenError(
                f"{self.name}: must lie {least} {self.minimum:g} and at most {self.maximum:g}."
            )

    def _all_in(self, array: FloatArray) -> bool:
        """Whether the bounds hold; what is not a number is in no bounds."""
        is_plain = not (self.is_integer or self.above_minimum)
        return is_plain and bool(array.min() >= self.minimum and array.max() <= self.maximum)

    def _takes(self, value: float) -> bool:
        """Whether a plain number is in order: the checks of ``read``, without arrays."""
        least = value > self.minimum if self.above_minimum else value >= self.minimum
        return least and value <= self.maximum and (not self.is_integer or value == value // 1)

    def _as_array(self, value: object) -> FloatArray:
        if _holds_other_than_numbers(value, MAX_DEPTH):
            raise GivenError(f"{self.name}: numbers are needed.")
        try:
            return np.asarray(value, dtype=np.float64)
        except (ValueError, TypeError, OverflowError) as error:
            raise GivenError(f"{self.name}: {self._wanted()} is needed.") from error

    def _wanted(self) -> str:
        if not self.shape:
            return "one number"
        return f"an array with axes ({', '.join(self.shape)})"


def _holds_other_than_numbers(value: object, depth: int) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in "bifu"
    if isinstance(value, list | tuple):
        if depth == 0 or len(value) > MAX_ENTRIES:
            return True
        return any(_holds_other_than_numbers(entry, depth - 1) for entry in value)
    return not isinstance(value, bool | int | float | np.number)
