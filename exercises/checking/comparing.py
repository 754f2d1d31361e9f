"""Compare what was read with a reference: one rule, for one answer and for many at once.

The rule, entry by entry (the worst entry decides), with *scale* the reference's largest absolute
entry and *off* the distance from the value to the reference (or to the interval it may lie in):

- ``off <= max(rtol * scale, 1e-15)`` is right (``atol``, where given, instead of 1e-15);
- else ``off <= half`` a unit of the last typed digit, the reference rounded as typed, is right
  where ``half <= scale / 100`` and else coarse where the value is not zero; ``atol`` alone
  leaves this out;
- else it is wrong.

Every bound is inclusive and carries a slack for binary round-off: one part in 1e12 of the bound
and four units in the last place of the scale.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from exercises.checking.reading.typed import FloatArray, Typed
from exercises.checking.tolerance import Tolerance
from exercises.checking.verdicts import Verdict

RIGHT, COARSE, WRONG = 0, 1, 2
VERDICTS = (Verdict.RIGHT, Verdict.COARSE, Verdict.WRONG)

FLOOR = 1e-15
ROUNDED_SHARE = 0.01
INCLUSIVE = 1 + 1e-12
ROUND_OFF = 4 * float(np.finfo(np.float64).eps)


def judge(  # noqa: PLR0913 - the interval and the scale are separate questions of a chain
    values: ArrayLike,
    halves: ArrayLike,
    expected: ArrayLike,
    tolerance: Tolerance,
    *,
    scale: ArrayLike | None = None,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    entry_axes: int = 0,
) -> NDArray[np.int8]:
    """Judge many answers at once.

    Parameters
    ----------
    values, halves : array of float64, shape (..., *entries)
        What was typed, and half a unit of each last typed digit (0.0: no last digit).
    expected : array of float64, broadcast against ``values`` over the leading axes
        The references.
    tolerance : Tolerance
        The rule of closeness.
    scale : array of float64, shape (...), optional
        Largest absolute entry of each reference; computed from ``expected`` when left out.
    low, high : arrays of float64 like ``expected``, optional
        Bounds of what the reference may be, where rounding is carried along; a value between them
        is at no distance. Each is ``expected`` when left out.
    entry_axes : int
        How many trailing axes hold the entries of one answer (0: numbers).

    Returns
    -------
    array of int8, shape (...)
        ``RIGHT``, ``COARSE`` or ``WRONG`` for each answer.
    """
    value = np.asarray(values, dtype=np.float64)
    half = np.asarray(halves, dtype=np.float64)
    reference = np.asarray(expected, dtype=np.float64)
    axes = tuple(range(-entry_axes, 0))
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        size = _scales(reference, axes) if scale is None else np.asarray(scale, dtype=np.float64)
        size = size.reshape(size.shape + (1,) * entry_axes) if scale is not None else size
        off = np.maximum(
            (reference if low is None else np.asarray(low, dtype=np.float64)) - value,
            value - (reference if high is None else np.asarray(high, dtype=np.float64)),
        )
        same = np.isnan(value) & np.isnan(reference) | np.isinf(value) & (value == reference)
        codes = np.where(same, RIGHT, _codes(value, half, reference, off, size, tolerance))
    return (codes.max(axis=axes, initial=RIGHT) if axes else codes).astype(np.int8)


def _scales(reference: FloatArray, axes: tuple[int, ...]) -> FloatArray:
    sizes = np.where(np.isfinite(reference), np.abs(reference), 0.0)
    return sizes.max(axis=axes, keepdims=True, initial=0.0) if axes else sizes


def _codes(
    value: FloatArray,
    half: FloatArray,
    reference: FloatArray,
    off: FloatArray,
    scale: FloatArray,
    tolerance: Tolerance,
) -> NDArray[np.int64]:
    slack = ROUND_OFF * scale
    as_typed = off <= half * INCLUSIVE + slack
    if tolerance.exact:
        return np.where(off <= 0, RIGHT, WRONG)
    if tolerance.decimals is not None or tolerance.sigfigs is not None:
        near, fewer = _digits(value, half, reference, tolerance)
        right = (off <= near * INCLUSIVE + slack) & ~fewer | (value == 0) & (off <= FLOOR)
        return np.where(right, RIGHT, np.where(fewer & as_typed & (value != 0), COARSE, WRONG))
    bound = np.maximum(
        (tolerance.rtol or 0.0) * scale, FLOOR if tolerance.atol is None else tolerance.atol
    )
    right = off <= bound * INCLUSIVE + slack
    if tolerance.rtol is None:
        return np.where(right, RIGHT, WRONG)
    fine = half <= ROUNDED_SHARE * scale * INCLUSIVE
    rounded = np.where(fine, RIGHT, np.where(value != 0, COARSE, WRONG))
    return np.where(right, RIGHT, np.where(as_typed, rounded, WRONG))


def _digits(
    value: FloatArray, half: FloatArray, reference: FloatArray, tolerance: Tolerance
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return half a unit of the last digit asked for, and where fewer digits were typed."""
    unit = 2 * half
    if tolerance.decimals is not None:
        asked = np.full_like(reference, 10.0**-tolerance.decimals)
        return asked / 2, unit > asked * INCLUSIVE
    figures = tolerance.sigfigs or 1
    size = np.where(np.isfinite(reference), np.abs(reference), 0.0)
    leading = np.floor(np.log10(np.where(size > 0, size, 1.0)))
    near = np.where(size > 0, 0.5 * 10.0 ** (leading - figures + 1), 0.0)
    return near, np.abs(value) * INCLUSIVE < 10.0 ** (figures - 1) * unit


