"""The parts of a field's description: what is expected, and how it is read and compared."""

import math
from collections.abc import Mapping, Sequence
from typing import cast

from exercises.checking.reading import Decimal, Names, NamesError
from exercises.checking.reading.brackets import MOST_NESTED
from exercises.checking.tolerance import Tolerance, ToleranceError

NONFINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class FieldError(ValueError):
    """A description that is no field; the sentence says which part of it."""


def number_of(expected: object) -> float:
    """Return an expected number; whole numbers stay whole, of any size.

    Raises
    ------
    FieldError
        For anything but a finite number or one of ``"nan"``, ``"inf"``, ``"-inf"``.
    """
    if isinstance(expected, str) and expected in NONFINITE:
        return NONFINITE[expected]
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        raise FieldError("expected must be a number, or one of the texts nan, inf, -inf")
    if isinstance(expected, float) and not math.isfinite(expected):
        raise FieldError("expected must be finite, or one of the texts nan, inf, -inf")
    return expected


def array_of(expected: object) -> tuple[tuple[int, ...], list[float]]:
    """Return the shape and the entries of an expected array.

    Raises
    ------
    FieldError
        For what is no list of numbers, or of lists of one length.
    """
    if not isinstance(expected, list | tuple):
        raise FieldError("expected must be a list of numbers, or of lists of them")
    entries: list[float] = []
    return _shape(expected, entries, MOST_NESTED), entries


def axes_of(expected: object) -> tuple[str | int, ...]:
    """Return an expected shape: names and sizes of axes.

    Raises
    ------
    FieldError
        For what is no list of names and whole positive sizes.
    """
    if not isinstance(expected, list | tuple):
        raise FieldError("expected must be a list of axes")
    return tuple(map(_axis, expected))


def tolerance_of(line: Mapping[str, object]) -> Tolerance:
    """Return the declared tolerance, or the default.

    Raises
    ------
    FieldError
    """
    try:
        return Tolerance.from_json(line.get("tolerance"))
    except ToleranceError as error:
        raise FieldError(str(error)) from None


def decimal_of(line: Mapping[str, object]) -> Decimal:
    """Return which mark is the decimal mark.

    Raises
    ------
    FieldError
    """
    decimal = line.get("decimal")
    if decimal is None:
        return "auto"
    if decimal not in {"auto", "point", "comma"} if isinstance(decimal, str) else True:
        raise FieldError("decimal must be auto, point or comma")
    return cast("Decimal", decimal)


def flag_of(line: Mapping[str, object], name: str) -> bool:
    """Return a choice between true and false; false where it is left out.

    Raises
    ------
    FieldError
    """
    flag = line.get(name)
    if flag is None:
        return False
    if not isinstance(flag, bool):
        raise FieldError(f"{name} must be true or false")
    return flag


def text_of(line: Mapping[str, object], name: str) -> str:
    """Return a text that must be there.

    Raises
    ------
    FieldError
    """
    text = line.get(name)
    if not isinstance(text, str) or not text.strip():
        raise FieldError(f"{name} must be a text")
    return text


def names_of(given: object, name: str) -> Names:
    """Return named things with their synonyms.

    Raises
    ------
    FieldError
        For what is no object from names to lists of synonyms, or where two cannot be told apart.
    """
    if not isinstance(given, Mapping) or not given:
        raise FieldError(f"{name} must be an object from names to lists of synonyms")
    for synonyms in given.values():
        if not isinstance(synonyms, list | tuple) or not all(
            isinstance(synonym, str) for synonym in synonyms
        ):
            raise FieldError(f"{name} must be an object from names to lists of synonyms")
    try:
        return Names(given)
    except NamesError as error:
        raise FieldError(str(error)) from None


def _shape(expected: Sequence[object], entries: list[float], levels: int) -> tuple[int, ...]:
    if not levels:
        raise FieldError("expected is nested too deep")
    shapes = []
    for child in expected:
        if isinstance(child, list | tuple):
            shapes.append(_shape(child, entries, levels - 1))
        else:
            entries.append(number_of(child))
            shapes.append(())
    if any(shape != shapes[0] for shape in shapes):
        raise FieldError("expected has rows of different lengths")
    return (len(shapes), *(shapes[0] if shapes else ()))


def _axis(axis: object) -> str | int:
    if isinstance(axis, str) and axis.strip():
        return int(axis) if axis.isascii() and axis.isdecimal() and len(axis) < 19 else axis  # noqa: PLR2004 - fits 64 bits
    if isinstance(axis, int) and not isinstance(axis, bool) and axis > 0:
        return axis
    raise FieldError("an axis must be a name or a whole positive size")
