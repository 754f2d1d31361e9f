"""Read a folder with a session's documents and, where there is one, its checks.yaml."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from exercises.documents.bindings import Checks, ExerciseBinding
from exercises.documents.checks import read_checks
from exercises.documents.exercises import read_exercises
from exercises.documents.guide import read_guide
from exercises.documents.session import Exercise, ExercisePacket, Slides, TeacherGuide
from exercises.documents.slides import read_slides
from exercises.documents.text import Document, DocumentError, bare, open_document, sentences

_SUFFIXES = {".md", ".txt", ".markdown"}
_CHECKS = "checks.yaml"


@dataclass(frozen=True, slots=True)
class Package:
    """All documents of one session, read and checked against each other."""

    guide: TeacherGuide
    slides: Slides
    packet: ExercisePacket
    checks: Checks
    warnings: tuple[str, ...]

    def counts(self) -> dict[str, object]:
        """Return how many of each thing the documents hold."""
        guide, slides, packet = self.guide, self.slides, self.packet
        totals = [exercise.rubric.total for exercise in packet.exercises]
        return {
            "outcomes": len(guide.outcomes),
            "diagnostic_questions": len(guide.diagnostic_questions),
            "plan_rows": len(guide.plan),
            "plan_minutes": sum(row.end - row.start for row in guide.plan),
            "concepts": len(guide.mechanisms),
            "formulas": sum(bool(mechanism.formula) for mechanism in guide.mechanisms),
            "misconceptions": len(guide.misconceptions),
            "common_errors": len(slides.common_errors),
            "probing_questions": len(guide.probing_questions),
            "levels": len(guide.levels),
            "checks": len(slides.checks),
            "expected_answers": sum(bool(check.answer) for check in slides.checks),
            "expected_wrong_answers": sum(len(check.wrong_answers) for check in slides.checks),
            "levers": len(slides.levers.rows),
            "exercises": len(packet.exercises),
            "rubric_points": [int(t) if t == int(t) else float(t) for t in totals],
            "exit_ticket_parts": len(guide.exit_ticket_parts),
            "instructor_notes": len(slides.slides),
            "sources": len(guide.sources),
            "differentiation_tracks": len(guide.tracks),
            "review_questions": len(packet.review_questions),
            "worked_cases": len(slides.worked_cases),
            "transfer_challenges": len(slides.transfer_challenges),
        }


def read_package(folder: Path, checks_path: Path | None = None) -> Package:
    """Read a session's folder whole; raise DocumentError at the first thing that is unusable.

    Parameters
    ----------
    folder
        Holds one document each whose name says guide, slides or exercises (.md or .txt).
    checks_path
        The checks.yaml to use instead of the one in the folder; without either, nothing is bound.
    """
    paths = {kind: _find(folder, kind) for kind in ("guide", "slides", "exercises")}
    if checks_path is None and (folder / _CHECKS).is_file():
        checks_path = folder / _CHECKS
    checks = read_checks(open_document(checks_path)) if checks_path else Checks()
    documents = {kind: open_document(path) for kind, path in paths.items()}
    guide = read_guide(documents["guide"])
    slides = read_slides(
        documents["slides"], titles=checks.titles, lever_starts=checks.lever_starts
    )
    packet = read_exercises(documents["exercises"])
    _check_bindings(checks, slides, packet, len(guide.exit_ticket_parts))
    warnings = (
        *guide.warnings,
        *slides.warnings,
        *packet.warnings,
        *_disagreements(documents, guide, slides, packet),
        *_unbound(documents["exercises"], checks, packet),
    )
    return Package(guide, slides, packet, checks, warnings)


def _find(folder: Path, kind: str) -> Path:
    try:
        names = sorted(folder.iterdir())
    except OSError as error:
        raise DocumentError(folder.name or str(folder), None, "is no folder to read") from error
    found = [
        path
        for path in names
        if kind in path.stem.casefold()
        and path.suffix.casefold() in _SUFFIXES
        and not path.name.startswith((".", "~"))
    ]
    if not found:
        raise DocumentError(
            folder.name or str(folder), None, f"holds no document whose name says “{kind}”"
        )
    if len(found) > 1:
        both = ", ".join(path.name for path in found)
        raise DocumentError(folder.name, None, f"holds several documents for “{kind}”: {both}")
    return found[0]


def _check_bindings(checks: Checks, slides: Slides, packet: ExercisePacket, parts: int) -> None:
    by_key = {f"exercise-{exercise.number}": exercise for exercise in packet.exercises}
    for key, binding in checks.exercises.items():
        if key not in by_key:
            raise DocumentError(
                checks.name, binding.line, f"exercises.{key}: the documents hold no such exercise"
            )
        _check_exercise(checks, binding, by_key[key])
    for check in checks.checks:
        if check.position > len(slides.checks):
            reason = f"checks.{check.position}: the slides hold {len(slides.checks)} checks"
            raise DocumentError(checks.name, check.line, reason)
    case = checks.worked_case
    if case is not None:
        lines = len(slides.worked_cases[0].lines)
        for line in (*case.steps, *case.shown):
            if line > lines:
                reason = f"worked_case: line {line} is named, the full trace has {lines}"
                raise DocumentError(checks.name, case.line, reason)
    for row in checks.lever_starts:
        if row > len(slides.levers.rows):
            reason = f"slides.levers.starts.{row}: the table has {len(slides.levers.rows)} rows"
            raise DocumentError(checks.name, None, reason)
    if checks.exit_ticket_lengths and len(checks.exit_ticket_lengths) != parts:
        reason = f"exit_ticket.lengths: {len(checks.exit_ticket_lengths)} for {parts} parts"
        raise DocumentError(checks.name, None, reason)
    for rule in checks.figures:
        for place in rule.places:
            if place.startswith("exercise-") and place not in by_key:
                raise DocumentError(checks.name, rule.line, f"figures: there is no {place}")


def _check_exercise(checks: Checks, binding: ExerciseBinding, exercise: Exercise) -> None:
    titles = [bare(criterion.title) for criterion in exercise.rubric.criteria]
    for name in binding.criteria:
        if name not in titles:
            reason = f"exercises.{binding.key}.criteria: the rubric has no criterion “{name}”"
            raise DocumentError(checks.name, binding.line, reason)
    for withheld in binding.withheld:
        if not any(withheld.applies(n, s) for n, s in enumerate(prompt_sentences(exercise), 1)):
            reason = f"exercises.{binding.key}.withheld: the prompt holds no such sentence"
            raise DocumentError(checks.name, withheld.line, reason)


def prompt_sentences(exercise: Exercise) -> tuple[str, ...]:
    """Return the sentences of a prompt's paragraphs in order; they are counted from 1."""
    return tuple(sentence for text in exercise.prompt for sentence in sentences(text))


