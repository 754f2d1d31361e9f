"""Cut a Markdown guide into sections, and a section into blocks; only the marks guides use."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from exercises.documents.text import Document, Line, bare, bullet, numbered, title

_HEADING = re.compile(r"^(?P<marks>#{1,6})\s+(?P<text>.*?)\s*#*$")

Kind = Literal["text", "bullet", "numbered", "quote", "table"]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the lines below it, down to the next heading."""

    depth: int
    title: str
    heading: Line
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list item, a quotation or a table row; wrapped lines are joined."""

    kind: Kind
    line: Line
    text: str


def sections(document: Document) -> tuple[Section, ...]:
    """Cut a document at its headings; what stands before the first is refused."""
    found: list[Section] = []
    heading: Line | None = None
    depth, name, body = 0, "", list[Line]()
    for line in document.lines:
        match = _HEADING.match(line.text)
        if match is None:
            if heading is None and not line.is_blank:
                raise document.error(line, "the guide must begin with its heading (# Title)")
            body.append(line)
            continue
        if heading is not None:
            found.append(Section(depth, name, heading, tuple(body)))
        heading, depth, body = line, len(match["marks"]), []
        name = title(document, line, match["text"])
    if heading is None:
        raise document.error(None, "holds no heading")
    found.append(Section(depth, name, heading, tuple(body)))
    return tuple(found)


def only(document: Document, found: Sequence[Section], name: str) -> Section:
    """Return the section of this name; missing or doubled is an error."""
    matching = [section for section in found if bare(section.title) == name]
    if not matching:
        last = document.lines[-1].number
        raise document.error(last, f"the section “{name.capitalize()}” is missing")
    if len(matching) > 1:
        first = matching[0].heading.number
        raise document.error(
            matching[1].heading, f"the section “{matching[1].title}” also stands on line {first}"
        )
    return matching[0]


def blocks(lines: Iterable[Line]) -> tuple[Block, ...]:
    """Cut lines into blocks; a line that continues a paragraph or item joins it."""
    found: list[Block] = []
    after_blank = True
    for line in lines:
        if line.is_blank:
            after_blank = True
            continue
        kind, text = _kind(line)
        joins = kind == "text" and not after_blank and found and found[-1].kind != "table"
        quotes_on = kind == "quote" and not after_blank and found and found[-1].kind == "quote"
        if joins or quotes_on:
            last = found[-1]
            found[-1] = Block(last.kind, last.line, f"{last.text} {text}")
        else:
            found.append(Block(kind, line, text))
        after_blank = False
    return tuple(found)


def _kind(line: Line) -> tuple[Kind, str]:
    text = line.text.strip().removesuffix("<br>").strip()
    if text.startswith("|"):
        return "table", text
    if text.startswith(">"):
        return "quote", text.lstrip("> ").strip()
    item = bullet(line)
    if item is not None:
        return "bullet", item
    step = numbered(line)
    if step is not None:
        return "numbered", step[1]
    return "text", text
