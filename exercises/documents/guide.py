"""Read a teacher guide (Markdown) into a ``TeacherGuide``."""

import re
from collections.abc import Sequence

from exercises.documents.markdown import Block, Section, blocks, only, sections
from exercises.documents.session import (
    DiagnosticQuestion,
    Level,
    Mechanism,
    Misconception,
    PlanRow,
    ProbingQuestion,
    TeacherGuide,
    Track,
)
from exercises.documents.text import (
    DASH,
    MAX_TITLE,
    Document,
    bare,
    labelled,
    place,
    sentences,
    table,
    title,
    unquoted,
)

_TITLE = re.compile(rf"^Teacher(?:'s|’s)? guide\s*(?:{DASH}|:)\s*(?P<title>.+)$", re.IGNORECASE)
_MINUTES = re.compile(
    rf"^(?P<start>\d{{1,4}})\s*{DASH}\s*(?P<end>\d{{1,4}})(?:\s*min\w*\.?)?$", re.IGNORECASE
)
_DURATION = re.compile(
    r"^(?:(?P<hours>\d{1,2})\s*h(?:ours?)?\b[\s,]*(?:and\s+)?)?(?:(?P<minutes>\d{1,4})\s*min)?"
)
_MECHANISM = re.compile(r"^(?P<number>\d{1,3})\.\s+(?P<title>.+)$")
_BOLD = re.compile(r"\*\*(?P<name>[^*]+)\*\*")
_QUOTED = re.compile(r"[“\"«](?P<text>[^”\"»]+)[”\"»]")
_FORMULA = "working formula"
_LONGEST_TRACK = 100
_MINUTES_PER_HOUR = 60


def read_guide(document: Document) -> TeacherGuide:
    """Read a guide whole; raise DocumentError at the first line that cannot be read."""
    found = sections(document)
    facts = _facts(document, found[0])
    plan = only(document, found, "timed plan")
    rows = _plan(document, plan)
    duration = _duration(document, found[0], facts["duration"])
    if rows[-1].end != duration:
        raise document.error(
            plan.heading, f"the plan ends at {rows[-1].end} min, the guide lasts {duration}"
        )
    outcomes = blocks(only(document, found, "observable outcomes and preparation").lines)
    diagnostic = only(document, found, "diagnostic")
    misconceptions = only(document, found, "misconceptions")
    assessment = only(document, found, "assessment")
    evidence = only(document, found, "sources and evidence boundary")
    worked = blocks(only(document, found, "running the worked case").lines)
    instructions, questions = _line_questions(worked[1:])
    if not worked:
        raise document.error(_heading(document, found, "running the worked case"), "is empty")
    ticket, parts = _exit_ticket(document, only(document, found, "exit ticket"))
    mechanisms, warnings = _mechanisms(document, found)
    return TeacherGuide(
        title=_title(document, found[0]),
        duration_minutes=duration,
        positioning=facts["positioning"],
        expected_evidence=facts["expected evidence"],
        outcomes=_items(document, found, "observable outcomes and preparation", "bullet"),
        preparation=tuple(b.text for b in outcomes if b.kind == "text"),
        diagnostic_questions=tuple(
            DiagnosticQuestion(text, _concept(text))
            for text in _items(document, found, "diagnostic", "numbered")
        ),
        teaching_decision=_label(document, diagnostic, "teaching decision"),
        plan=rows,
        mechanisms=mechanisms,
        worked_case_statement=worked[0].text,
        worked_case_instructions=instructions,
        worked_case_questions=questions,
        lab_protocol=_items(document, found, "lab protocol", "numbered"),
        misconceptions=tuple(
            Misconception(unquoted(row.cells[1]), row.cells[2], row.cells[3])
            for row in table(document, misconceptions.lines, 4)
        ),
        boundary=_label(document, misconceptions, "boundary to maintain"),
        probing_questions=tuple(
            ProbingQuestion(text, _concept(text))
            for text in _items(document, found, "probing questions", "numbered")
        ),
        levels=_levels(document, assessment),
        exit_threshold=_label(document, assessment, "exit threshold"),
        observation_rules=_rules(document, found, "observation and remediation protocol"),
        tracks=_tracks(document, only(document, found, "differentiation")),
        follow_up_rules=_rules(document, found, "post-session follow-up"),
        sources=_items(document, found, "sources and evidence boundary", "bullet"),
        evidence_scope=_label(document, evidence, "scope"),
        exit_ticket_instruction=ticket,
        exit_ticket_parts=parts,
        warnings=warnings,
    )


def _title(document: Document, section: Section) -> str:
    match = _TITLE.match(section.title)
    return title(document, section.heading, match["title"] if match else section.title)


def _facts(document: Document, section: Section) -> dict[str, str]:
    facts: dict[str, str] = {}
    for line in section.lines:
        named = labelled(re.sub(r"<br\s*/?>\s*$", "", line.text))
        if named is not None:
            facts[named[0]] = named[1]
    for name in ("duration", "positioning", "expected evidence"):
        if not facts.get(name):
            raise document.error(
                section.heading, f"“{name.capitalize()}:” is missing below the title"
            )
    return facts


def _duration(document: Document, section: Section, text: str) -> int:
    match = _DURATION.match(text)
    if match is None or not (match["hours"] or match["minutes"]):
        raise document.error(section.heading, f"the duration “{text[:40]}” is not “n minutes”")
    return int(match["hours"] or 0) * _MINUTES_PER_HOUR + int(match["minutes"] or 0)


def _heading(document: Document, found: Sequence[Section], name: str) -> int:
    return only(document, found, name).heading.number


