"""Points as people type them and as machines read them: exact decimals, never floats."""

import re
from decimal import Decimal

from django.utils.translation import gettext

# What the columns hold; a rubric with thirds belongs on another scale, not in a rounded column.
PLACES = 4
LONGEST = 20

_PLAIN = re.compile(r"(?P<whole>[0-9]{1,5})(?:(?P<mark>[.,])(?P<rest>[0-9]{0,20}))?")
_GROUP = 3


class UnreadablePoints(ValueError):  # noqa: N818 (unreadable text is an answer, not a failure)
    """The text is not one number of points; the error's text says what to write."""


def read_points(text: str) -> Decimal | None:
    """Return the points in a text with a decimal point or comma; ``None`` for an empty one.

    Raises
    ------
    UnreadablePoints
        With what was seen and how to write it.
    """
    text = text.strip().removeprefix("+")
    if not text:
        return None
    seen = text[:LONGEST]
    found = _PLAIN.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        raise UnreadablePoints(
            gettext("“%(seen)s” is no number of points; write for example 7.5") % {"seen": seen}
        )
    whole, rest = found["whole"], found["rest"] or ""
    if found["mark"] == "," and len(rest) == _GROUP and not whole.startswith("0"):
        raise UnreadablePoints(
            gettext("“%(seen)s” can be read as %(decimal)s or as %(grouped)s; write one of them")
            % {"seen": seen, "decimal": f"{whole}.{rest}", "grouped": whole + rest}
        )
    return Decimal(f"{whole}.{rest or 0}")


def has_too_many_digits(points: Decimal) -> bool:
    """Return whether a digit other than zero stands beyond the last place that is kept."""
    return points != points.quantize(Decimal(1).scaleb(-PLACES))
