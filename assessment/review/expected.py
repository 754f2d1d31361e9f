"""What the reference gives, for the eyes of those who review; learners never see it."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from assessment.attempts.models import Submission
from exercises import references
from exercises.checking.steps import FloatArray

_DIGITS: Final = 6
_MOST_ENTRIES: Final = 40


@dataclass(frozen=True, slots=True)
class ExpectedStep:
    """One step's exact value on the values that the learner was shown."""

    title: str
    text: str
    unit: str


def expected_steps(submission: Submission) -> list[ExpectedStep]:
    """Return the exact values of the trace; none where the reference cannot give them."""
    version = submission.version
    if not version.reference:
        return []
    titles = dict(version.fields.values_list("name", "title"))
    try:
        reference = references.get(version.reference)
        exact = reference.exact_values(reference.read_given(submission.given))
    except (LookupError, ValueError):
        return []  # the submission is uncheckable then, and says why
    return [
        ExpectedStep(
            title=titles.get(step.name, step.name),
            text=_written(exact[step.name]),
            unit=step.unit or "",
        )
        for step in reference.steps
    ]


def _written(value: FloatArray) -> str:
    return np.array2string(
        np.asarray(value),
        separator=", ",
        threshold=_MOST_ENTRIES,
        max_line_width=10_000,
        formatter={"float_kind": lambda entry: f"{entry:.{_DIGITS}g}"},
    )
