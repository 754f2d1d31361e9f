"""Read names: one of several options, or a set of named items."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from exercises.checking.reading.characters import bounded, excerpt
from exercises.checking.reading.errors import BlankError, MalformedError, TooLargeError

MOST_ITEMS = 200

_BREAKS = re.compile(r"[;\n\r\u2028\u2029]+")
_SOFT = re.compile(r"(?:,|&|\band\b)")


class NamesError(ValueError):
    """Names that cannot be told apart; the sentence says which."""


class Names:
    """Named things with their synonyms, told apart without case, accents and blanks.

    Raises
    ------
    NamesError
        Where two things share a name, or a name is empty.
    """

    def __init__(self, synonyms: Mapping[str, Iterable[str]]) -> None:
        self._meant: dict[str, str] = {}
        self.keys = tuple(synonyms)
        for key, others in synonyms.items():
            for name in (key, *others):
                folded = fold(name)
                if not folded:
                    raise NamesError(f"{key!r} has an empty name")
                if self._meant.setdefault(folded, key) != key:
                    raise NamesError(f"{name!r} names both {self._meant[folded]!r} and {key!r}")

        self._longest = max(map(len, self._meant), default=0)

    def meant(self, text: str) -> str | None:
        """Return what the text names, if anything."""
        # Longer than any name with an accent on each letter: not worth taking apart.
        if len("".join(text.split())) > 3 * self._longest + 1:
            return None
        folded = fold(text)
        return self._meant.get(folded) or self._meant.get(folded.rstrip("."))


def fold(text: str) -> str:
    """Return the text without case, accents and blanks."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(
        char for char in decomposed if not unicodedata.combining(char) and not char.isspace()
    )


def read_choice(text: str, options: Names) -> str:
    """Return the option that the text names.

    Raises
    ------
    MalformedError
        Where it names none of them.
    """
    if not bounded(text).strip(" "):
        raise BlankError
    meant = options.meant(text)
    if meant is None:
        raise MalformedError("choice", seen=excerpt(text.strip(), 60))
    return meant


def read_set(text: str, items: Names) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the items that the text names, each once, and the pieces that name none.

    Pieces are separated by semicolons or line breaks; commas, ``&`` and ``and`` separate too
    where what they join is not itself a name.
    """
    if not bounded(text).strip(" "):
        raise BlankError
    pieces = 1 + len(_BREAKS.findall(text)) + len(_SOFT.findall(text))
    if pieces > MOST_ITEMS:
        raise TooLargeError("too_many_entries", seen=pieces, most=MOST_ITEMS)
    found: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for piece in _BREAKS.split(text):
        for meant, seen in _named(piece, items):
            if meant is not None:
                found[meant] = None
            elif seen.strip(" .\t"):
                unknown[excerpt(seen.strip(), 60)] = None
    return tuple(found), tuple(unknown)


def _named(piece: str, items: Names) -> Iterator[tuple[str | None, str]]:
    whole = items.meant(piece)
    if whole is not None:
        yield whole, piece
        return
    marks = [*_SOFT.finditer(piece)]
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(piece)]
    at = 0
    while at < len(starts):
        # A name may hold a comma of its own ("m, v"): the longest run that is a name wins.
        for last in range(min(at + 4, len(starts)) - 1, at - 1, -1):
            seen = piece[starts[at] : ends[last]]
            meant = items.meant(seen)
            if meant is not None or last == at:
                yield meant, seen
                at = last + 1
                break
