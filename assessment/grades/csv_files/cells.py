"""Text that a spreadsheet program must not run, and back again.

A cell that begins like a formula gets an apostrophe in front; so does what follows a semicolon, a
tab or a line break, since a program that splits there would see a cell of its own. Apostrophes
that stand there already get one more, so that reading takes away exactly what writing added.
Numbers are never touched: they are written as numbers, not as text.
"""

import re
from datetime import UTC, datetime
from decimal import Decimal

from assessment.review.points import plain

_FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_FIRST = rf"\A(?='*[{_FORMULA}\t\r\n])"
_INNER = rf"(?<=[;\t\r\n])(?='*[{_FORMULA}])"
_UNSAFE = re.compile(f"{_FIRST}|{_INNER}")
_MADE_SAFE = re.compile(rf"\A'(?='*[{_FORMULA}\t\r\n])|(?<=[;\t\r\n])'(?='*[{_FORMULA}])")

Value = str | int | Decimal | datetime | None


def make_safe(text: str) -> str:
    """Return the text with an apostrophe wherever a formula could begin.

    >>> make_safe("=1+1"), make_safe("a;=1"), make_safe("'=1"), make_safe("plain")
    ("'=1+1", "a;'=1", "''=1", 'plain')
    """
    return _UNSAFE.sub("'", text)


def restore(text: str) -> str:
    """Return the text as it was before ``make_safe``.

    >>> restore("'=1+1"), restore("a;'=1"), restore("'tis")
    ('=1+1', 'a;=1', "'tis")
    """
    return _MADE_SAFE.sub("", text)


def cell(value: Value) -> str:
    """Return what stands in a cell: numbers as they are, text made safe, times in UTC."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return plain(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return make_safe(value)
