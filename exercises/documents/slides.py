"""Read the slides (text) into ``Slides``; ``cutting`` says where one begins."""

import re
from collections.abc import Collection, Sequence

from exercises.documents.cutting import CutSlide, cut_slides
from exercises.documents.levers import Starts, read_levers
from exercises.documents.notes import read_note
from exercises.documents.session import (
    Check,
    CommonError,
    Levers,
    Mechanism,
    Option,
    Slide,
    Slides,
    TransferChallenge,
    WorkedCase,
)
from exercises.documents.text import (
    DASH,
    MAX_TITLE,
    Document,
    Line,
    bullet,
    numbered,
    title,
    unquoted,
)
from exercises.documents.traces import read_trace

_PLACE = re.compile(
    rf"^(?P<course>.+?)\s+[·•|]\s+(?P<level>.+?)\s+[·•|]\s+Session\s+(?P<number>\d{{1,4}})$"
    rf"|^(?P<course_>.+?)\s+{DASH}\s+(?P<level_>.+?)\s+{DASH}\s+Session\s+(?P<number_>\d{{1,4}})$",
    re.IGNORECASE,
)
_LONGEST_LEVEL = 100
_LONGEST_ADDRESS = 500
_OPTION = re.compile(r"(?:^|(?<=\s))(?P<label>[A-Z])\)\s+")


def read_slides(
    document: Document, *, titles: Collection[str] = (), lever_starts: Starts | None = None
) -> Slides:
    """Read slides whole; raise DocumentError at the first line that cannot be read.

    Parameters
    ----------
    titles
        Titles of slides beyond those that this layout knows.
    lever_starts
        By row of the levers table, counted from 1: the words that begin its further columns.
    """
    cuts = cut_slides(document, titles)
    by_kind: dict[str, list[CutSlide]] = {}
    for cut in cuts:
        by_kind.setdefault(cut.kind, []).append(cut)
    course, level, number, subtitle = _opening(document, cuts[0])
    levers, warnings = _levers(document, by_kind.get("levers", []), lever_starts or {})
    checks = tuple(_check(document, cut) for cut in by_kind["check"])
    unanswered = tuple(
        f"line {cut.heading.number} of {document.name}: the note of this check gives no answer"
        for cut, check in zip(by_kind["check"], checks, strict=True)
        if not check.answer
    )
    cycle, address = _lab(document, by_kind["lab"][0])
    return Slides(
        title=title(document, cuts[0].heading, cuts[0].heading.text),
        subtitle=subtitle,
        course=course,
        level=level,
        number=number,
        slides=tuple(_slide(document, cut) for cut in cuts),
        outcomes=_bullets(document, by_kind["contract"][0]),
        mechanism_map=_drawn(document, by_kind["map"][0].lines),
        mechanisms=_mechanisms(document, by_kind["mechanism"]),
        checks=checks,
        worked_cases=_worked_cases(document, by_kind["case"], by_kind["trace"]),
        levers=levers,
        lab_cycle=cycle,
        lab_address=address,
        common_errors=tuple(_error(document, cut) for cut in by_kind.get("error", [])),
        boundary=_text(document, by_kind["boundary"][0]),
        evidence_status=_text(document, by_kind["evidence"][0]),
        sources=_bullets(document, by_kind["sources"][0]),
        transfer_challenges=tuple(_transfer(document, cut) for cut in by_kind["transfer"]),
        synthesis=_bullets(document, by_kind["synthesis"][0]),
        exit_ticket_parts=tuple(
            part.strip()
            for part in re.split(r"\s*[·•;|]\s*", _text(document, by_kind["ticket"][0]).rstrip("."))
            if part.strip()
        ),
        warnings=(*warnings, *unanswered),
    )


def _opening(document: Document, cut: CutSlide) -> tuple[str, str, int, str]:
    for text in cut.texts:
        match = _PLACE.match(text) if len(text) <= MAX_TITLE else None
        if match is None:
            continue
        course, level = match["course"] or match["course_"], match["level"] or match["level_"]
        subtitle = "\n\n".join(other for other in cut.texts if other != text)
        if len(level) > _LONGEST_LEVEL:
            break
        return course.strip(), level.strip(), int(match["number"] or match["number_"]), subtitle
    raise document.error(
        cut.heading, "the first slide does not say “Course · level · Session number”"
    )


def _slide(document: Document, cut: CutSlide) -> Slide:
    body = "\n\n".join("\n".join(line.text for line in part) for part in cut.body)
    return Slide(title(document, cut.heading, cut.heading.text), body, cut.note)


