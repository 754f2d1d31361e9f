"""The arithmetic of written operations, with how far each value is open (first order)."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exercises.checking.reading.errors import MalformedError

Value = float | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Operand:
    """A value, and how far it is open: the sum of what each typed digit and name leaves."""

    value: Value
    half: Value


def combine(sign: str, left: Operand, right: Operand, column: int) -> Operand:
    """Apply ``+ - * / ^``; two arrays must have one shape, a number goes with any.

    Raises
    ------
    MalformedError
        For arrays of different shapes.
    """
    shapes = np.shape(left.value), np.shape(right.value)
    if all(shapes) and shapes[0] != shapes[1]:
        raise MalformedError(
            "operation_shapes", column=column, first=str(shapes[0]), second=str(shapes[1])
        )
    a, b = _array(left.value), _array(right.value)
    da, db = _array(left.half), _array(right.half)
    if sign == "+":
        return _operand(a + b, da + db)
    if sign == "-":
        return _operand(a - b, da + db)
    if sign == "*":
        return _operand(a * b, np.abs(a) * db + np.abs(b) * da)
    if sign == "/":
        return _operand(a / b, da / np.abs(b) + np.abs(a) * db / b**2)
    power = a**b
    open_by = np.where(da > 0, np.abs(b * a ** (b - 1)) * da, 0.0)
    return _operand(power, open_by + np.where(db > 0, np.abs(power * np.log(a)) * db, 0.0))


def call(name: str, operands: list[Operand], column: int) -> Operand:
    """Apply a function, or make a ``list`` of numbers an array.

    Raises
    ------
    MalformedError
        For more than one operand where one is taken, or arrays among several.
    """
    if name in _ENTRYWISE:
        if len(operands) != 1:
            raise MalformedError("one_argument", column=column, seen=name)
        function, slope = _ENTRYWISE[name]
        value, half = _array(operands[0].value), _array(operands[0].half)
        result = function(value)
        return _operand(result, np.where(half > 0, np.abs(slope(value, result)) * half, 0.0))
    if len(operands) > 1 or name == "list":
        if any(np.shape(operand.value) for operand in operands):
            raise MalformedError("numbers_only", column=column, seen=name)
        values = np.array([operand.value for operand in operands], dtype=np.float64)
        halves = np.array([operand.half for operand in operands], dtype=np.float64)
    else:
        values = np.atleast_1d(_array(operands[0].value))
        halves = np.atleast_1d(_array(operands[0].half))
    if name == "list":
        return Operand(values, halves)
    if not values.size:
        raise MalformedError("numbers_only", column=column, seen=name)
    return _operand(_OVERALL[name](values), (np.max if name in _ORDER else _OVERALL[name])(halves))


def _array(value: Value) -> NDArray[np.float64]:
    return np.asarray(value, dtype=np.float64)


def _operand(value: Value, half: Value) -> Operand:
    if np.ndim(value) == 0:
        return Operand(float(value), float(half))
    return Operand(value, np.broadcast_to(half, np.shape(value)))


_Function = Callable[[NDArray[np.float64]], NDArray[np.float64]]
_Slope = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]

_ENTRYWISE: dict[str, tuple[_Function, _Slope]] = {
    "exp": (np.exp, lambda _, y: y),
    "ln": (np.log, lambda x, _: 1 / x),
    "log": (np.log, lambda x, _: 1 / x),
    "log10": (np.log10, lambda x, _: 1 / (x * math.log(10))),
    "log2": (np.log2, lambda x, _: 1 / (x * math.log(2))),
    "sqrt": (np.sqrt, lambda _, y: 0.5 / y),
    "abs": (np.abs, lambda x, _: np.sign(x)),
}
_OVERALL: dict[str, _Function] = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}
_ORDER = frozenset({"max", "min"})
FUNCTIONS = frozenset(_ENTRYWISE) | frozenset(_OVERALL)