def _items(document: Document, found: Sequence[Section], name: str, kind: str) -> tuple[str, ...]:
    section = only(document, found, name)
    items = tuple(block.text for block in blocks(section.lines) if block.kind == kind)
    if not items:
        raise document.error(section.heading, f"the section “{section.title}” has no {kind} items")
    return items


def _label(document: Document, section: Section, name: str) -> str:
    for block in blocks(section.lines):
        named = labelled(block.text)
        if named is not None and named[0] == name and named[1]:
            return named[1]
    raise document.error(
        section.heading, f"“{name.capitalize()}:” is missing in the section “{section.title}”"
    )


def _rules(document: Document, found: Sequence[Section], name: str) -> tuple[str, ...]:
    section = only(document, found, name)
    rules = tuple(sentence for block in blocks(section.lines) for sentence in sentences(block.text))
    if not rules:
        raise document.error(section.heading, f"the section “{section.title}” is empty")
    return rules


def _concept(text: str) -> str:
    match = _BOLD.search(text)
    name = match["name"].strip() if match else ""
    return name if len(name) <= MAX_TITLE else ""


def _plan(document: Document, section: Section) -> tuple[PlanRow, ...]:
    rows: list[PlanRow] = []
    for row in table(document, section.lines, 3):
        match = _MINUTES.match(row.cells[0])
        if match is None:
            raise document.error(row.line, f"“{row.cells[0][:40]}” is not “start–end min”")
        start, end = int(match["start"]), int(match["end"])
        expected = rows[-1].end if rows else 0
        if start != expected:
            raise document.error(row.line, f"the row starts at {start} min, not at {expected}")
        if end <= start:
            raise document.error(row.line, f"the row ends at {end} min, before it starts")
        rows.append(PlanRow(start, end, row.cells[1], row.cells[2]))
    return tuple(rows)


def _mechanisms(
    document: Document, found: Sequence[Section]
) -> tuple[tuple[Mechanism, ...], tuple[str, ...]]:
    notes = only(document, found, "teaching notes")
    mechanisms: list[Mechanism] = []
    lines: dict[int, int] = {}
    warnings: list[str] = []
    start = found.index(notes) + 1
    for section in found[start:]:
        if section.depth <= notes.depth:
            break
        match = _MECHANISM.match(section.title)
        if match is None:
            if bare(section.title) not in {"running the worked case", "lab protocol"}:
                warnings.append(
                    f"{place(document.name, section.heading.number)}: "
                    f"“{section.title}” has no number and is left out"
                )
            continue
        number = int(match["number"])
        if number in lines:
            raise document.error(
                section.heading, f"mechanism {number} also stands on line {lines[number]}"
            )
        lines[number] = section.heading.number
        mechanisms.append(_mechanism(document, section, number, match["title"]))
    if not mechanisms:
        raise document.error(notes.heading, "the teaching notes hold no numbered mechanism")
    return tuple(mechanisms), tuple(warnings)


def _mechanism(document: Document, section: Section, number: int, name: str) -> Mechanism:
    texts: list[str] = []
    formula = ""
    for block in blocks(section.lines):
        named = labelled(block.text)
        if named is not None and named[0] == _FORMULA:
            formula = named[1].strip("` ")
        else:
            texts.append(block.text)
    if not texts:
        raise document.error(section.heading, f"mechanism {number} has no text")
    return Mechanism(number, title(document, section.heading, name), "\n\n".join(texts), formula)


def _line_questions(found: Sequence[Block]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Part the instructions from the questions to ask after each line."""
    instructions: list[str] = []
    questions: list[str] = []
    for block in found:
        head, cut, tail = block.text.partition("After each line ask:")
        instructions += sentences(head)
        if not cut:
            continue
        quoted = _QUOTED.match(tail.strip())
        if quoted is not None:
            questions += sentences(quoted["text"])
            instructions += sentences(tail.strip()[quoted.end() :])
            continue
        for sentence in sentences(tail):
            (questions if sentence.endswith("?") else instructions).append(sentence)
    return tuple(instructions), tuple(questions)


def _levels(document: Document, section: Section) -> tuple[Level, ...]:
    levels: list[Level] = []
    for row in table(document, section.lines, 2):
        if not re.fullmatch(r"\d{1,2}", row.cells[0]):
            raise document.error(row.line, f"the level “{row.cells[0][:40]}” is not a number")
        number = int(row.cells[0])
        if any(level.number == number for level in levels):
            raise document.error(row.line, f"level {number} stands twice")
        levels.append(Level(number, row.cells[1]))
    return tuple(levels)


def _tracks(document: Document, section: Section) -> tuple[Track, ...]:
    tracks: list[Track] = []
    for block in blocks(section.lines):
        if block.kind != "bullet":
            continue
        match = re.match(r"^\*\*(?P<name>[^*:]+):?\*\*:?\s*(?P<text>.+)$", block.text)
        if match is None:
            raise document.error(block.line, "a track is written “- **Name:** text”")
        name = title(document, block.line, match["name"])
        if len(name) > _LONGEST_TRACK:
            raise document.error(block.line, "the track's name is too long")
        tracks.append(Track(name, match["text"]))
    if not tracks:
        raise document.error(section.heading, "the section “Differentiation” has no tracks")
    return tuple(tracks)


def _exit_ticket(document: Document, section: Section) -> tuple[str, tuple[str, ...]]:
    text = " ".join(block.text for block in blocks(section.lines))
    first = next(iter(sentences(text)), "")
    parts = tuple(
        title(document, section.heading, part)
        for part in first.partition(":")[2].rstrip(".").split(";")
        if part.strip()
    )
    if not parts:
        raise document.error(
            section.heading, "the exit ticket names no parts (“In no more than …: a; b; c.”)"
        )
    return text, parts
