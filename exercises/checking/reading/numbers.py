"""Read a number."""

import re

from exercises.checking.reading.characters import Decimal, prepare
from exercises.checking.reading.numerals import HALVES, PLAIN, measure, number
from exercises.checking.reading.typed import Typed

_SURELY_FINITE = 300
_is_plain = re.compile(PLAIN).fullmatch


def read_number(
    text: str,
    *,
    decimal: Decimal = "auto",
    percent: bool = False,
    nonfinite: bool = False,
    huge: bool = False,
) -> Typed:
    """Read one number, fraction, power of ten or (where allowed) percentage.

    Parameters
    ----------
    text
        As typed, at most 2,000 characters.
    decimal
        Which mark is the decimal mark where ``1,234`` alone would have two readings.
    percent
        Whether ``66.5 %`` stands for 0.665.
    nonfinite
        Whether ``NaN``, ``inf``, ``∞`` and ``-inf`` are values here.
    huge
        Whether a whole number beyond a 64-bit float is a value here: infinite, its digits kept.

    Returns
    -------
    Typed
        With shape ``()``.

    Raises
    ------
    ReadingError
        What was seen, and where.
    """
    if decimal != "comma" and _is_plain(text):
        point = text.find(".")
        half = HALVES[len(text) - point - 1] if point >= 0 else 0.5
        return Typed((), (float(text),), (half,), (text,))
    body, column = prepare(text)
    plain = number(body, column, decimal, percent=percent, nonfinite=nonfinite)
    if huge and plain.lstrip("-").isdecimal() and len(plain) > _SURELY_FINITE:
        return Typed((), (float(plain),), (0.0,), (plain,))
    value, half = measure(plain)
    return Typed((), (value,), (half,), (plain,))
