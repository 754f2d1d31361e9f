"""What marking proposes for each criterion; it counts nowhere until a person saves it."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from assessment.attempts.models import Submission
from assessment.review.models import Review
from assessment.web.numbers import exact
from rubrics.marking import Reason
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
    return {
        title: Decimal(entry["points"])
        for title, entry in _entries(submission).items()
        if entry["points"] is not None
    }


def _reasons(submission: Submission) -> dict[str, str]:
    return {title: _sentence(entry) for title, entry in _entries(submission).items()}


def _entries(submission: Submission) -> Mapping[str, Mapping[str, Any]]:
    check = submission.current_check
    found: Mapping[str, Mapping[str, Any]] = check.proposed.get("criteria", {}) if check else {}
    return found


def _sentence(entry: Mapping[str, Any]) -> str:
    """Say why so many points are proposed, or none."""
    match entry["reason"]:
        case Reason.TRACE:
            credit = exact(_decimal(Fraction(entry["credit"])))
            text = gettext("%(credit)s of %(steps)s steps of the trace hold.")
            text %= {"credit": credit, "steps": entry["steps"]}
            if entry["given"]:
                given = ", ".join(entry["given"])
                text += " " + gettext("Given by the track: %(given)s.") % {"given": given}
            return text
        case Reason.NO_TRACE:
            return gettext("There is no trace to count.")
        case Reason.PREDICTED:
            return gettext("A prediction was stored before the variation was shown.")
        case Reason.NOT_PREDICTED:
            return gettext("No prediction was stored before the variation was shown.")
        case Reason.FOR_A_PERSON:
            return gettext("Something is written here; a person reads it.")
        case Reason.BLANK:
            return gettext("Nothing is written that could show this.")
        case _:
            return ""


def _decimal(credit: Fraction) -> Decimal:
    return Decimal(credit.numerator) / Decimal(credit.denominator)
