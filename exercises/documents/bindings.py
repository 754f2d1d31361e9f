"""The nouns of checks.yaml: what binds prompts to references, and what is withheld.

``line`` is where an entry stands in the file, for messages; it takes no part in comparisons
(nor does ``vary_line``).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from exercises.documents.yamltree import Plain

Given = Mapping[str, Plain]


@dataclass(frozen=True, slots=True)
class FieldBinding:
    """Something that a learner fills in; ``element`` is what of the general instruction it shows.

    For a check in class, ``reference``, ``given`` and ``step`` say where the expected value comes
    from; ``expected`` holds it where no reference computes it.
    """

    name: str
    kind: str
    title: str = ""
    hint: str = ""
    unit: str = ""
    shape: tuple[str, ...] = ()
    tolerance: Given = field(default_factory=dict)
    options: Given = field(default_factory=dict)
    expected: Plain = None
    at_least: int = 0
    max_length: int = 2000
    element: str = ""
    given_on_support: bool = False
    reference: str = ""
    given: Given = field(default_factory=dict)
    step: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Withheld:
    """Withheld sentences of a prompt: all that ``mentions`` a text, or the nth."""

    mentions: str
    sentence: int
    until: str
    line: int = field(default=0, compare=False)

    def applies(self, number: int, sentence: str) -> bool:
        """Whether this names a sentence, the ``number``-th of its prompt, counted from 1."""
        if not self.mentions:
            return number == self.sentence
        whole = rf"(?<![\w.,]){re.escape(self.mentions)}(?!\w|[.,]\d)"
        return re.search(whole, sentence) is not None


@dataclass(frozen=True, slots=True)
class ExerciseBinding:
    """What checks.yaml says of one exercise; ``criteria`` maps a criterion to its evidence."""

    key: str
    reference: str = ""
    given: Given = field(default_factory=dict)
    variation: Given = field(default_factory=dict)
    vary: Given = field(default_factory=dict)
    predict: str = ""
    numbers: str = "common"
    fields: tuple[FieldBinding, ...] = ()
    criteria: Mapping[str, str] = field(default_factory=dict)
    withheld: tuple[Withheld, ...] = ()
    attempts: int = 3
    feedback: str = "at_once"
    decimal: str = "auto"
    line: int = field(default=0, compare=False)
    vary_line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class CheckBinding:
    """What checks.yaml says of one check in class, counted from 1."""

    position: int
    fields: tuple[FieldBinding, ...]
    feedback: str = "revealed"
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class WorkedCaseBinding:
    """What checks.yaml says of the worked case.

    ``steps`` maps a line of the full trace, counted from 1, to the step whose answer opens it;
    ``shown`` are the lines that print no result.
    """

    reference: str
    given: Given
    steps: Mapping[int, str]
    shown: tuple[int, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Figures:
    """Printed results that are blanked in some places of the documents."""

    figures: tuple[str, ...]
    places: tuple[str, ...]
    until: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Checks:
    """Everything in checks.yaml; the empty one binds nothing."""

    name: str = "checks.yaml"
    titles: tuple[str, ...] = ()
    lever_starts: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    exercises: Mapping[str, ExerciseBinding] = field(default_factory=dict)
    checks: tuple[CheckBinding, ...] = ()
    worked_case: WorkedCaseBinding | None = None
    exit_ticket_lengths: tuple[int, ...] = ()
    figures: tuple[Figures, ...] = ()
