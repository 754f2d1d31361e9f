"""Read an array."""

import math
import re
from typing import TypeAlias

from exercises.checking.reading.brackets import Leaf, Tree, parse
from exercises.checking.reading.characters import Decimal, excerpt, prepare
from exercises.checking.reading.errors import MalformedError, ReadingError, TooLargeError
from exercises.checking.reading.numerals import HALVES, PLAIN, measure, number
from exercises.checking.reading.separators import Commas, Entry, ambiguous, readings, rows
from exercises.checking.reading.typed import Typed

MOST_ENTRIES = 1000

_is_plain = re.compile(
    rf"\[{PLAIN}(?:(?:, {PLAIN})*|(?:,{PLAIN})*|(?:; ?{PLAIN})*|(?: {PLAIN})*)\]"
    rf"|{PLAIN}(?:(?:, {PLAIN})+|(?:; ?{PLAIN})+|(?: {PLAIN})+)"
).fullmatch
_plain_entries = re.compile(PLAIN).findall
_is_plain_entry = re.compile(PLAIN).fullmatch

# Blanks inside one number would separate, so they go first. A run of blanks is looked at once:
# the lookbehind keeps a match from starting in its middle.
_GLUE = (
    (re.compile(r"(?<! ) *[*xX] *10 *(?:\^|\*\*) *"), "*10^"),
    (re.compile(r"(?:\^|\*\*) *\( *(?:([+-]) *)?([0-9]+) *\)"), r"^\1\2"),
    (re.compile(r"(?<! ) *[*xX] *(?=10[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹])"), "*"),
    (re.compile(r"(?<! ) */ *"), "/"),
    (re.compile(r"(?<! ) +%"), "%"),
)

Nested: TypeAlias = "Entry | list[Nested]"


def read_array(
    text: str, *, decimal: Decimal = "auto", percent: bool = False, nonfinite: bool = False
) -> Typed:
    """Read a vector, a matrix or an array of more axes.

    Entries are separated by semicolons, blanks, or commas; rows are nested brackets or
    ``[1 2; 3 4]``. Brackets may be left out.

    Parameters
    ----------
    text, decimal, percent, nonfinite
        As in ``read_number``; at most 1,000 entries and 20 levels of brackets.

    Returns
    -------
    Typed
        With the shape as typed; ``[]`` has shape ``(0,)``.

    Raises
    ------
    ReadingError
        What was seen, and where; ``entry`` says in which entry.
    """
    if decimal != "comma" and len(text) <= MOST_ENTRIES and _is_plain(text):
        found = tuple(_plain_entries(text))
        halves = tuple(
            [HALVES[len(entry) - entry.find(".") - 1] if "." in entry else 0.5 for entry in found]
        )
        return Typed((len(found),), tuple(map(float, found)), halves, found)
    body, column = prepare(text)
    for pattern, glued in _GLUE:
        body = pattern.sub(glued, body)
    if any(sign in body for sign in "\\${}"):
        raise MalformedError("latex", seen=excerpt(body))
    tree = parse(body, column)
    leaves = _leaves(tree)
    ways = readings(leaves, decimal)
    options = _Options(decimal, percent=percent, nonfinite=nonfinite)
    if len(ways) == 1:
        return options.read(tree, ways[0])
    results = [options.attempt(tree, way) for way in ways]
    fit = [result for result in results if isinstance(result, Typed)]
    if len(fit) > 1:
        raise ambiguous(leaves, Commas.DECIMAL)
    if not fit and isinstance(results[0], ReadingError):
        raise results[0]
    return fit[0]


class _Options:
    """How the entries of one array are read."""

    def __init__(self, decimal: Decimal, *, percent: bool, nonfinite: bool) -> None:
        self.decimal = decimal
        self.percent = percent
        self.nonfinite = nonfinite

    def attempt(self, tree: Tree, commas: Commas) -> Typed | ReadingError:
        """Read the array one way, or return why that fails."""
        try:
            return self.read(tree, commas)
        except ReadingError as error:
            return error

    def read(self, tree: Tree, commas: Commas) -> Typed:
        """Read the array with its commas read one way."""
        nested = _nest(tree, commas)
        shape = _shape(nested)
        if math.prod(shape) > MOST_ENTRIES:
            raise TooLargeError("too_many_entries", seen=math.prod(shape), most=MOST_ENTRIES)
        entries: list[Entry] = []
        _flatten(nested, len(shape), entries)
        plain: list[str] = []
        flat: list[float] = []
        halves: list[float] = []
        for place, entry in enumerate(entries, 1):
            spelling, value, half = self._entry(entry, place)
            plain.append(spelling)
            flat.append(value)
            halves.append(half)
        return Typed(shape, tuple(flat), tuple(halves), tuple(plain))

    def _entry(self, entry: Entry, place: int) -> tuple[str, float, float]:
        text, column = entry
        if self.decimal != "comma" and _is_plain_entry(text):
            decimals = len(text) - text.find(".") - 1 if "." in text else 0
            return text, float(text), HALVES[decimals]
        if text.endswith(".") and len(text) > 1:
            text = text[:-1]
        try:
            plain = number(
                text, column, self.decimal, percent=self.percent, nonfinite=self.nonfinite
            )
            return plain, *measure(plain)
        except ReadingError as error:
            error.entry = place
            raise


def _leaves(tree: Tree) -> list[Leaf]:
    if isinstance(tree, Leaf):
        return [tree]
    return [leaf for child in tree for leaf in _leaves(child)]


def _nest(tree: Tree, commas: Commas) -> Nested:
    if not isinstance(tree, Leaf):
        return [_nest(child, commas) for child in tree]
    found = rows(tree, commas)
    if len(found) == 1:
        return list(found[0])
    if all(len(row) == 1 for row in found):
        return [row[0] for row in found]
    return [list(row) for row in found]


def _shape(nested: Nested) -> tuple[int, ...]:
    """Return the shape; refuse rows of different lengths."""
    if isinstance(nested, tuple):
        return ()
    shapes = [_shape(child) for child in nested]
    for place, shape in enumerate(shapes, 1):
        if shape != shapes[0]:
            raise MalformedError("ragged", row=place, seen=_size(shape), first=_size(shapes[0]))
    return (len(nested), *(shapes[0] if shapes else ()))


def _size(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) or "1"


def _flatten(nested: Nested, axes: int, into: list[Entry]) -> None:
    if isinstance(nested, tuple):
        into.append(nested)
        return
    for child in nested:
        _flatten(child, axes - 1, into)
