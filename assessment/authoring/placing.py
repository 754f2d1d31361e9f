"""Place a package's material, everything but its exercises, below a session."""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Model
from django.utils.text import slugify

from assessment.authoring.rows import numbered, place
from exercises.documents.bindings import CheckBinding, Checks, FieldBinding
from exercises.documents.package import Package
from exercises.documents.session import WorkedCase as WorkedCaseData
from exercises.documents.text import bare
from exercises.models import (
    ClassCheck,
    CommonError,
    Concept,
    DiagnosticQuestion,
    ExitTicketPart,
    ExpectedWrongAnswer,
    LeverCell,
    LeverTable,
    Misconception,
    Passage,
    PlanRow,
    ProbingQuestion,
    Session,
    Slide,
    Track,
    TransferChallenge,
    TransferOption,
    WithheldFigure,
    WorkedCase,
    WorkedLine,
)
from rubrics.models import Level, Scale

_POSITION = ("position",)
_TRACKS = ("support", "core", "extension")


def place_material(session: Session, package: Package, checks: Checks) -> None:
    """Make the session's material equal to the package's."""
    _place_guide(session, package)
    _place_concepts(session, package)
    _place_passages(session, package)
    _place_slides(session, package, checks)
    _place_worked_cases(session, package, checks)
    _place_transfers(session, package)
    _place_levers(session, package)
    _place_exit_ticket(session, package, checks)
    figures = [
        {"place": where, "figure": figure, "until": rule.until}
        for rule in checks.figures
        for where in rule.places
        for figure in rule.figures
    ]
    distinct = {(row["place"], row["figure"]): row for row in figures}
    place(WithheldFigure, {"session": session}, ("place", "figure"), distinct.values())


def _plain(session: Session, model: type[Model], items: Sequence[Any]) -> None:
    """Place rows whose fields are the data's own."""
    rows = numbered(items, dataclasses.asdict)
    place(model, {"session": session}, _POSITION, rows)


def _place_guide(session: Session, package: Package) -> None:
    guide = package.guide
    _plain(session, DiagnosticQuestion, guide.diagnostic_questions)
    _plain(session, ProbingQuestion, guide.probing_questions)
    _plain(session, PlanRow, guide.plan)
    _plain(session, Misconception, guide.misconceptions)
    _plain(session, CommonError, package.slides.common_errors)
    tracks = numbered(
        guide.tracks, lambda t: {"key": _track_key(t.name), "name": t.name, "text": t.text}
    )
    place(Track, {"session": session}, _POSITION, tracks)
    scale, _created = Scale.objects.get_or_create(session=session)
    levels = [{"number": each.number, "criterion": each.criterion} for each in guide.levels]
    place(Level, {"scale": scale}, ("number",), levels)


def _track_key(name: str) -> str:
    """Return a track's key: the enrolment's word where the name says it (“Core path”: core)."""
    return next((key for key in _TRACKS if key in bare(name).split()), slugify(name)[:100])


def _place_concepts(session: Session, package: Package) -> None:
    shown = {bare(mechanism.title): mechanism for mechanism in package.slides.mechanisms}
    appendix = {bare(mechanism.title): mechanism for mechanism in package.packet.appendix}
    rows = []
    for position, noted in enumerate(package.guide.mechanisms, start=1):
        slide, entry = shown.get(bare(noted.title), noted), appendix.get(bare(noted.title))
        rows.append(
            {
                "position": position,
                "number": noted.number,
                "title": noted.title,
                "text": slide.text,
                "formula": slide.formula or noted.formula,
                "teaching_note": noted.text,
                "appendix": entry.text if entry else "",
                "appendix_formula": entry.formula if entry else "",
            }
        )
    place(Concept, {"session": session}, _POSITION, rows)


def _place_passages(session: Session, package: Package) -> None:
    guide, slides, packet, kind = package.guide, package.slides, package.packet, Passage.Kind
    introduction = (packet.review_introduction,) if packet.review_introduction else ()
    texts: Mapping[Passage.Kind, Sequence[str]] = {
        kind.OUTCOME: guide.outcomes,
        kind.PREPARATION: guide.preparation,
        kind.WORKED_CASE_INSTRUCTION: guide.worked_case_instructions,
        kind.WORKED_CASE_QUESTION: guide.worked_case_questions,
        kind.LAB_PROTOCOL: guide.lab_protocol,
        kind.LAB_CYCLE: slides.lab_cycle,
        kind.OBSERVATION_RULE: guide.observation_rules,
        kind.FOLLOW_UP_RULE: guide.follow_up_rules,
        kind.SOURCE: guide.sources,
        kind.SYNTHESIS: slides.synthesis,
        kind.EXTENSION: packet.extension,
        kind.REVIEW_INTRODUCTION: introduction,
        kind.REVIEW_QUESTION: packet.review_questions,
        kind.REVIEW_CLOSING: packet.review_closing,
    }
    rows = [
        {"kind": name.value, "position": position, "text": text}
        for name, found in texts.items()
        for position, text in enumerate(found, start=1)
    ]
    place(Passage, {"session": session}, ("kind", "position"), rows)


