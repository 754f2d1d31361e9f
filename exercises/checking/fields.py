"""Fields: each reads a text of one kind and compares it with what is expected there."""

import math
import re
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from exercises.checking.comparing import COARSE, RIGHT, VERDICTS, WRONG, Target
from exercises.checking.expectations import (
    FieldError,
    array_of,
    axes_of,
    decimal_of,
    flag_of,
    names_of,
    number_of,
    text_of,
    tolerance_of,
)
from exercises.checking.messages import message
from exercises.checking.reading import (
    BlankError,
    ReadingError,
    Typed,
    UnitError,
    read_array,
    read_choice,
    read_number,
    read_quantity,
    read_set,
    read_shape,
)
from exercises.checking.reading.units import factor
from exercises.checking.verdicts import Verdict

_MOST_NAMED = 5
_POINT_AND_THREE = re.compile(r"\s*[+-]?([1-9][0-9]{0,2})\.([0-9]{3})\s*")
_NOTHING: Mapping[str, object] = {}


class Checked(NamedTuple):
    """What became of one answer.

    Attributes
    ----------
    verdict : Verdict
    read : object
        The value understood, ready for JSON; ``None`` when there is none.
    code : str
        Key of the sentence in ``exercises.checking.messages``.
    params : Mapping[str, object]
        What the sentence names.
    entry : int or None
        The entry of an array that the sentence is about, counted from 1.
    more : Mapping[str, object]
        What else the answer says (``found``, ``missing`` and ``unknown`` of a set).
    """

    verdict: Verdict
    read: object
    code: str
    params: Mapping[str, object] = _NOTHING
    entry: int | None = None
    more: Mapping[str, object] = _NOTHING

    @property
    def message(self) -> str:
        """The sentence in English."""
        return message(self.code, self.params, entry=self.entry)


class Field(Protocol):
    """What checks the texts typed into one field."""

    def check(self, text: str) -> Checked:
        """Read the text and compare it; never raises, whatever the text."""


class NumberField:
    """Takes one number."""

    def __init__(self, line: Mapping[str, object]) -> None:
        expected = number_of(line.get("expected"))
        tolerance = tolerance_of(line)
        self._target = Target((), (expected,), tolerance)
        if not tolerance.exact and isinstance(expected, int) and math.isinf(self._target.flat[0]):
            raise FieldError("expected is too large to be compared by anything but exact")
        self._decimal = decimal_of(line)
        self._percent = flag_of(line, "percent")
        self._exact = tolerance.exact
        self._whole = expected == expected // 1 if math.isfinite(self._target.flat[0]) else True

    def check(self, text: str) -> Checked:
        """Check one number."""
        target = self._target
        try:
            typed = read_number(
                text,
                decimal=self._decimal,
                percent=self._percent,
                nonfinite=not target.finite,
                huge=self._exact,
            )
        except ReadingError as error:
            return _unread(error)
        code = target.codes(typed)[0]
        read = _exactly_read(typed) if self._exact else _finite_or_name(typed.flat[0])
        if code == RIGHT:
            return Checked(Verdict.RIGHT, read, "right")
        if self._exact:
            return self._no_count(text, typed, read)
        return _compared(code, read, typed)

    def _no_count(self, text: str, typed: Typed, read: object) -> Checked:
        """Say why a count is not right; ``10.000`` may have been meant as ten thousand."""
        grouped = _POINT_AND_THREE.fullmatch(text)
        if grouped is not None:
            whole, three = grouped.groups()
            readings = {"seen": text.strip(), "first": f"{whole}.{three}", "second": whole + three}
            return Checked(Verdict.UNREADABLE, None, "ambiguous", readings)
        exact = typed.exact[0]
        if self._whole and exact is not None and exact.denominator != 1:
            return Checked(Verdict.WRONG, read, "not_whole", {"seen": typed.echo})
        return _compared(WRONG, read, typed)


class ArrayField:
    """Takes a vector or matrix."""

    def __init__(self, line: Mapping[str, object]) -> None:
        shape, entries = array_of(line.get("expected"))
        try:
            self._target = Target(shape, [float(entry) for entry in entries], tolerance_of(line))
        except OverflowError:
            raise FieldError("an expected entry is too large") from None
        self._decimal = decimal_of(line)
        self._percent = flag_of(line, "percent")

    def check(self, text: str) -> Checked:
        """Check one array: its shape first."""
        target = self._target
        try:
            typed = read_array(
                text,
                decimal=self._decimal,
                percent=self._percent,
                nonfinite=not target.finite,
            )
        except ReadingError as error:
            return _unread(error)
        read = _nested(typed)
        if typed.shape != target.shape:
            shapes = {"expected": _size(target.shape), "seen": _size(typed.shape)}
            return Checked(Verdict.SHAPE, read, "shape", shapes)
        codes = target.codes(typed)
        worst = max(codes, default=RIGHT)
        if worst == RIGHT:
            return Checked(Verdict.RIGHT, read, "right")
        places = [place for place, code in enumerate(codes, 1) if code == worst]
        key = "coarse_entries" if worst == COARSE else "wrong_entries"
        return Checked(VERDICTS[worst], read, key, {"entries": _listed(places)})


