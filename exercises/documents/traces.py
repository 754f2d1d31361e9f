"""Read the full trace of a worked case, line by line, with its sections and its ticks."""

import re
from collections.abc import Iterable, Sequence

from exercises.documents.session import WorkedLine
from exercises.documents.text import MAX_TITLE, Document, Line

# A section begins a paragraph in capitals: SHIFT INVARIANCE: …; a formula's name (CE = …) does not.
_SECTION = re.compile(r"^(?P<name>[A-Z][A-Z0-9/×&'’-]*(?: [A-Z0-9][A-Z0-9/×&'’-]*)*)(?=\s*[:,(]|$)")
_LETTERS_OF_A_SECTION = 4
_RIGHT = re.compile(r"[✅✔✓]")
_WRONG = re.compile(r"[❌✗✘]")


def read_trace(
    document: Document, heading: Line, paragraphs: Iterable[Sequence[Line]]
) -> tuple[WorkedLine, ...]:
    """Return the lines of a trace; a section lasts until the next one begins."""
    found: list[WorkedLine] = []
    section = ""
    for paragraph in paragraphs:
        for position, line in enumerate(paragraph):
            text = line.text.strip()
            match = _SECTION.match(text) if position == 0 else None
            if match and _is_section(match["name"]):
                section = match["name"]
                text = text[match.end() :].lstrip(" :,").strip()
            if text:
                found.append(WorkedLine(section, text, _mark(text)))
    if not found:
        raise document.error(heading, "the full trace is empty")
    return tuple(found)


def _is_section(name: str) -> bool:
    letters = sum(character.isalpha() for character in name)
    return letters >= _LETTERS_OF_A_SECTION and len(name) <= MAX_TITLE


def _mark(text: str) -> str:
    if _WRONG.search(text):
        return "wrong"
    return "right" if _RIGHT.search(text) else ""
