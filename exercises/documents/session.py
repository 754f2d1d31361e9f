"""The nouns that a session's documents hold, frozen; texts are kept as their author typed them."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class DiagnosticQuestion:
    """One question asked before class; ``concept`` is the name in bold, or empty."""

    text: str
    concept: str


@dataclass(frozen=True, slots=True)
class PlanRow:
    """Minutes ``start`` to ``end`` of the class."""

    start: int
    end: int
    activity: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A numbered mechanism with what one document says about it; no formula is empty."""

    number: int
    title: str
    text: str
    formula: str


@dataclass(frozen=True, slots=True)
class Misconception:
    """An observable misconception, its grounded correction, and what to ask."""

    statement: str
    correction: str
    probe: str


@dataclass(frozen=True, slots=True)
class ProbingQuestion:
    """A question about removing or reversing a concept."""

    text: str
    concept: str


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the scale."""

    number: int
    criterion: str


@dataclass(frozen=True, slots=True)
class Track:
    """A differentiation track."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class TeacherGuide:
    """Everything in a teacher guide."""

    title: str
    duration_minutes: int
    positioning: str
    expected_evidence: str
    outcomes: tuple[str, ...]
    preparation: tuple[str, ...]
    diagnostic_questions: tuple[DiagnosticQuestion, ...]
    teaching_decision: str
    plan: tuple[PlanRow, ...]
    mechanisms: tuple[Mechanism, ...]
    worked_case_statement: str
    worked_case_instructions: tuple[str, ...]
    worked_case_questions: tuple[str, ...]
    lab_protocol: tuple[str, ...]
    misconceptions: tuple[Misconception, ...]
    boundary: str
    probing_questions: tuple[ProbingQuestion, ...]
    levels: tuple[Level, ...]
    exit_threshold: str
    observation_rules: tuple[str, ...]
    tracks: tuple[Track, ...]
    follow_up_rules: tuple[str, ...]
    sources: tuple[str, ...]
    evidence_scope: str
    exit_ticket_instruction: str
    exit_ticket_parts: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide; ``body`` keeps its line ends, ``note`` is the instructor's."""

    title: str
    body: str
    note: str


@dataclass(frozen=True, slots=True)
class ExpectedWrongAnswer:
    """What a learner is expected to say wrongly, and what the note answers to it, or empty."""

    text: str
    refutation: str


@dataclass(frozen=True, slots=True)
class Check:
    """A question put to the class; the answers and the remark come from the instructor's note."""

    concept: str
    prompt: str
    answer: str
    wrong_answers: tuple[ExpectedWrongAnswer, ...]
    remark: str


@dataclass(frozen=True, slots=True)
class WorkedLine:
    """One line of a full trace; ``mark`` is ``right``, ``wrong`` or empty, as ticked there."""

    section: str
    text: str
    mark: str


@dataclass(frozen=True, slots=True)
class WorkedCase:
    """A worked case: its data, and its full trace line by line."""

    statement: str
    lines: tuple[WorkedLine, ...]


@dataclass(frozen=True, slots=True)
class Levers:
    """A table of levers; each row has as many cells as there are columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class CommonError:
    """A wrong claim and its refutation."""

    statement: str
    refutation: str


@dataclass(frozen=True, slots=True)
class Option:
    """A lettered option of a transfer challenge."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class TransferChallenge:
    """A new case; everything from ``expected`` on comes from the instructor's note."""

    statement: str
    options: tuple[Option, ...]
    tasks: tuple[str, ...]
    expected: str
    misconception: str
    refutation: str
    remark: str


@dataclass(frozen=True, slots=True)
class Slides:
    """Everything in the slides; the slides stand in their order, each with its note."""

    title: str
    subtitle: str
    course: str
    level: str
    number: int
    slides: tuple[Slide, ...]
    outcomes: tuple[str, ...]
    mechanism_map: str
    mechanisms: tuple[Mechanism, ...]
    checks: tuple[Check, ...]
    worked_cases: tuple[WorkedCase, ...]
    levers: Levers
    lab_cycle: tuple[str, ...]
    lab_address: str
    common_errors: tuple[CommonError, ...]
    boundary: str
    evidence_status: str
    sources: tuple[str, ...]
    transfer_challenges: tuple[TransferChallenge, ...]
    synthesis: tuple[str, ...]
    exit_ticket_parts: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A rubric's criterion and its points."""

    title: str
    points: Decimal


@dataclass(frozen=True, slots=True)
class Rubric:
    """An exercise's criteria; their points add up to ``total``."""

    total: Decimal
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise of the packet; ``items`` are the prompt's bullets, ``line`` is its heading's."""

    number: int
    title: str
    concept: str
    prompt: tuple[str, ...]
    items: tuple[str, ...]
    deliverable: str
    solution_title: str
    solution: tuple[str, ...]
    solved_variant: str
    rubric: Rubric
    line: int


@dataclass(frozen=True, slots=True)
class ExercisePacket:
    """Everything in the exercises document."""

    title: str
    general_instruction: str
    starting_data: str
    boundary: str
    exercises: tuple[Exercise, ...]
    extension: tuple[str, ...]
    review_introduction: str
    review_questions: tuple[str, ...]
    review_closing: tuple[str, ...]
    appendix: tuple[Mechanism, ...]
    sources: tuple[str, ...]
    evidence_scope: str
    warnings: tuple[str, ...]
