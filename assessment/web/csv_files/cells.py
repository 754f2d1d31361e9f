"""Text that a spreadsheet program must neither run nor rewrite, and back again.

A cell that begins like a formula gets an apostrophe in front; so does what follows a semicolon, a
tab or a line break, since a program that splits there would see a cell of its own. For spreadsheet
programs the same mark keeps text that they would take for a number or a date and write otherwise:
``00123`` comes back as 123, ``1E5`` as 100000, ``1/2`` as a day. Apostrophes that stand there
already get one more, so that reading takes away exactly what writing added. Numbers are never
touched: they are written as numbers, not as text.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from assessment.web.numbers import plain

_FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
# No repetition gives back what it took (``*+``): a long run of one character costs one look.
_FIRST = rf"\A(?='*+[{_FORMULA}\t\r\n])"
_INNER = rf"(?<=[;\t\r\n])(?='*+[{_FORMULA}])"
# English, French and German: what the programs of those languages take for a month.
_MONTH = (
    "jan(?:uary|uar|v|vier)?|feb(?:ruary|ruar)?|févr(?:ier)?|mar(?:ch|s)?|märz?|mrz|apr(?:il)?|avr(?:il)?"
    "|may|mai|june?|juni|juin|july?|juli|juil(?:let)?|aug(?:ust)?|août|sept?|september|septembre"
    "|oct(?:ober|obre)?|okt(?:ober)?|nov(?:ember|embre)?|dec(?:ember)?|dez(?:ember)?|déc(?:embre)?"
)
# A whole number of at most 15 digits comes back as it was; anything else like a number may not.
_NUMBER = r"(?!(?:0|[1-9][0-9]{0,14})\Z)[\s$€£¥(]*[.,]?\d[\d.,:/\-+\s'’eE%)]*(?:[ap]\.?m\.?)?"
_DATE = rf"(?=.*\d)(?:\d{{1,4}}[\s./-]*+)?(?:{_MONTH})\.?[\s./-]*+\d{{0,4}}(?:,?\s*\d{{2,4}})?"
_GUESSED = rf"(?i:{_NUMBER}|{_DATE}|true|false)\Z"

_UNSAFE = re.compile(f"{_FIRST}|{_INNER}|\\A(?='++{_GUESSED})")
_UNSAFE_OR_GUESSED = re.compile(f"{_FIRST}|{_INNER}|\\A(?='*+{_GUESSED})")
_MADE_SAFE = re.compile(
    rf"\A'(?='*+(?:[{_FORMULA}\t\r\n]|{_GUESSED}))|(?<=[;\t\r\n])'(?='*+[{_FORMULA}])"
)

Value = str | int | Decimal | datetime | None


@dataclass(frozen=True, slots=True)
class Notation:
    """How a file is written: for whom, and with which decimal mark.

    Programs that write a decimal comma separate cells by semicolons, and take ``2.125`` for 2125.
    """

    for_spreadsheets: bool = True
    decimal_comma: bool = False

    @property
    def separator(self) -> str:
        """What stands between cells."""
        return ";" if self.decimal_comma else ","


def make_safe(text: str, *, keep: bool = True) -> str:
    """Return the text with an apostrophe wherever a formula could begin.

    ``keep`` marks also what a spreadsheet program would take for a number or a date.

    >>> make_safe("=1+1"), make_safe("a;=1"), make_safe("'=1"), make_safe("plain")
    ("'=1+1", "a;'=1", "''=1", 'plain')
    >>> make_safe("00123"), make_safe("1E5"), make_safe("123"), make_safe("00123", keep=False)
    ("'00123", "'1E5", '123', '00123')
    """
    return (_UNSAFE_OR_GUESSED if keep else _UNSAFE).sub("'", text)


def restore(text: str) -> str:
    """Return the text as it was before ``make_safe``.

    >>> restore("'=1+1"), restore("a;'=1"), restore("'tis"), restore("'00123")
    ('=1+1', 'a;=1', "'tis", '00123')
    """
    return _MADE_SAFE.sub("", text)


def cell(value: Value, notation: Notation) -> str:
    """Return what stands in a cell: numbers as they are, text made safe, times in UTC."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return plain(value).replace(".", "," if notation.decimal_comma else ".")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return make_safe(value, keep=notation.for_spreadsheets)
