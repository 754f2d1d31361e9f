"""Which commas separate entries and which are decimal marks, and the entries that result."""

import re
from collections.abc import Sequence
from enum import Enum

from exercises.checking.reading.brackets import Leaf
from exercises.checking.reading.characters import Decimal, excerpt
from exercises.checking.reading.errors import AmbiguousError, MalformedError

Entry = tuple[str, int]


class Commas(Enum):
    """What the commas of an array do; blanks and semicolons always separate."""

    SEPARATE = re.compile(r"(?<! ) *, *")
    SPACED_SEPARATE = re.compile(r"(?<! ) +, *|, +")
    DECIMAL = None


_COMMA = re.compile(r"(?P<before> )?,(?P<after> )?")
_WHOLE = re.compile(r"[+-]?[0-9]+")


def readings(leaves: Sequence[Leaf], decimal: Decimal) -> tuple[Commas, ...]:
    """Return the ways to read the commas: one, or two of which one must fail.

    Raises
    ------
    AmbiguousError
        Where two ways are possible whatever they give.
    """
    commas = [found for leaf in leaves for found in _COMMA.finditer(leaf.text)]
    commas = [found for leaf in leaves for found in _COMMA.finditer(leaf.text)]
    _refuse_last(leaves)
    spaced = sum(found["before"] is not None or found["after"] is not None for found in commas)
    if not commas or decimal == "point" or spaced == len(commas):
        return (Commas.SEPARATE,)
    if spaced and decimal == "comma":
        return (Commas.SPACED_SEPARATE,)
    if spaced:
        raise ambiguous(leaves, Commas.SPACED_SEPARATE)
    return _bare(leaves, decimal)


def _bare(leaves: Sequence[Leaf], decimal: Decimal) -> tuple[Commas, ...]:
    """Return the ways to read commas none of which has a blank beside it."""
    bracketed = leaves[0].bracketed
    if any(";" in leaf.text for leaf in leaves):
        both = bracketed and decimal == "auto"
        return (Commas.DECIMAL, Commas.SEPARATE) if both else (Commas.DECIMAL,)
    if any(" " in leaf.text.strip(" ") for leaf in leaves):
        return (Commas.DECIMAL,)
    if bracketed and decimal == "auto":
        return (Commas.SEPARATE,)
    parts = [part for leaf in leaves for part in leaf.text.strip(" ").split(",")]
    if decimal == "comma" and len(parts) == 2 and not bracketed:  # noqa: PLR2004 - around one mark
        return (Commas.DECIMAL,)
    if len(parts) % 2 == 0 and all(map(_WHOLE.fullmatch, parts)):
        raise ambiguous(leaves, Commas.DECIMAL)
    return (Commas.SEPARATE,)


def _refuse_last(leaves: Sequence[Leaf]) -> None:
    """Refuse a comma with no entry behind it."""
    for leaf in leaves:
        text = leaf.text.rstrip(" ")
        if text.endswith(","):
            raise MalformedError("empty_entry", column=leaf.column + len(text))


def ambiguous(leaves: Sequence[Leaf], second: Commas) -> AmbiguousError:
    """Return the error that shows the text with commas that separate, and the second way."""
    seen = excerpt("; ".join(leaf.text.strip(" ") for leaf in leaves))
    first, other = _shown(leaves, Commas.SEPARATE), _shown(leaves, second)
    if re.search(r"\.[^; ]*[.+-]", other):
        return AmbiguousError("unclear_commas", seen=seen, first=first)
    return AmbiguousError("ambiguous_commas", seen=seen, first=first, second=other)


def rows(leaf: Leaf, commas: Commas) -> list[list[Entry]]:
    """Return the entries of a leaf, in rows where semicolons make rows.

    Raises
    ------
    MalformedError
        For an entry with nothing in it, or a sign alone.
    """
    if not leaf.text.strip(" "):
        return [[]]
    found: list[list[Entry]] = []
    column = leaf.column
    for part in leaf.text.split(";"):
        found.append(
            [entry for piece, at in _pieces(part, commas, column) for entry in _words(piece, at)]
        )
        column += len(part) + 1
    return found


def _pieces(part: str, commas: Commas, column: int) -> list[Entry]:
    if commas.value is None:
        return [(part, column)]
    found: list[Entry] = []
    start = 0
    for mark in commas.value.finditer(part):
        found.append((part[start : mark.start()], column + start))
        start = mark.end()
    return [*found, (part[start:], column + start)]


def _words(piece: str, column: int) -> list[Entry]:
    found = [(word[0], column + word.start()) for word in re.finditer(r"[^ ]+", piece)]
    if not found:
        raise MalformedError("empty_entry", column=column)
    if found[0][0] in {"+", "-"} and len(found) == 2:  # noqa: PLR2004 - a sign and its number
        return [(found[0][0] + found[1][0], found[0][1])]
    return found


def _shown(leaves: Sequence[Leaf], commas: Commas) -> str:
    """Return the entries as one reading has them, spelt without commas."""
    rows_shown: list[str] = []
    parts = [part for leaf in leaves for part in leaf.text.split(";")]
    between = " " if len(parts) > 1 else "; "
    for part in parts:
        words = [word for piece, _ in _pieces(part, commas, 0) for word in piece.split()]
        if commas is Commas.DECIMAL and len(parts) == len(words) == 1:
            words = re.findall(r"[^,]+,[^,]+", words[0])
        rows_shown.append(between.join(word.replace(",", ".") for word in words))
    return f"[{excerpt('; '.join(rows_shown), 60)}]"
