"""Read the exercises document (text or Markdown) into an ``ExercisePacket``.

One line is one paragraph; headings are known by their words, with or without Markdown's marks.
"""

import re
from collections.abc import Callable, Sequence

from exercises.documents.rubric import RUBRIC_HEADING, read_rubric
from exercises.documents.session import (
    Exercise,
    ExercisePacket,
    Mechanism,
)
from exercises.documents.text import (
    DASH,
    Document,
    Line,
    bare,
    bullet,
    heading_text,
    labelled,
    sentences,
    title,
)

_EXERCISE = re.compile(
    rf"^Exercise (?P<number>\d{{1,3}})\s+{DASH}\s+(?P<title>.+?)(?:\s+{DASH}\s+(?P<concept>.+))?$",
    re.IGNORECASE,
)
_SOLUTION = re.compile(
    r"^(?:[\w-]+\s+){0,3}(?:solution|answer)s?(?:\s+\d+)?$|^elements of an? .*(?:solution|answer)$"
)
_NUMBERED = re.compile(r"^(?P<number>\d{1,3})\.\s+(?P<title>.+)$")
_PACKET_TITLE = re.compile(
    rf"^Exercises(?: with solutions)?\s*(?:{DASH}|:)\s*(?P<title>.+)$", re.IGNORECASE
)
_TAIL = (
    "extension",
    "review before submission",
    "reference appendix for correction",
    "sources and evidence boundary",
)


def read_exercises(document: Document) -> ExercisePacket:
    """Read a packet whole; raise DocumentError at the first line that cannot be read."""
    lines = [line for line in document.lines if not line.is_blank]
    starts = [index for index, line in enumerate(lines) if _EXERCISE.match(heading_text(line))]
    if not starts:
        raise document.error(lines[-1], "no exercise (“Exercise 1 — Title — Concept”) stands here")
    tail = _tail(document, lines, starts[-1])
    ends = [*starts[1:], min(tail.values())]
    exercises = _exercises(document, [lines[a:b] for a, b in zip(starts, ends, strict=True)])
    parts = _parts(lines, tail)
    preface = lines[: starts[0]]
    match = _PACKET_TITLE.match(heading_text(preface[0])) if preface else None
    if match is None:
        raise document.error(lines[0], "the document must begin “Exercises with solutions — Title”")
    introduction, questions, closing = _review(document, parts["review before submission"])
    evidence = parts["sources and evidence boundary"]
    sources = tuple(text for line in evidence[1:] if (text := bullet(line)) is not None)
    if not sources:
        raise document.error(evidence[0], "the section names no sources")
    return ExercisePacket(
        title=title(document, preface[0], match["title"]),
        general_instruction=_label(document, preface, "general instruction"),
        starting_data=_label(document, preface, "starting data"),
        boundary=_label(document, preface, "boundary to retain"),
        exercises=exercises,
        extension=_paragraphs(document, parts["extension"]),
        review_introduction=introduction,
        review_questions=questions,
        review_closing=closing,
        appendix=_appendix(document, parts["reference appendix for correction"]),
        sources=sources,
        evidence_scope=_label(document, evidence, "scope"),
        warnings=(),
    )


