"""One number: signs, grouped digits, decimal marks, powers of ten, fractions.

Every number is brought to a canonical spelling first (``-12.50e-3``, ``1/3``); its value, its last
digit and its exact rational all follow from that spelling.
"""

import math
import re

from exercises.checking.reading.characters import SUPERSCRIPTS, Decimal, excerpt
from exercises.checking.reading.errors import (
    AmbiguousError,
    MalformedError,
    OutOfRangeError,
    UnitError,
)
from exercises.checking.reading.units import is_unit

# Half a unit of the last of so many decimals.
HALVES = tuple(float(f"5e-{count + 1}") for count in range(20))
PLAIN = r"-?[0-9]{1,15}(?:\.[0-9]{1,17})?"
NONFINITE = {
    "nan": "nan",
    "inf": "inf",
    "+inf": "inf",
    "-inf": "-inf",
    "∞": "inf",
    "+∞": "inf",
    "-∞": "-inf",
}
_MOST_EXPONENT_DIGITS = 4
_MOST_POWER_DIGITS = 320

_EXPONENT = r"(?:[+-]\ *)?[0-9]+"
_SUPERSCRIPT = "[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
_NUMBER = re.compile(
    rf"""
    (?P<sign>[+-]\ *)?
    (?P<run>[.,]?[0-9](?:[0-9.,']|\ +(?=[0-9]))*)
    (?:
      \ *[eE]\ *(?P<e>[+-]?[0-9]+)
    | \ *[*xX]\ *10(?:
        \ *(?:\^|\*\*)\ *(?:(?P<ten>{_EXPONENT})|\(\ *(?P<ten_in>{_EXPONENT})\ *\))
      | (?P<ten_sup>{_SUPERSCRIPT})
      )
    | \ *(?:\^|\*\*)\ *(?:(?P<power>{_EXPONENT})|\(\ *(?P<power_in>{_EXPONENT})\ *\))
    | (?P<power_sup>{_SUPERSCRIPT})
    )?
    """,
    re.VERBOSE,
)
_WHOLE = re.compile(
    r"[0-9]*"
    r"|[1-9][0-9]{0,2}(?P<mark>[ ',.])[0-9]{3}(?:(?P=mark)[0-9]{3})*"
    r"|[1-9][0-9]?(?P<indian>,)(?:[0-9]{2},)+[0-9]{3}"
)
_FRACTION_DIGITS = re.compile(r"[0-9]*|[0-9]{3}(?: [0-9]{3})* [0-9]{1,3}")
_ONE_GROUP = re.compile(r"([1-9][0-9]{0,2})[.,]([0-9]{3})")
# The decimal mark that a single mark before three digits makes; none where it groups.
_BEFORE_THREE = {
    (".", "auto"): ".",
    (".", "point"): ".",
    (",", "comma"): ",",
    (",", "point"): "",
}
_MIXED = re.compile(r"[+-]? *[0-9]+ +[0-9]+ */")
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8"}


def scan(body: str, column: int, decimal: Decimal) -> tuple[str, int]:
    """Read the longest number at the start of ``body``.

    Returns
    -------
    plain : str
        Canonical spelling.
    end : int
        Where the number ends in ``body``.
    """
    found = _NUMBER.match(body)
    if found is None:
        raise refusal(body, 0, column)
    sign = "-" if (found["sign"] or "").startswith("-") else ""
    run = found["run"]
    at = column + found.start("run")
    power = found["power"] or found["power_in"] or found["power_sup"]
    if power is not None:
        return sign + _power(run, power, superscript=found["power_sup"] is not None), found.end()
    exponent = found["e"] or found["ten"] or found["ten_in"] or found["ten_sup"]
    whole, fraction = split_marks(run, at, decimal)
    plain = sign + (whole or "0") + (f".{fraction}" if fraction else "")
    if exponent is not None:
        plain += f"e{_exponent(exponent)}"
    return plain, found.end()


