"""Proposes points by criterion; a person decides."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from assessment.attempts.completeness import shown_elements
from assessment.attempts.models import Prediction, Submission
from exercises.models import ExerciseVersion, Field
from rubrics import marking
from rubrics.models import Criterion, Rubric

_INTERPRETATION: Final = "interpretation"


class Proposer:
    """Marks the answers of one exercise version; what it needs is read once for a whole batch."""

    def __init__(self, version: ExerciseVersion, submissions: Iterable[Submission]) -> None:
        rubric = Rubric.objects.filter(version=version).order_by("-number").first()
        criteria = list(rubric.criteria.all()) if rubric else []
        self._fields = list(version.fields.all())
        self._criteria = [
            marking.Criterion(each.title, each.points, each.evidence) for each in criteria
        ]
        cases = [submission.case_id for submission in submissions]
        self._predicted: Mapping[UUID, datetime] = dict(
            Prediction.objects.filter(case__in=cases).values_list("case", "created_at")
        )

    def propose(self, submission: Submission, result: Mapping[str, Any]) -> dict[str, Any]:
        """Return the proposal as it is stored: total, maximum, and each criterion by its title."""
        predicted_at = self._predicted.get(submission.case_id)
        evidence = marking.Evidence(
            steps=result["steps"],
            is_predicted=predicted_at is not None and predicted_at <= submission.submitted_at,
            written=written_evidence(self._fields, submission.answers),
            given_steps=submission.given_steps,
        )
        proposals = marking.propose(self._criteria, evidence)
        known = [each.points for each in proposals if each.points is not None]
        return {
            "total": f"{marking.total(known):f}" if known else None,
            "maximum": f"{marking.total(each.maximum for each in proposals):f}",
            "criteria": marking.as_json(proposals),
        }


def written_evidence(fields: Sequence[Field], answers: Mapping[str, Any]) -> set[str]:
    """Return the kinds of written evidence for which there is any text to read."""
    kinds = Criterion.Evidence
    shown = shown_elements(fields, answers)
    found = set()
    if Field.Element.DATA in shown:
        found.add(kinds.SHAPES.value)
    if Field.Element.LIMITATION in shown:
        found.add(kinds.LIMITATION.value)
    if any(_interprets(each, answers.get(each.name)) for each in fields):
        found.add(kinds.INTERPRETATION.value)
    if any(answers.get(each.name) for each in fields if each.kind != Field.Kind.STEP):
        found.add(kinds.TEXT.value)
    return found


def _interprets(field: Field, answer: object) -> bool:
    if isinstance(answer, Mapping):
        return bool(answer.get(_INTERPRETATION))
    return field.name == _INTERPRETATION and bool(answer)
