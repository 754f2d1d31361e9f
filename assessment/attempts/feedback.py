"""The engine's findings, told to a person beside what was typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from assessment.attempts.completeness import Element
from assessment.attempts.contradicting import turning_step
from assessment.attempts.disclosure import Disclosure, check_for
from assessment.attempts.models import Submission
from exercises.models import Field

# This status says all that there is to say.
_SELF_EVIDENT = "right"


@dataclass(frozen=True)
class StepFeedback:
    """One row of the trace: as typed, with its status in a word."""

    name: str
    data: str
    operation: str
    result: str
    interpretation: str
    status: str
    message: str
    is_break: bool


@dataclass(frozen=True)
class Feedback:
    """What one person is told about one submission; without findings only what was typed."""

    is_open: bool
    steps: list[StepFeedback] = field(default_factory=list)
    written: list[tuple[str, str]] = field(default_factory=list)
    first_break: Mapping[str, Any] | None = None
    faults: Sequence[Mapping[str, Any]] = field(default_factory=list)
    missing: list[Element] = field(default_factory=list)
    # The title of the step that moves against the learner's prediction, where they have seen it.
    turns_at: str = ""

    @property
    def holds(self) -> bool:
        """Whether there is a trace and nothing in it breaks."""
        return self.is_open and bool(self.steps) and not self.faults

    @property
    def has_unreadable(self) -> bool:
        """Whether a step's text could not be read."""
        return any(step.status == "unreadable" for step in self.steps)


def feedback_on(submission: Submission, disclosure: Disclosure) -> Feedback:
    """Return the feedback on a submission, as far as this person may see it."""
    check = check_for(submission, disclosure)
    result: dict[str, Any] = check.result if check else {}
    fields = list(submission.version.fields.all())
    titles = {each.name: each.title for each in fields}
    faults = [_titled(fault, titles) for fault in result.get("faults", [])]
    first = result.get("first_break")
    judged = {step["name"]: step for step in result.get("steps", [])}
    return Feedback(
        is_open=check is not None,
        steps=[
            _step(each, submission, judged.get(each.name, {}), first)
            for each in fields
            if each.kind == Field.Kind.STEP
        ],
        written=[
            (each.title, str(submission.answers.get(each.name, "")))
            for each in fields
            if each.kind != Field.Kind.STEP
        ],
        first_break=_titled(first, titles) if first else None,
        faults=faults,
        turns_at=titles.get(turning_step(submission, result), ""),
        missing=[Element(name) for name in result.get("missing_elements", [])],
    )


def _step(
    each: Field,
    submission: Submission,
    judged: Mapping[str, Any],
    first: Mapping[str, Any] | None,
) -> StepFeedback:
    typed = submission.answers.get(each.name, {})
    parts = typed if isinstance(typed, Mapping) else {"result": typed}
    return StepFeedback(
        name=each.title,
        data=parts.get("data", ""),
        operation=parts.get("operation", ""),
        result=parts.get("result", ""),
        interpretation=parts.get("interpretation", ""),
        status=judged.get("status", ""),
        message=_message(each, submission, judged),
        is_break=bool(first and first["step"] == each.name),
    )


def _message(each: Field, submission: Submission, judged: Mapping[str, Any]) -> str:
    if each.name in submission.given_steps:
        return _("Given by the support track; it earns no points.")
    if judged.get("status") == _SELF_EVIDENT:
        return ""
    return str(judged.get("message", ""))


def _titled(fault: Mapping[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
    return dict(fault) | {"title": titles.get(fault["step"], fault["step"])}
