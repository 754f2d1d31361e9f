"""Hold checks.yaml against the documents: whatever it names must stand there."""

from collections.abc import Iterator

from exercises.documents.bindings import Checks, ExerciseBinding
from exercises.documents.session import Exercise, ExercisePacket, Slides
from exercises.documents.text import DocumentError, bare, sentences


def match_bindings(
    checks: Checks, slides: Slides, packet: ExercisePacket, *, exit_ticket_parts: int
) -> None:
    """Raise DocumentError at the first binding that names what the documents do not hold."""
    by_key = {f"exercise-{exercise.number}": exercise for exercise in packet.exercises}
    for key, binding in checks.exercises.items():
        if key not in by_key:
            reason = f"exercises.{key}: the documents hold no such exercise"
            raise DocumentError(checks.name, binding.line, reason)
        _match_exercise(checks, binding, by_key[key])
    for line, reason in _missing(checks, slides, exit_ticket_parts):
        raise DocumentError(checks.name, line, reason)
    for rule in checks.figures:
        for place in rule.places:
            if place.startswith("exercise-") and place not in by_key:
                raise DocumentError(checks.name, rule.line, f"figures: there is no {place}")


def _missing(checks: Checks, slides: Slides, parts: int) -> Iterator[tuple[int | None, str]]:
    """Yield the places, counted, that lie beyond what the documents hold."""
    count = len(slides.checks)
    for check in checks.checks:
        if check.position > count:
            yield check.line, f"checks.{check.position}: the slides hold {count} checks"
    case = checks.worked_case
    if case is not None:
        count = len(slides.worked_cases[0].lines)
        for line in (*case.steps, *case.shown):
            if line > count:
                yield case.line, f"worked_case: line {line} is named, the full trace has {count}"
    count = len(slides.levers.rows)
    for row in checks.lever_starts:
        if row > count:
            yield None, f"slides.levers.starts.{row}: the table has {count} rows"
    lengths = len(checks.exit_ticket_lengths)
    if lengths not in {0, parts}:
        yield None, f"exit_ticket.lengths: {lengths} lengths for {parts} parts"


def _match_exercise(checks: Checks, binding: ExerciseBinding, exercise: Exercise) -> None:
    key = f"exercises.{binding.key}"
    titles = [bare(criterion.title) for criterion in exercise.rubric.criteria]
    for name in binding.criteria:
        if name not in titles:
            reason = f"{key}.criteria: the rubric has no criterion “{name}”"
            raise DocumentError(checks.name, binding.line, reason)
    prompt = [sentence for text in exercise.prompt for sentence in sentences(text)]
    for withheld in binding.withheld:
        if not any(withheld.applies(n, text) for n, text in enumerate(prompt, start=1)):
            reason = f"{key}.withheld: the prompt holds no such sentence"
            raise DocumentError(checks.name, withheld.line, reason)
        shown = (*exercise.items, exercise.deliverable, exercise.title)
        if withheld.mentions and any(withheld.applies(0, text) for text in shown):
            reason = (
                f"{key}.withheld: “{withheld.mentions}” also stands in the items, the deliverable "
                "or the title, which are shown at once"
            )
            raise DocumentError(checks.name, withheld.line, reason)
