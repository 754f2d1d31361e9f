"""The characters people type and paste, mapped one to one onto those of the grammar.

One to one, so that a column in the mapped text is a column in the text as typed. Superscripts are
left alone: a superscript is a power, never a digit in line.
"""

import re
from typing import Literal

from exercises.checking.reading.errors import BlankError, MalformedError, TooLargeError

Decimal = Literal["auto", "point", "comma"]

MOST_CHARACTERS = 2000

# Letters and what goes on in a name; Python counts superscripts among them, the grammar does not.
LETTER = "[^\\W\\d_⁰¹²³⁴⁵⁶⁷⁸⁹]"
WORD = "[^\\W⁰¹²³⁴⁵⁶⁷⁸⁹]"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SAME_AS = {
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d",
    "*": "\u00d7\u00b7\u22c5\u2219\u2217\u2715\u2a2f",
    "/": "\u00f7\u2215\u2044",
    "'": "\u2018\u2019\u02bc",
    "~": "\u2248\u2243\u2245\u223c\u2252",
    "\u03bc": "\u00b5",
    " ": "\t\n\r\v\f\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff",
}
_TABLE = _FULL_WIDTH | {ord(seen): meant for meant, many in _SAME_AS.items() for seen in many}

# One decoration in front, removed once: a short label with a sign of equality, or the sign alone.
# A label may have an index or an argument: softmax[0], p(y).
_INDEX = r"(?:\[[^][()=~]{1,8}\]|\([^][()=~]{1,8}\))?"
_DECORATION = re.compile(rf"(?:{LETTER}{WORD}{{0,11}}{_INDEX} *)?[=~:] *")


def bounded(text: str) -> str:
    """Return the text mapped; refuse more than a field takes.

    Raises
    ------
    TooLargeError
        Beyond ``MOST_CHARACTERS``.
    """
    if len(text) > MOST_CHARACTERS:
        raise TooLargeError(seen=len(text), most=MOST_CHARACTERS)
    return text.translate(_TABLE)


def prepare(text: str) -> tuple[str, int]:
    """Return the mapped text without blanks around and harmless decorations, and its column.

    The decorations: ``=``, ``~``, ``≈`` or a short label such as ``p =`` in front, and a full stop
    at the end, each once.

    Raises
    ------
    BlankError, TooLargeError, MalformedError
    """
    mapped = bounded(text)
    end = len(mapped.rstrip(" "))
    start = len(mapped) - len(mapped.lstrip(" "))
    if start >= end:
        raise BlankError
    decoration = _DECORATION.match(mapped, start, end)
    if decoration is not None:
        start = decoration.end()
    if mapped[end - 1] == "." and end - start > 1 and mapped[end - 2] != ".":
        end = len(mapped[: end - 1].rstrip(" "))
    if start >= end:
        raise MalformedError("no_number", seen=text.strip())
    return mapped[start:end], start + 1


def excerpt(text: str, most: int = 24) -> str:
    """Return the text cut to what a message can show."""
    shown = "".join(char if char.isprintable() else " " for char in text[: most + 1])
    return shown if len(shown) <= most else shown[:most] + "…"