def _disagreements(
    documents: dict[str, Document], guide: TeacherGuide, slides: Slides, packet: ExercisePacket
) -> Iterator[str]:
    """Yield where the documents do not say the same; each is imported as it is."""
    name, packet_name = documents["slides"].name, documents["exercises"].name
    if len({bare(title) for title in (guide.title, slides.title, packet.title)}) > 1:
        yield (
            f"line 1 of {name}: the titles differ: “{guide.title}”, “{slides.title}”, "
            f"“{packet.title}”"
        )
    concepts = [bare(mechanism.title) for mechanism in guide.mechanisms]
    for where, mechanisms in ((name, slides.mechanisms), (packet_name, packet.appendix)):
        if [bare(mechanism.title) for mechanism in mechanisms] != concepts:
            yield (
                f"{where}: {len(mechanisms)} mechanisms do not match the guide's {len(concepts)}, "
                "title by title"
            )
    if len(slides.exit_ticket_parts) != len(guide.exit_ticket_parts):
        yield (
            f"{name}: the exit ticket has {len(slides.exit_ticket_parts)} parts, the guide's has "
            f"{len(guide.exit_ticket_parts)}"
        )
    for where, sources in ((name, slides.sources), (packet_name, packet.sources)):
        if len(sources) != len(guide.sources):
            yield f"{where}: {len(sources)} sources, the guide has {len(guide.sources)}"


def _unbound(document: Document, checks: Checks, packet: ExercisePacket) -> Iterator[str]:
    for exercise in packet.exercises:
        if f"exercise-{exercise.number}" not in checks.exercises:
            yield (
                f"line {exercise.line} of {document.name}: exercise {exercise.number} is not bound "
                "in checks.yaml; its answers are written, and a person marks all of them"
            )
