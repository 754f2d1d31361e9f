"""Nested brackets: what is inside which, before anything inside is read."""

from dataclasses import dataclass
from typing import TypeAlias

from exercises.checking.reading.errors import MalformedError, TooLargeError

MOST_NESTED = 20
CLOSES = {"[": "]", "(": ")"}


@dataclass(frozen=True, slots=True)
class Leaf:
    """Text with no brackets in it, and the column where it starts."""

    text: str
    column: int
    bracketed: bool


Tree: TypeAlias = "Leaf | list[Tree]"


@dataclass(slots=True)
class _Open:
    """A bracket not closed yet."""

    closes: str
    start: int
    children: list[Tree]
    read_to: int


def parse(body: str, column: int) -> Tree:
    """Return the tree of brackets; text without any is one leaf.

    Raises
    ------
    MalformedError
        For a bracket that is not closed, or closed by another, or text in between.
    TooLargeError
        Beyond ``MOST_NESTED`` levels.
    """
    if body[0] not in CLOSES:
        at = next((at for at, char in enumerate(body) if char in "[]()"), None)
        if at is not None:
            raise MalformedError("bracket", column=column + at, seen=body[at])
        return Leaf(body, column, bracketed=False)
    stack: list[_Open] = []
    for at, char in enumerate(body):
        if char in CLOSES:
            if stack:
                _between(body, stack[-1], at, column, first=not stack[-1].children)
            if len(stack) == MOST_NESTED:
                raise TooLargeError("too_deep", column=column + at, most=MOST_NESTED)
            stack.append(_Open(CLOSES[char], at + 1, [], at + 1))
        elif char in "])":
            node = _close(body, stack.pop(), at, column)
            if not stack:
                if at + 1 < len(body):
                    raise MalformedError(
                        "after_bracket", column=column + at + 1, seen=body[at + 1 :][:24]
                    )
                return node
            stack[-1].children.append(node)
            stack[-1].read_to = at + 1
    raise MalformedError("bracket_open", column=column + stack[-1].start - 1)


def _close(body: str, opened: _Open, at: int, column: int) -> Tree:
    if body[at] != opened.closes:
        raise MalformedError("bracket", column=column + at, seen=body[at])
    if not opened.children:
        return Leaf(body[opened.start : at], column + opened.start, bracketed=True)
    rest = body[opened.read_to : at].strip(" ")
    if rest:
        raise MalformedError("between_rows", column=column + opened.read_to, seen=rest[:24])
    return opened.children


def _between(body: str, opened: _Open, at: int, column: int, *, first: bool) -> None:
    """Refuse anything but one separator between two brackets of a level."""
    seen = body[opened.read_to : at].strip(" ")
    if seen and (first or seen not in {",", ";"}):
        raise MalformedError("between_rows", column=column + opened.read_to, seen=seen[:24])