def number(body: str, column: int, decimal: Decimal, *, percent: bool, nonfinite: bool) -> str:
    """Read the whole of ``body`` as one number, fraction or percentage; return it canonical."""
    name = NONFINITE.get(body.lower())
    if name is not None:
        if not nonfinite:
            raise MalformedError("nonfinite", seen=body)
        return name
    if _MIXED.match(body) is not None:
        raise MalformedError("mixed_number", seen=excerpt(body))
    if body.lstrip("+- ") in _VULGAR:
        return _vulgar(body)
    plain, end = scan(body, column, decimal)
    if end == len(body):
        return plain
    rest = body[end:].lstrip(" ")
    at = len(body) - len(rest)
    if rest == "%":
        return _percentage(plain, allowed=percent)
    if rest[0] == "/":
        return _fraction(body, plain, at, column, decimal)
    if rest[0] in _VULGAR:
        raise MalformedError("mixed_number", seen=excerpt(body))
    raise refusal(body, at, column)


def measure(plain: str) -> tuple[float, float]:
    """Return the value of a canonical spelling, and half a unit of its last digit (0.0: none).

    Raises
    ------
    OutOfRangeError
        Where a 64-bit number overflows, or the text is not zero but the number would be.
    """
    if "/" in plain:
        numerator, _, denominator = plain.partition("/")
        return _quotient(int(numerator), int(denominator), plain), 0.0
    value = float(plain)
    if plain[-1] in "nf":
        return value, 0.0
    mantissa, _, exponent = plain.partition("e")
    decimals = len(mantissa) - mantissa.find(".") - 1 if "." in mantissa else 0
    half = float(f"5e{int(exponent or 0) - decimals - 1}")
    lost = value == 0 and mantissa.strip("-0.") != ""
    if math.isinf(value) or math.isinf(half) or lost:
        raise OutOfRangeError(seen=excerpt(plain))
    return value, half


def split_marks(run: str, column: int, decimal: Decimal) -> tuple[str, str]:
    """Return the digits before and after the decimal mark, groups removed.

    Raises
    ------
    AmbiguousError
        For one group of three that may as well be decimals.
    MalformedError
        For digits grouped in no usual way.
    """
    mark = _decimal_mark(run, column, decimal)
    whole, _, fraction = run.partition(mark) if mark else (run, "", "")
    form = _WHOLE.fullmatch(whole)
    well_formed = (
        form is not None
        and (not mark or form["mark"] != mark)
        and not (mark == "," and form["indian"])
        and _FRACTION_DIGITS.fullmatch(fraction) is not None
        and (fraction or mark != ",")
    )
    if not well_formed:
        code = "several_numbers" if " " in run else "groups"
        raise MalformedError(code, column=column, seen=excerpt(run))
    return re.sub("[ ',.]", "", whole), fraction.replace(" ", "")


def _decimal_mark(run: str, column: int, decimal: Decimal) -> str:
    """Return the decimal mark of a run of digits, or nothing where every mark groups."""
    points, commas = run.count("."), run.count(",")
    if points and commas:
        return "." if run.rfind(".") > run.rfind(",") else ","
    if points + commas != 1:
        return ""
    mark = "." if points else ","
    group = _ONE_GROUP.fullmatch(run)
    if group is None:
        return mark
    meant = _BEFORE_THREE.get((mark, decimal))
    if meant is None:
        whole, three = group.groups()
        raise AmbiguousError(
            column=column, seen=run, first=f"{whole}.{three}", second=whole + three
        )
    return meant


