"""Who sees what of a submission: one answer for pages, API, exports and mail alike."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from assessment.attempts.models import Check, Submission
from assessment.cohorts.models import Enrolment, User
from exercises.models import ExerciseVersion


@dataclass(frozen=True)
class Disclosure:
    """What one person may see of one submission.

    ``feedback``: each step's status and the first break. ``points``: points, level, tag and note
    of a person. ``provisional``: proposed points and a person's unreleased ones. ``reason``: the
    full reason of a check that failed.
    """

    feedback: bool
    points: bool
    provisional: bool
    reason: bool

    @property
    def is_staff(self) -> bool:
        """Whether this person reviews the submission."""
        return self.provisional


@dataclass(frozen=True)
class Points:
    """Points with their maximum, exact; ``provisional`` until they are released."""

    value: Decimal | None
    maximum: Decimal | None
    provisional: bool


@dataclass(frozen=True)
class Release:
    """What a person decided about a submission, once released."""

    scores: list[Any]
    dominant_break: str
    level: int | None
    note: str


_ALL = Disclosure(feedback=True, points=True, provisional=True, reason=True)
_NOTHING = Disclosure(feedback=False, points=False, provisional=False, reason=False)


def of(submission: Submission, user: User) -> Disclosure:
    """Return what this person may see of the submission (one query)."""
    cohort = submission.enrolment.cohort_id
    if Enrolment.objects.active().staff().filter(user=user, cohort=cohort).exists():
        return _ALL
    if submission.enrolment.user_id != user.pk:
        return _NOTHING
    released = is_released(submission)
    at_once = submission.version.feedback == ExerciseVersion.Feedback.AT_ONCE
    return Disclosure(
        feedback=at_once or released, points=released, provisional=False, reason=False
    )


def is_released(submission: Submission) -> bool:
    """Return whether what a person decided of this very submission is out.

    A later attempt that is released takes its place in the grade and leaves it as readable as it
    was; a withdrawal closes both.
    """
    return submission.state == Submission.State.RELEASED


def check_for(submission: Submission, disclosure: Disclosure) -> Check | None:
    """Return the check that holds, to those who may see its findings."""
    return submission.current_check if disclosure.feedback else None


def reason_for(submission: Submission, disclosure: Disclosure) -> str:
    """Return why the submission could not be checked, in the words meant for this person."""
    if submission.state != Submission.State.UNCHECKABLE:
        return ""
    if disclosure.reason:
        return submission.reason
    return _(
        "The check stopped before it came to an end. Your answer is stored and costs no attempt; "
        "your instructor sees it and has to look at it."
    )


def points_of(submission: Submission, disclosure: Disclosure) -> Points | None:
    """Return the points this person may see: released ones, or what stands so far for staff."""
    if not disclosure.points:
        return None
    review = submission.reviews.order_by("-number").first()
    if review:
        scores = list(review.scores.all())
        value = sum((each.points for each in scores), Decimal(0))
        provisional = submission.state not in {Submission.State.REVIEWED, Submission.State.RELEASED}
        return Points(value, review.rubric.total, provisional=provisional)
    return _proposed(submission)


def release_of(submission: Submission, disclosure: Disclosure) -> Release | None:
    """Return what a person decided, as it was released with the grade."""
    if not (disclosure.points and is_released(submission)):
        return None
    # Frozen since the release: the latest review is the released one.
    review = submission.reviews.order_by("-number").first()
    if review is None:
        return None
    return Release(
        scores=list(review.scores.all()),
        dominant_break=review.dominant_break,
        level=review.level,
        note=review.note,
    )


def _proposed(submission: Submission) -> Points | None:
    proposed: dict[str, Any] = submission.current_check.proposed if submission.current_check else {}
    if proposed.get("total") is None:
        return None
    return Points(Decimal(proposed["total"]), Decimal(proposed["maximum"]), provisional=True)