class Target:
    """A reference made ready to be compared with many answers.

    Attributes
    ----------
    shape : tuple of int
        Shape of the reference; ``()`` for a number.
    flat : tuple of float
        Entries in row order.
    finite : bool
        Whether every entry is; only else may an answer be ``nan`` or infinite.
    """

    __slots__ = (
        "_bound",
        "_exact",
        "_rounded",
        "_scale",
        "_slack",
        "finite",
        "flat",
        "shape",
        "tolerance",
    )

    def __init__(
        self, shape: tuple[int, ...], entries: Sequence[float], tolerance: Tolerance
    ) -> None:
        self.shape = shape
        self.tolerance = tolerance
        self._exact = tuple(map(_rational, entries)) if tolerance.exact else ()
        self.flat = tuple(map(_double, entries))
        self.finite = all(isinstance(entry, int) or math.isfinite(entry) for entry in entries)
        scale = max((abs(entry) for entry in self.flat if math.isfinite(entry)), default=0.0)
        self._scale = scale
        self._slack = ROUND_OFF * scale
        absolute = FLOOR if tolerance.atol is None else tolerance.atol
        self._bound = max((tolerance.rtol or 0.0) * scale, absolute) * INCLUSIVE + self._slack
        self._rounded = -1.0 if tolerance.rtol is None else ROUNDED_SHARE * scale * INCLUSIVE

    @classmethod
    def of(cls, expected: ArrayLike, tolerance: Tolerance) -> Self:
        """Return the target for a number or an array."""
        array = np.asarray(expected)
        return cls(array.shape, array.ravel().tolist(), tolerance)

    def codes(self, typed: Typed) -> list[int]:
        """Judge each entry of an answer of the same shape."""
        rule = self.tolerance
        if rule.exact:
            return list(map(self._exactly, typed.exact, self._exact, typed.flat, self.flat))
        if rule.decimals is not None or rule.sigfigs is not None:
            found = judge(typed.flat, typed.halves, self.flat, rule, scale=self._scale)
            codes: list[int] = found.tolist()
            return codes
        return list(map(self.code, typed.flat, typed.halves, self.flat))

    def verdict(self, typed: Typed) -> Verdict:
        """Judge an answer: its shape first, then its worst entry."""
        if typed.shape != self.shape:
            return Verdict.SHAPE
        return VERDICTS[max(self.codes(typed), default=RIGHT)]

    def code(self, value: float, half: float, reference: float) -> int:
        """Judge one entry by ``rtol`` and ``atol``: the rule of ``judge``, without arrays."""
        off = abs(value - reference)
        if off <= self._bound or value == reference:
            return RIGHT
        if off <= half * INCLUSIVE + self._slack and self._rounded >= 0:
            if half <= self._rounded:
                return RIGHT
            return COARSE if value else WRONG
        return RIGHT if value != value and reference != reference else WRONG  # noqa: PLR0124 - nan

    @staticmethod
    def _exactly(
        value: Fraction | None, reference: Fraction | None, flat: float, expected: float
    ) -> int:
        if value is None:
            same = flat == expected or (math.isnan(flat) and math.isnan(expected))
        else:
            same = value == reference
        return RIGHT if same else WRONG


def compare(typed: Typed, expected: ArrayLike, tolerance: Tolerance) -> Verdict:
    """Compare one answer with its reference: ``shape``, ``right``, ``coarse`` or ``wrong``.

    Parameters
    ----------
    typed : Typed
        The answer as read.
    expected : number or array
        The reference, in the unit that the answer was read in.
    tolerance : Tolerance
        The rule of closeness; see the module for the exact inequalities.
    """
    return Target.of(expected, tolerance).verdict(typed)


def _rational(entry: float) -> Fraction | None:
    return Fraction(entry) if isinstance(entry, int) or math.isfinite(entry) else None


def _double(entry: float) -> float:
    """Return the nearest double; an integer too large for one becomes infinite."""
    try:
        return float(entry)
    except OverflowError:
        return math.inf if entry > 0 else -math.inf
