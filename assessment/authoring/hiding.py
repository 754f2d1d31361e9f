"""What of a session learners must not read yet, as it can be found on a page."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from exercises.documents.text import sentences
from exercises.models import Exercise, Session, Until

_FEWEST_WORDS = 4  # fewer stand by chance in other sentences too
_FEWEST_CHARACTERS = 2  # a digit by itself is on every page
_READ_OF_SESSION = (
    "positioning",
    "general_instruction",
    "starting_data",
    "boundary",
    "evidence_status",
    "evidence_scope",
)
_MARKED = re.compile(r"`[^`]*`|\$[^$]*\$")


@dataclass(frozen=True, slots=True)
class Hidden:
    """A text or a figure, and the events of which one opens it.

    ``exercise`` is the slug of the one whose events count, or empty for the session's.
    """

    text: str
    until: frozenset[str]
    exercise: str
    words: str = ""

    def stands_in(self, page: "Page") -> bool:
        """Whether the page shows it."""
        if self.words:
            return f" {self.words} " in page.words
        figure = re.escape(self.text).replace(r"\.", "[.,]")
        return re.search(rf"(?<![\w.,]){figure}(?!\w|[.,]\d)", page.text) is not None


@dataclass(frozen=True, slots=True)
class Page:
    """All that one page or answer shows, and its words between blanks."""

    name: str
    text: str
    words: str

    @classmethod
    def showing(cls, name: str, texts: Iterable[str]) -> "Page":
        """Return the page of these texts."""
        text = " ".join(texts)
        return cls(name, text, f" {words_of(text)} ")


def words_of(text: str) -> str:
    """Return a text's words and digits, whatever typesetting does to the rest."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def hidden_in(session: Session) -> list[Hidden]:
    """Return everything that a new learner of the session must not read yet."""
    exercises = session.exercises.offered().filter(current__isnull=False).select_related("current")
    return [
        *_figures(session),
        *_lines(session),
        *(each for exercise in exercises for each in _of_exercise(session, exercise)),
    ]


def _figures(session: Session) -> Iterator[Hidden]:
    until: dict[str, set[str]] = {}
    for row in session.withheld_figures.all():
        until.setdefault(row.figure, set()).add(row.until)
    for figure, events in until.items():
        yield Hidden(figure, frozenset(events), "")


def _lines(session: Session) -> Iterator[Hidden]:
    for case in session.workedcases.prefetch_related("lines"):
        shown = {words_of(line.text) for line in case.lines.all() if not line.withheld}
        for line in case.lines.all():
            words = words_of(line.text)
            if line.withheld and words.count(" ") >= _FEWEST_WORDS - 1 and words not in shown:
                yield Hidden(line.text, frozenset({Until.WORKED_CASE}), "", words)


def _of_exercise(session: Session, exercise: Exercise) -> Iterator[Hidden]:
    version = exercise.current
    if version is None:
        return
    formulas = [each.formula for each in session.concepts.all() if each.formula]
    before = frozenset({Until.PREDICTION})
    shown = words_of(" ".join(version.prompt_before))
    for text in version.prompt:
        for sentence in sentences(text):
            words = _longest_run(sentence, formulas)
            if words and words not in shown:
                yield Hidden(sentence, before, exercise.slug, words)
    for figure in _changed(version.given, version.variation):
        yield Hidden(figure, before, exercise.slug)
    read = words_of(" ".join(_read_anyway(session, exercise)))
    for text in (*version.solution, version.solved_variant):
        for sentence in sentences(text):
            words = _longest_run(sentence, formulas)
            if words and words not in read:
                yield Hidden(sentence, frozenset({Until.PUBLICATION}), exercise.slug, words)


def _longest_run(text: str, formulas: list[str]) -> str:
    """Return the words of the longest part of a text that no formula interrupts."""
    parts = _MARKED.split(text)
    for formula in formulas:
        parts = [piece for part in parts for piece in part.split(formula)]
    longest = max((words_of(part) for part in parts), key=len)
    return longest if longest.count(" ") >= _FEWEST_WORDS - 1 else ""


def _changed(given: dict[str, object], variation: dict[str, object]) -> set[str]:
    """Return the numbers that the variation brings in, as they are written."""
    known = {number for value in given.values() for number in _numbers(value)}
    new = {number for value in variation.values() for number in _numbers(value)} - known
    return {number for number in new if len(number) >= _FEWEST_CHARACTERS}


def _numbers(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for entry in value:
            yield from _numbers(entry)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(int(value)) if value == int(value) else repr(value)


def _read_anyway(session: Session, exercise: Exercise) -> Iterator[str]:
    """Yield what learners read of the session at any time: a solution may say it again."""
    version = exercise.current
    for name in _READ_OF_SESSION:
        yield str(getattr(session, name))
    if version is not None:
        yield from (*version.prompt, *version.items, version.deliverable)
    yield from session.concepts.values_list("text", flat=True)
    yield from session.passages.for_learners().values_list("text", flat=True)
    yield from session.classchecks.values_list("prompt", flat=True)
    yield from session.commonerrors.values_list("statement", flat=True)
    for challenge in session.transferchallenges.for_learners():
        yield from (challenge.statement, *challenge.tasks)
