"""Read the shape of an array: names and sizes of axes."""

import re

from exercises.checking.reading.characters import LETTER, WORD, excerpt, prepare
from exercises.checking.reading.errors import MalformedError, TooLargeError

MOST_AXES = 32

_SIZE = re.compile(r"[1-9][0-9]{0,17}")
_NAME = re.compile(rf"{LETTER}{WORD}{{0,31}}")
_SEPARATORS = (
    re.compile(r"(?<! ) *[,;] *"),
    re.compile(r"(?<! ) *\* *"),
    re.compile(r"(?<! ) +x +"),
)
_CLOSE_X = re.compile(r"[A-Z0-9]+(?:x[A-Z0-9]+)+")
_BLANKS = re.compile(r" +")


def read_shape(text: str) -> tuple[str | int, ...]:
    """Read a shape such as ``(B, T, V)``, ``B×T×V``, ``2 x 4`` or ``[2 4]``.

    Returns
    -------
    tuple of str and int
        One name or size for each axis; sizes are whole and positive.

    Raises
    ------
    ReadingError
    """
    body, column = prepare(text)
    star = next((at for at, char in enumerate(text) if char in "*·"), None)
    if star is not None:
        raise MalformedError("shape_product", column=star + 1, seen=text[star])
    inner = body
    if body[0] in "([":
        if body[-1] != {"(": ")", "[": "]"}[body[0]] or len(body) == 1:
            raise MalformedError("bracket_open", column=column)
        inner = body[1:-1].strip(" ")
        inner = inner[:-1].rstrip(" ") if re.fullmatch(r"[^,;]+,", inner) else inner
    axes = _split(inner) if inner else []
    if len(axes) > MOST_AXES:
        raise TooLargeError("too_many_axes", seen=len(axes), most=MOST_AXES)
    return tuple(map(_axis, axes))


def _split(inner: str) -> list[str]:
    for separator in _SEPARATORS:
        if separator.search(inner):
            return separator.split(inner)
    if _CLOSE_X.fullmatch(inner):
        return inner.split("x")
    return _BLANKS.split(inner)


def _axis(text: str) -> str | int:
    if _SIZE.fullmatch(text):
        return int(text)
    if _NAME.fullmatch(text):
        return text
    raise MalformedError("axis", seen=excerpt(text))