class QuantityField:
    """Takes a number with a unit of the expected dimension."""

    def __init__(self, line: Mapping[str, object]) -> None:
        expected = number_of(line.get("expected"))
        self._unit = text_of(line, "unit")
        try:
            factor(self._unit, self._unit)
        except ReadingError:
            raise FieldError(f"the unit {self._unit!r} is not known") from None
        self._target = Target((), (expected,), tolerance_of(line))
        if not self._target.finite:
            raise FieldError("expected must be finite where there is a unit")
        self._decimal = decimal_of(line)

    def check(self, text: str) -> Checked:
        """Check one quantity; its unit must fit."""
        try:
            typed = read_quantity(text, self._unit, decimal=self._decimal)
        except ReadingError as error:
            return _unread(error)
        code = self._target.codes(typed)[0]
        if code == RIGHT:
            return Checked(Verdict.RIGHT, typed.flat[0], "right")
        return _compared(code, typed.flat[0], typed)


class ShapeField:
    """Takes the shape of an array."""

    def __init__(self, line: Mapping[str, object]) -> None:
        self._expected = axes_of(line.get("expected"))

    def check(self, text: str) -> Checked:
        """Check a shape: the number of axes first, then each name and size."""
        try:
            axes = read_shape(text)
        except ReadingError as error:
            return _unread(error)
        read = list(axes)
        if len(axes) != len(self._expected):
            counts = {"expected": len(self._expected), "seen": len(axes)}
            return Checked(Verdict.SHAPE, read, "axes", counts)
        wrong = [
            place
            for place, (axis, expected) in enumerate(zip(axes, self._expected, strict=True), 1)
            if axis != expected
        ]
        if wrong:
            places = {"entries": _listed(wrong)}
            return Checked(Verdict.WRONG, read, "wrong_shape_entries", places)
        return Checked(Verdict.RIGHT, read, "right")


class ChoiceField:
    """Takes the name of one of several options."""

    def __init__(self, line: Mapping[str, object]) -> None:
        self._options = names_of(line.get("options"), "options")
        self._expected = self._options.meant(text_of(line, "expected"))
        if self._expected is None:
            raise FieldError("expected must be one of the options")

    def check(self, text: str) -> Checked:
        """Check which option the text names."""
        try:
            option = read_choice(text, self._options)
        except ReadingError as error:
            return _unread(error)
        if option == self._expected:
            return Checked(Verdict.RIGHT, option, "right")
        return Checked(Verdict.WRONG, option, "wrong_name", {"seen": option})


class SetField:
    """Takes several named items, in any order."""

    def __init__(self, line: Mapping[str, object]) -> None:
        self._items = names_of(line.get("expected"), "expected")
        size = len(self._items.keys)
        at_least = line.get("at_least", size)
        if isinstance(at_least, bool) or not isinstance(at_least, int):
            raise FieldError("at_least must be a whole number")
        if not 1 <= at_least <= size:
            raise FieldError(f"at_least must be from 1 to {size}")
        self._at_least = at_least

    def check(self, text: str) -> Checked:
        """Check which items the text names; what it names besides is listed, not judged."""
        try:
            found, unknown = read_set(text, self._items)
        except ReadingError as error:
            return _unread(error)
        missing = len(self._items.keys) - len(found)
        more = {"found": list(found), "missing": missing, "unknown": list(unknown)}
        if len(found) >= self._at_least:
            return Checked(Verdict.RIGHT, list(found), "set_right", more=more)
        params = {
            "found": ", ".join(found) or "–",
            "missing": self._at_least - len(found),
            "unknown": ", ".join(unknown),
        }
        code = "set_unknown" if unknown else "set_missing"
        return Checked(Verdict.WRONG, list(found), code, params, more=more)


def _unread(error: ReadingError) -> Checked:
    verdict = Verdict.UNREADABLE
    if isinstance(error, BlankError):
        verdict = Verdict.BLANK
    elif isinstance(error, UnitError):
        verdict = Verdict.UNIT
    return Checked(verdict, None, error.code, error.params, error.entry)


def _compared(code: int, read: object, typed: Typed) -> Checked:
    if code == COARSE:
        return Checked(Verdict.COARSE, read, "coarse")
    return Checked(VERDICTS[code], read, "wrong", {"seen": typed.echo})


def _finite_or_name(value: float) -> float | str:
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def _exactly_read(typed: Typed) -> float | str:
    exact = typed.exact[0]
    if exact is not None and exact.denominator == 1:
        return exact.numerator
    return _finite_or_name(typed.flat[0])


def _nested(typed: Typed) -> list[object]:
    entries: list[object] = list(map(_finite_or_name, typed.flat))
    for size in reversed(typed.shape[1:]):
        entries = [entries[at : at + size] for at in range(0, len(entries), size)] if size else []
    return entries if math.prod(typed.shape) else [[] for _ in range(typed.shape[0])]


def _size(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, shape)) + ")"


def _listed(places: list[int]) -> str:
    shown = ", ".join(map(str, places[:_MOST_NAMED]))
    return f"{shown}, …" if len(places) > _MOST_NAMED else shown