def _tail(document: Document, lines: Sequence[Line], after: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for index, line in enumerate(lines):
        name = bare(heading_text(line))
        if name not in _TAIL or bullet(line) is not None:
            continue
        if name in found:
            first = lines[found[name]].number
            raise document.error(line, f"“{heading_text(line)}” also stands on line {first}")
        if index < after:
            raise document.error(line, f"“{heading_text(line)}” stands before the last exercise")
        found[name] = index
    for name in _TAIL:
        if name not in found:
            raise document.error(lines[-1], f"the section “{name.capitalize()}” is missing")
    return found


def _parts(lines: Sequence[Line], tail: dict[str, int]) -> dict[str, Sequence[Line]]:
    """Return each closing section's lines, its heading first."""
    order = sorted(tail, key=tail.__getitem__)
    ends = [*(tail[name] for name in order[1:]), len(lines)]
    return {name: lines[tail[name] : end] for name, end in zip(order, ends, strict=True)}


def _label(document: Document, lines: Sequence[Line], name: str) -> str:
    for line in lines:
        named = labelled(line.text)
        if named is not None and named[0] == name and named[1]:
            return named[1]
    raise document.error(lines[-1], f"“{name.capitalize()}:” is missing here")


def _paragraphs(document: Document, part: Sequence[Line]) -> tuple[str, ...]:
    if len(part) == 1:
        raise document.error(part[0], f"the section “{heading_text(part[0])}” is empty")
    return tuple(line.text.strip() for line in part[1:])


def _review(
    document: Document, part: Sequence[Line]
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    found = [
        sentence
        for paragraph in _paragraphs(document, part)
        for sentence in sentences(paragraph.lstrip("•-* "))
    ]
    asked = [index for index, sentence in enumerate(found) if sentence.endswith("?")]
    if not asked:
        raise document.error(part[0], "the review asks no question")
    questions = tuple(found[index] for index in asked)
    closing = tuple(s for s in found[asked[0] :] if not s.endswith("?"))
    return " ".join(found[: asked[0]]), questions, closing


def _appendix(document: Document, part: Sequence[Line]) -> tuple[Mechanism, ...]:
    body = part[1:]
    starts = [index for index, line in enumerate(body) if _NUMBERED.match(heading_text(line))]
    if not starts or starts[0] != 0:
        raise document.error(part[0], "the appendix must begin with “1. Title”")
    found: dict[int, Mechanism] = {}
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        entry = _entry(document, body[start:end])
        if entry.number in found:
            raise document.error(body[start], f"entry {entry.number} of the appendix stands twice")
        found[entry.number] = entry
    return tuple(found.values())


def _entry(document: Document, part: Sequence[Line]) -> Mechanism:
    match = _NUMBERED.match(heading_text(part[0]))
    if match is None:
        raise document.error(part[0], "is no heading of the appendix")
    texts: list[str] = []
    formula, formula_follows = "", False
    for line in part[1:]:
        named = labelled(line.text)
        if named is not None and named[0] == "working formula":
            formula, formula_follows = named[1], not named[1]
        elif formula_follows:
            formula, formula_follows = line.text, False
        else:
            texts.append(line.text.strip())
    if not texts:
        raise document.error(part[0], f"entry {match['number']} of the appendix has no text")
    name = title(document, part[0], match["title"])
    return Mechanism(int(match["number"]), name, "\n\n".join(texts), formula.strip("` "))


def _exercises(document: Document, parts: Sequence[Sequence[Line]]) -> tuple[Exercise, ...]:
    found: dict[int, Exercise] = {}
    for part in parts:
        exercise = _exercise(document, part)
        if exercise.number in found:
            first = found[exercise.number].line
            raise document.error(part[0], f"exercise {exercise.number} also stands on line {first}")
        found[exercise.number] = exercise
    return tuple(found.values())


def _exercise(document: Document, part: Sequence[Line]) -> Exercise:
    heading = part[0]
    match = _EXERCISE.match(heading_text(heading))
    if match is None:
        raise document.error(heading, "is no heading of an exercise")
    number = int(match["number"])
    solved = _first(part, _is_solution)
    rubric = _first(part, _is_rubric)
    if solved is None:
        raise document.error(heading, f"exercise {number} has no solution below it")
    if rubric is None or rubric < solved:
        raise document.error(
            heading, f"exercise {number} has no “Rubric Exercise {number} — /points” below it"
        )
    prompt, items, deliverable = _prompt(document, part[:solved])
    solution, variant = _solution(document, part[solved:rubric])
    return Exercise(
        number=number,
        title=title(document, heading, match["title"]),
        concept=title(document, heading, match["concept"]) if match["concept"] else "",
        prompt=prompt,
        items=items,
        deliverable=deliverable,
        solution_title=title(document, part[solved], heading_text(part[solved])),
        solution=solution,
        solved_variant=variant,
        rubric=read_rubric(document, part[rubric:], number),
        line=heading.number,
    )


def _is_solution(line: Line) -> bool:
    return bool(_SOLUTION.match(bare(heading_text(line))))


def _is_rubric(line: Line) -> bool:
    return bool(RUBRIC_HEADING.match(heading_text(line)))


def _first(part: Sequence[Line], is_wanted: Callable[[Line], bool]) -> int | None:
    return next((index for index, line in enumerate(part) if is_wanted(line)), None)


def _prompt(
    document: Document, part: Sequence[Line]
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    prompt: list[str] = []
    items: list[str] = []
    deliverable = ""
    for line in part[1:]:
        named = labelled(line.text)
        item = bullet(line)
        if named is not None and named[0] in {"deliverable", "deliverables"}:
            deliverable = named[1]
        elif item is not None:
            items.append(item)
        else:
            prompt.append(line.text.strip())
    if not prompt:
        raise document.error(part[0], "the exercise has no prompt")
    return tuple(prompt), tuple(items), deliverable


def _solution(document: Document, part: Sequence[Line]) -> tuple[tuple[str, ...], str]:
    texts: list[str] = []
    variant = ""
    for line in part[1:]:
        named = labelled(line.text)
        if named is not None and named[0] == "solved variant":
            variant = named[1]
        else:
            texts.append(line.text.strip())
    if not texts:
        raise document.error(part[0], "the solution is empty")
    return tuple(texts), variant
