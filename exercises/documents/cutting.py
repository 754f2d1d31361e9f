"""Cut the slides apart, and give each its instructor note.

Slides follow one another without a mark: one begins where a paragraph begins with a title that this
layout knows, or that checks.yaml declares. The notes stand at the end and belong to the slides by
order alone.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from exercises.documents.text import Document, Line, bare, numbered

Paragraph = tuple[Line, ...]

_NOTE = re.compile(r"^\s*Instructor notes?\s*:\s*", re.IGNORECASE)
_KINDS = {
    "contract": r"session contract",
    "map": r"mechanism map",
    "check": r"check(?: \d+)? - .+",
    "case": r"worked case(?: \d+)? - data",
    "trace": r"worked case(?: \d+)? - full trace",
    "lab": r"causal lab",
    "error": r"common error(?: \d+)?",
    "boundary": r"validity boundary",
    "evidence": r"evidence status",
    "sources": r"sources to inspect",
    "transfer": r"transfer challenge(?: \d+)?",
    "synthesis": r"synthesis",
    "ticket": r"exit ticket",
}
_ONCE = ("contract", "map", "lab", "boundary", "evidence", "sources", "synthesis", "ticket")
_NEEDED = (*_ONCE, "case", "trace", "mechanism", "check", "transfer")
_NAMES = {
    "contract": "Session contract",
    "map": "Mechanism map",
    "mechanism": "1. (a mechanism)",
    "check": "Check — (a mechanism)",
    "case": "Worked case — data",
    "trace": "Worked case — full trace",
    "lab": "Causal lab",
    "boundary": "Validity boundary",
    "evidence": "Evidence status",
    "sources": "Sources to inspect",
    "transfer": "Transfer challenge",
    "synthesis": "Synthesis",
    "ticket": "Exit ticket",
}


@dataclass(frozen=True, slots=True)
class CutSlide:
    """A slide as it was cut: its kind, its title's line, the paragraphs below it, its note."""

    kind: str
    heading: Line
    body: tuple[Paragraph, ...]
    note: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Each paragraph as one text."""
        return tuple(" ".join(line.text.strip() for line in part) for part in self.body)

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines of all paragraphs."""
        return tuple(line for part in self.body for line in part)


def cut_slides(document: Document, titles: Collection[str]) -> list[CutSlide]:
    """Return the slides in order; a missing one, or another number of notes, is an error."""
    shown, notes = _notes(document)
    cuts = _with_notes(document, _cut(document, _paragraphs(shown), titles), notes)
    by_kind: dict[str, list[CutSlide]] = {}
    for cut in cuts:
        by_kind.setdefault(cut.kind, []).append(cut)
    _require(document, by_kind, shown[-1])
    return cuts


def _notes(document: Document) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """Part what is shown from the notes behind it; a note goes on until the next begins."""
    first = next((i for i, line in enumerate(document.lines) if _NOTE.match(line.text)), None)
    if first is None:
        raise document.error(document.lines[-1], "no instructor note stands behind the slides")
    notes: list[str] = []
    for line in document.lines[first:]:
        if _NOTE.match(line.text):
            notes.append(_NOTE.sub("", line.text).strip())
            if not notes[-1]:
                raise document.error(line, "the instructor note is empty")
        elif not line.is_blank:
            notes[-1] = f"{notes[-1]} {line.text.strip()}"
    return document.lines[:first], tuple(notes)


def _paragraphs(lines: Iterable[Line]) -> tuple[Paragraph, ...]:
    found: list[list[Line]] = [[]]
    for line in lines:
        if line.is_blank:
            found.append([])
        else:
            found[-1].append(line)
    return tuple(tuple(part) for part in found if part)


def _cut(
    document: Document, paragraphs: Sequence[Paragraph], titles: Collection[str]
) -> list[CutSlide]:
    if not paragraphs:
        raise document.error(1, "no slide stands before the instructor notes")
    declared = {bare(name) for name in titles}
    cuts: list[tuple[str, Line, list[Paragraph]]] = []
    mechanisms = 0
    for index, paragraph in enumerate(paragraphs):
        kind = "opening" if index == 0 else _kind(paragraph, mechanisms + 1, cuts)
        if not kind and bare(paragraph[0].text) in declared:
            kind = "other"
        if kind in {"", "other"} and _is_levers(paragraphs[index : index + 3]):
            kind = "levers"
        mechanisms += kind == "mechanism"
        if kind:
            cuts.append((kind, paragraph[0], [paragraph[1:]] if len(paragraph) > 1 else []))
        else:
            cuts[-1][2].append(paragraph)
    return [CutSlide(kind, heading, tuple(body)) for kind, heading, body in cuts]


def _kind(
    paragraph: Paragraph, next_mechanism: int, before: Sequence[tuple[str, Line, list[Paragraph]]]
) -> str:
    line = paragraph[0]
    if line.text[:1].isspace():
        return ""
    name = bare(line.text)
    for kind, pattern in _KINDS.items():
        if re.fullmatch(pattern, name):
            return kind
    step = numbered(line)
    past_mechanisms = any(kind in {"case", "trace"} for kind, _, _ in before)
    if step is not None and not past_mechanisms and step[0] == next_mechanism:
        return "mechanism"
    return ""


def _is_levers(paragraphs: Sequence[Paragraph]) -> bool:
    """Whether a title, a table without marks and, perhaps, the causal lab's title follow here."""
    if len(paragraphs) < 2:  # noqa: PLR2004 - a title and its table
        return False
    heading, rows = paragraphs[0], paragraphs[1]
    if len(heading) != 1 or len(rows) < 2:  # noqa: PLR2004 - a header and a row
        return False
    if any(line.text[:1].isspace() for line in (*heading, *rows)):
        return False
    says_so = "lever" in bare(heading[0].text) or bare(rows[0].text).startswith("lever")
    before_lab = len(paragraphs) > 2 and bare(paragraphs[2][0].text) == "causal lab"  # noqa: PLR2004
    return says_so or (before_lab and not any(line.text.endswith(".") for line in rows))


def _with_notes(
    document: Document, cuts: Sequence[CutSlide], notes: Sequence[str]
) -> list[CutSlide]:
    if len(notes) != len(cuts):
        last = cuts[-1].heading
        raise document.error(
            last,
            f"{len(cuts)} slides are followed by {len(notes)} instructor notes; they belong "
            "together by order, so the two counts must be equal (a slide with a title of its own "
            "is declared in checks.yaml: slides, titles)",
        )
    return [
        CutSlide(cut.kind, cut.heading, cut.body, note)
        for cut, note in zip(cuts, notes, strict=True)
    ]


def _require(document: Document, by_kind: dict[str, list[CutSlide]], last: Line) -> None:
    for kind in _NEEDED:
        if kind not in by_kind:
            raise document.error(last, f"the slide “{_NAMES[kind]}” is missing")
    for kind in _ONCE:
        if len(by_kind[kind]) > 1:
            first = by_kind[kind][0].heading.number
            raise document.error(
                by_kind[kind][1].heading, f"the slide “{_NAMES[kind]}” also stands on line {first}"
            )
