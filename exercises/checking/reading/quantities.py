"""Read a number with a unit."""

import math
import re
from fractions import Fraction

from exercises.checking.reading.characters import Decimal, excerpt, prepare
from exercises.checking.reading.errors import MalformedError, OutOfRangeError, UnitError
from exercises.checking.reading.numerals import HALVES, PLAIN, measure, number, refusal, scan
from exercises.checking.reading.typed import Typed
from exercises.checking.reading.units import factor

_is_plain = re.compile(rf"({PLAIN}) ?([A-Za-z]{{1,12}})").fullmatch


def read_quantity(text: str, unit: str, *, decimal: Decimal = "auto", bare: bool = False) -> Typed:
    """Read a number with a unit of the same dimension as ``unit``.

    Parameters
    ----------
    text
        As typed: ``56 GB``, ``52.15 GiB``, ``2,1 s``.
    unit
        The field's base unit; the value comes back in it.
    decimal
        As in ``read_number``.
    bare
        Whether a number without a unit is one in the base unit.

    Raises
    ------
    UnitError
        For a unit of another dimension, or none where one is required.
    ReadingError
        For what is no number, or a unit that nobody knows.
    """
    plain = _is_plain(text) if decimal != "comma" else None
    if plain is not None:
        written, name = plain.groups()
        point = written.find(".")
        half = HALVES[len(written) - point - 1] if point >= 0 else 0.5
        return _sized(written, float(written), half, factor(name, unit))
    body, column = prepare(text)
    written, end = scan(body, column, decimal)
    rest = body[end:].strip(" ")
    if rest.startswith("/"):
        written, rest = _quotient(body, column, decimal)
    if not rest:
        value, half = measure(written)
        if not bare:
            raise UnitError("unit_missing", seen=excerpt(body), unit=unit)
        return Typed((), (value,), (half,), (written,))
    if not rest[0].isalpha():
        raise refusal(body, len(body) - len(rest), column)
    value, half = measure(written)
    return _sized(written, value, half, factor(rest, unit))


def _quotient(body: str, column: int, decimal: Decimal) -> tuple[str, str]:
    """Return the fraction in front and the unit behind it."""
    end = next((at for at, char in enumerate(body) if char.isalpha()), len(body))
    fraction = body[:end].rstrip(" ")
    if fraction.endswith("/"):
        raise MalformedError("no_number", seen=excerpt(body))
    return number(fraction, column, decimal, percent=False, nonfinite=False), body[end:]


def _sized(written: str, value: float, half: float, size: Fraction) -> Typed:
    # Times a whole number and by a whole number: 5 µs is 5 / 1000000, not 5 * 1e-6.
    sized = value * size.numerator / size.denominator
    if math.isinf(sized) or (value and not sized):
        raise OutOfRangeError(seen=excerpt(written))
    return Typed((), (sized,), (half * size.numerator / size.denominator,), (written,), size)
