"""What marking proposes for each criterion; it counts nowhere until a person saves it."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from assessment.attempts.models import Submission
from assessment.review.models import Review
from rubrics.models import Rubric


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One criterion as the reviewer sees it."""

    title: str
    evidence: str
    maximum: Decimal
    proposed: Decimal | None
    reason: str
    given: Decimal | None


def rows_of(submission: Submission, rubric: Rubric, review: Review | None) -> list[CriterionRow]:
    """Return the rubric with what is proposed and what a person has given."""
    proposed = proposed_points(submission)
    reasons = _reasons(submission)
    given = {score.title: score.points for score in review.scores.all()} if review else {}
    return [
        CriterionRow(
            title=criterion.title,
            evidence=criterion.get_evidence_display(),
            maximum=criterion.points,
            proposed=proposed.get(criterion.title),
            reason=reasons.get(criterion.title, ""),
            given=given.get(criterion.title),
        )
        for criterion in rubric.criteria.all()
    ]


def proposed_points(submission: Submission) -> dict[str, Decimal]:
    """Return the proposed points by the criterion's title; those without a proposal are absent."""
    found = {}
    for title, entry in _entries(submission).items():
        try:
            found[title] = Decimal(str(entry["points"]))
        except (KeyError, InvalidOperation):
            continue
    return found


def _reasons(submission: Submission) -> dict[str, str]:
    return {title: str(entry.get("reason", "")) for title, entry in _entries(submission).items()}


def _entries(submission: Submission) -> Mapping[str, Mapping[str, Any]]:
    check = submission.current_check
    criteria = check.proposed.get("criteria", {}) if check else {}
    return criteria if isinstance(criteria, Mapping) else {}