def _place_slides(session: Session, package: Package, checks: Checks) -> None:
    _plain(session, Slide, package.slides.slides)
    bound = {binding.position: binding for binding in checks.checks}
    rows = [
        {
            "position": position,
            "concept": check.concept,
            "prompt": check.prompt,
            "answer": check.answer,
            "remark": check.remark,
            **_binding(bound.get(position)),
        }
        for position, check in enumerate(package.slides.checks, start=1)
    ]
    stored = place(ClassCheck, {"session": session}, _POSITION, rows)
    for row, check in zip(stored, package.slides.checks, strict=True):
        wrong = numbered(check.wrong_answers, dataclasses.asdict)
        place(ExpectedWrongAnswer, {"check_asked": row}, _POSITION, wrong)


def _binding(binding: CheckBinding | None) -> dict[str, Any]:
    if binding is None:
        return {"binding": {}, "feedback": "revealed"}
    fields = [_field(field) for field in binding.fields]
    return {"binding": {"fields": fields}, "feedback": binding.feedback}


def _field(field: FieldBinding) -> dict[str, Any]:
    """Return a field as JSON, without what it leaves empty."""
    values = dataclasses.asdict(field)
    values.pop("line")
    values["shape"] = list(field.shape)
    return {name: value for name, value in values.items() if value not in ("", 0, None, {}, [])}


def _place_worked_cases(session: Session, package: Package, checks: Checks) -> None:
    binding = checks.worked_case
    rows = []
    for position, case in enumerate(package.slides.worked_cases, start=1):
        is_bound = binding is not None and position == 1
        rows.append(
            {
                "position": position,
                "statement": case.statement,
                "guide_statement": package.guide.worked_case_statement if position == 1 else "",
                "reference": binding.reference if binding and is_bound else "",
                "given": dict(binding.given) if binding and is_bound else {},
            }
        )
    stored = place(WorkedCase, {"session": session}, _POSITION, rows)
    for row, case in zip(stored, package.slides.worked_cases, strict=True):
        lines = _lines(case, checks if row.position == 1 else Checks())
        place(WorkedLine, {"case": row}, _POSITION, lines)


def _lines(case: WorkedCaseData, checks: Checks) -> list[dict[str, Any]]:
    """Return the lines; unbound, all but the first are withheld until the case is answered."""
    binding = checks.worked_case
    shown = binding.shown if binding else (1,)
    steps = binding.steps if binding else {}
    return [
        {
            "position": position,
            **dataclasses.asdict(line),
            "withheld": position not in shown,
            "step": steps.get(position, ""),
        }
        for position, line in enumerate(case.lines, start=1)
    ]


def _place_transfers(session: Session, package: Package) -> None:
    rows = []
    for position, challenge in enumerate(package.slides.transfer_challenges, start=1):
        values = dataclasses.asdict(challenge)
        values.pop("options")
        rows.append({"position": position, **values, "tasks": list(challenge.tasks)})
    stored = place(TransferChallenge, {"session": session}, _POSITION, rows)
    for row, challenge in zip(stored, package.slides.transfer_challenges, strict=True):
        options = numbered(challenge.options, dataclasses.asdict)
        place(TransferOption, {"challenge": row}, _POSITION, options)


def _place_levers(session: Session, package: Package) -> None:
    levers = package.slides.levers
    tables = [{"position": 1, "title": levers.title, "columns": list(levers.columns)}]
    stored = place(LeverTable, {"session": session}, _POSITION, tables if levers.rows else [])
    for table in stored:
        cells = [
            {"row": row, "column": column, "text": text}
            for row, texts in enumerate(levers.rows, start=1)
            for column, text in enumerate(texts, start=1)
        ]
        place(LeverCell, {"table": table}, ("row", "column"), cells)


def _place_exit_ticket(session: Session, package: Package, checks: Checks) -> None:
    names = package.guide.exit_ticket_parts
    short = package.slides.exit_ticket_parts
    lengths = checks.exit_ticket_lengths or (400,) * len(names)
    rows = [
        {
            "position": position,
            "name": name,
            "short_name": short[position - 1] if len(short) == len(names) else name,
            "max_length": lengths[position - 1],
        }
        for position, name in enumerate(names, start=1)
    ]
    place(ExitTicketPart, {"session": session}, _POSITION, rows)


_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def most_lines(instruction: str, parts: int) -> int:
    """Return how many lines an exit ticket may have, as its instruction says; else one a part."""
    match = re.search(
        r"\b(\d{1,2}|" + "|".join(_NUMBER_WORDS) + r")\s+lines?\b", instruction.lower()
    )
    if match is None:
        return parts
    word = match[1]
    return int(word) if word.isdigit() else _NUMBER_WORDS.index(word)