def refusal(body: str, at: int, column: int) -> MalformedError | UnitError:
    """Return the error that says best what stands at ``at`` and how to write a number."""
    rest = body[at:]
    here = column + at
    char = rest[0]
    if any(sign in body for sign in "\\${}"):
        return MalformedError("latex", column=here, seen=excerpt(body))
    foreign = next((c for c in body if c.isdecimal() and not c.isascii()), None)
    if foreign is not None:
        return MalformedError("foreign_digit", column=column + body.index(foreign), seen=foreign)
    if "%" in rest:
        return MalformedError("percent_place", column=here)
    if is_unit(rest):
        if not at:
            return MalformedError("unit_alone", column=here, seen=excerpt(rest))
        return UnitError("unit_unexpected", column=here, seen=excerpt(rest))
    if char == "_":
        return MalformedError("underscore", column=here)
    if char.isalpha():
        word = re.match(r"\w+", rest)
        seen = excerpt(word[0] if word else rest)
        return MalformedError("word" if at else "no_number", column=here, seen=seen)
    if char in "+-*/^(⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺√":
        return MalformedError("arithmetic", column=here, seen=excerpt(rest))
    if char in "[];,":
        return MalformedError("list", column=here, seen=excerpt(body))
    return MalformedError("character", column=here, seen=excerpt(char))


def _exponent(text: str) -> int:
    digits = text.translate(SUPERSCRIPTS).replace(" ", "")
    if len(digits.lstrip("+-0")) > _MOST_EXPONENT_DIGITS:
        raise OutOfRangeError(seen=f"e{excerpt(digits)}")
    return int(digits)


def _power(run: str, text: str, *, superscript: bool) -> str:
    """Return ``10^n`` as ``1en``, and a whole number with a superscript as an exact quotient."""
    exponent = _exponent(text)
    if run == "10":
        return f"1e{exponent}"
    if not superscript or not run.isdecimal():
        raise MalformedError("arithmetic", seen=excerpt(f"{run}^{exponent}"))
    if len(run) * abs(exponent) > _MOST_POWER_DIGITS:
        raise OutOfRangeError(seen=excerpt(f"{run}^{exponent}"))
    power = int(run) ** abs(exponent)
    return f"{power}/1" if exponent >= 0 else f"1/{power}"


def _vulgar(body: str) -> str:
    sign, char = body[:-1].replace(" ", ""), body[-1]
    if sign not in {"", "+", "-"}:
        raise MalformedError("arithmetic", seen=excerpt(body))
    return ("-" if sign == "-" else "") + _VULGAR[char]


def _percentage(plain: str, *, allowed: bool) -> str:
    mantissa, _, exponent = plain.partition("e")
    if "/" in plain:
        raise MalformedError("arithmetic", seen=f"{plain} %")
    hundredth = f"{mantissa}e{int(exponent or 0) - 2}"
    if not allowed:
        raise MalformedError("percent", seen=f"{plain} %", decimal=repr(measure(hundredth)[0]))
    return hundredth


def _fraction(body: str, numerator: str, at: int, column: int, decimal: Decimal) -> str:
    """Return a fraction of whole numbers in canonical spelling."""
    start = at + 1 + len(body[at + 1 :]) - len(body[at + 1 :].lstrip(" "))
    if start == len(body):
        raise MalformedError("arithmetic", column=column + at, seen="/")
    denominator, end = scan(body[start:], column + start, decimal)
    if start + end != len(body):
        raise refusal(body, start + end, column)
    if " " in body[start:].strip("+- "):
        raise MalformedError("several_numbers", column=column + start, seen=excerpt(body[start:]))
    if not (numerator.lstrip("-").isdecimal() and denominator.lstrip("-").isdecimal()):
        raise MalformedError("arithmetic", column=column + at, seen=excerpt(body))
    sign = "-" if numerator.startswith("-") != denominator.startswith("-") else ""
    return f"{sign}{numerator.lstrip('-')}/{denominator.lstrip('-')}"


def _quotient(numerator: int, denominator: int, plain: str) -> float:
    if denominator == 0:
        raise OutOfRangeError("zero_division", seen=excerpt(plain))
    try:
        value = numerator / denominator
    except OverflowError:
        raise OutOfRangeError(seen=excerpt(plain)) from None
    if numerator and not value:
        raise OutOfRangeError(seen=excerpt(plain))
    return value