def _text(document: Document, cut: CutSlide) -> str:
    if not cut.texts:
        raise document.error(cut.heading, f"the slide “{cut.heading.text}” is empty")
    return "\n\n".join(cut.texts)


def _bullets(document: Document, cut: CutSlide) -> tuple[str, ...]:
    found = tuple(text for line in cut.lines if (text := bullet(line)) is not None)
    if not found:
        raise document.error(cut.heading, f"the slide “{cut.heading.text}” has no bullets")
    return found


def _drawn(document: Document, lines: Sequence[Line]) -> str:
    """Return a drawing as it stands, with its blank lines."""
    if not lines:
        return ""
    first, last = lines[0].number, lines[-1].number
    return "\n".join(line.text for line in document.lines if first <= line.number <= last)


def _mechanisms(document: Document, cuts: Sequence[CutSlide]) -> tuple[Mechanism, ...]:
    found: list[Mechanism] = []
    for cut in cuts:
        step = numbered(cut.heading)
        if step is None or not cut.texts:
            raise document.error(cut.heading, f"the slide “{cut.heading.text}” is empty")
        *texts, last = cut.texts
        has_formula = bool(texts) and not last.endswith((".", "?", "!")) and "=" in last
        text = "\n\n".join(texts if has_formula else cut.texts)
        name = title(document, cut.heading, step[1])
        found.append(Mechanism(step[0], name, text, last if has_formula else ""))
    return tuple(found)


def _check(document: Document, cut: CutSlide) -> Check:
    concept = re.split(rf"\s+{DASH}\s+", cut.heading.text, maxsplit=1)[1]
    note = read_note(cut.note)
    return Check(
        concept=title(document, cut.heading, concept),
        prompt=_text(document, cut),
        answer=note.answer,
        wrong_answers=note.wrong_answers,
        remark=note.remark,
    )


def _worked_cases(
    document: Document, cases: Sequence[CutSlide], traces: Sequence[CutSlide]
) -> tuple[WorkedCase, ...]:
    if len(cases) != len(traces):
        raise document.error(
            traces[-1].heading, f"{len(cases)} worked cases have {len(traces)} full traces"
        )
    return tuple(
        WorkedCase(_text(document, case), read_trace(document, trace.heading, trace.body))
        for case, trace in zip(cases, traces, strict=True)
    )


def _levers(
    document: Document, cuts: Sequence[CutSlide], starts: Starts
) -> tuple[Levers, tuple[str, ...]]:
    if not cuts:
        last = document.lines[-1].number
        return Levers("", (), ()), (
            f"line {last} of {document.name}: no table of levers was found in the slides",
        )
    if len(cuts) > 1:
        raise document.error(cuts[1].heading, "a second table of levers stands here")
    name = title(document, cuts[0].heading, cuts[0].heading.text)
    return read_levers(document, name, cuts[0].lines, starts)


def _lab(document: Document, cut: CutSlide) -> tuple[tuple[str, ...], str]:
    address = next((text for text in cut.texts if re.match(r"^(?:https?:/)?/\S+$", text)), "")
    cycle = next((text for text in cut.texts if text != address), "")
    if len(address) > _LONGEST_ADDRESS:
        raise document.error(
            cut.heading, f"the lab's address is longer than {_LONGEST_ADDRESS} characters"
        )
    return tuple(step.strip() for step in re.split(r"→|->", cycle) if step.strip()), address


def _error(document: Document, cut: CutSlide) -> CommonError:
    if len(cut.texts) < 2:  # noqa: PLR2004 - the claim, and what refutes it
        raise document.error(cut.heading, "a common error needs a claim and its refutation")
    return CommonError(unquoted(cut.texts[0]), "\n\n".join(cut.texts[1:]))


def _transfer(document: Document, cut: CutSlide) -> TransferChallenge:
    tasks = tuple(step[1] for line in cut.lines if (step := numbered(line)) is not None)
    text = " ".join(line.text.strip() for line in cut.lines if numbered(line) is None)
    if not text or not tasks:
        raise document.error(cut.heading, "a transfer challenge needs a statement and tasks")
    marks = list(_OPTION.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    note = read_note(cut.note)
    return TransferChallenge(
        statement=text[: marks[0].start()].strip() if marks else text,
        options=tuple(
            Option(mark["label"], text[mark.end() : end].strip().rstrip(";."))
            for mark, end in zip(marks, ends if marks else [], strict=True)
        ),
        tasks=tasks,
        expected=note.expected,
        misconception=note.harvest.text,
        refutation=note.harvest.refutation,
        remark=note.remark,
    )
