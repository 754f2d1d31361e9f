"""What was understood from a typed text."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class Typed:
    """A number or an array as read, with what its last typed digits leave open.

    Attributes
    ----------
    shape : tuple of int
        ``()`` for a number.
    flat : tuple of float
        Entries in row order, in the base unit of the field.
    halves : tuple of float
        Half a unit of the last typed digit of each entry; 0.0 where there is none (fractions,
        non-finite values).
    plain : tuple of str
        Each entry in canonical spelling: ``-12.50e-3``, ``1/3``, ``nan``, ``inf`` or ``-inf``;
        before a change of unit.
    factor : Fraction
        What an entry's plain value was multiplied by (a unit's size); 1 without a unit.
    """

    __slots__ = ("factor", "flat", "halves", "plain", "shape")

    def __init__(
        self,
        shape: tuple[int, ...],
        flat: tuple[float, ...],
        halves: tuple[float, ...],
        plain: tuple[str, ...],
        factor: Fraction | int = 1,
    ) -> None:
        self.shape = shape
        self.flat = flat
        self.halves = halves
        self.plain = plain
        self.factor = factor

    @property
    def value(self) -> float | FloatArray:
        """The number, or an array of float64 with ``shape``."""
        if self.shape == ():
            return self.flat[0]
        return np.array(self.flat, dtype=np.float64).reshape(self.shape)

    @property
    def half(self) -> float | FloatArray:
        """Half a unit of the last typed digit, as a number or an array like ``value``."""
        if self.shape == ():
            return self.halves[0]
        return np.array(self.halves, dtype=np.float64).reshape(self.shape)

    @property
    def exact(self) -> tuple[Fraction | None, ...]:
        """The entries as exact rationals; ``None`` for a non-finite one."""
        return tuple(
            None if text[-1] in "nf" else Fraction(text) * self.factor for text in self.plain
        )

    @property
    def decimals(self) -> tuple[int | None, ...]:
        """Digits after the decimal point of each entry; ``None`` where digits have no end."""
        return tuple(map(_decimals, self.plain))

    @property
    def sigfigs(self) -> tuple[int | None, ...]:
        """Significant digits of each entry, trailing zeros counted; ``None`` as in decimals."""
        return tuple(map(_sigfigs, self.plain))

    @property
    def echo(self) -> str:
        """What was understood, spelt so that it reads back as the same value."""
        entries = [text.removesuffix("/1") for text in self.plain]
        return _brackets(entries, self.shape) if self.shape else entries[0]

    def __repr__(self) -> str:
        return f"Typed({self.echo})"


def _has_last_digit(plain: str) -> bool:
    return "/" not in plain and plain[-1] not in "nf"


def _decimals(plain: str) -> int | None:
    if not _has_last_digit(plain):
        return None
    mantissa, _, exponent = plain.partition("e")
    _, _, fraction = mantissa.partition(".")
    return max(0, len(fraction) - int(exponent or 0))


def _sigfigs(plain: str) -> int | None:
    if not _has_last_digit(plain):
        return None
    mantissa, _, _ = plain.partition("e")
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    return len(digits) or max(1, len(fraction))


def _brackets(entries: list[str], shape: tuple[int, ...]) -> str:
    if len(shape) == 1:
        return "[" + ", ".join(entries) + "]"
    size = len(entries) // shape[0] if shape[0] else 0
    rows = [_brackets(entries[row * size : (row + 1) * size], shape[1:]) for row in range(shape[0])]
    return "[" + ", ".join(rows) + "]"
