"""Read a folder with a session's documents and, where there is one, its checks.yaml."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from exercises.documents.bindings import Checks
from exercises.documents.checks import read_checks
from exercises.documents.exercises import read_exercises
from exercises.documents.guide import read_guide
from exercises.documents.matching import match_bindings
from exercises.documents.session import ExercisePacket, Slides, TeacherGuide
from exercises.documents.slides import read_slides
from exercises.documents.text import Document, DocumentError, bare, open_document

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
    match_bindings(checks, slides, packet, exit_ticket_parts=len(guide.exit_ticket_parts))
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
    for where, boundary in ((name, slides.boundary), (packet_name, packet.boundary)):
        if bare(boundary) != bare(guide.boundary):
            yield f"{where}: the boundary reads otherwise than the guide's, which is the one stored"
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
