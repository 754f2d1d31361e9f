"""Saves what a person decided about a submission; nothing earlier is ever overwritten."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from assessment.attempts.models import Check, Submission
from assessment.cohorts.models import User
from assessment.review.errors import (
    Frozen,
    NotChecked,
    ReviewConflict,
    RubricMoved,
    ScoringRefused,
)
from assessment.review.models import CriterionScore, Review
from assessment.review.points import PLACES, has_too_many_digits
from assessment.web.numbers import plain
from rubrics.models import Criterion, Rubric

HIGHEST_LEVEL = 3
LONGEST_NOTE = 4000


@dataclass(frozen=True, slots=True)
class Scoring:
    """What the person decided.

    ``points`` maps a criterion's title to points, or to ``None`` where it is not scored yet;
    ``dominant_break`` is one of ``Review.Break``, empty for *not yet tagged*; ``check_seen`` names
    the check and ``rubric_seen`` the number of the rubric that were on the screen.
    """

    points: Mapping[str, Decimal | None] = field(default_factory=dict)
    dominant_break: str = ""
    level: int | None = None
    note: str = ""
    check_seen: UUID | None = None
    rubric_seen: int | None = None


@transaction.atomic
def save_review(
    submission: Submission, reviewer: User, scoring: Scoring, *, expected_number: int
) -> Review:
    """Store the next review of a submission.

    ``expected_number`` is the number of the review that the person had read, 0 for none.

    Raises
    ------
    ReviewConflict, RubricMoved
        Someone saved meanwhile, or changed the rubric; it carries what holds now, and nothing is
        stored.
    Frozen, NotChecked
        The state of the submission forbids it.
    ScoringRefused
        Points beyond a criterion's maximum, an unknown criterion, break or level.
    """
    locked = Submission.objects.select_for_update().get(pk=submission.pk)
    if locked.state == Submission.State.RELEASED:
        raise Frozen
    if locked.state == Submission.State.SUBMITTED:
        raise NotChecked
    present = Review.objects.present().filter(submission=locked).first()
    if expected_number != (present.number if present else 0):
        raise ReviewConflict(present)
    rubric = rubric_of(locked)
    if scoring.rubric_seen not in {None, rubric.number}:
        raise RubricMoved(rubric)
    criteria = {criterion.title: criterion for criterion in rubric.criteria.all()}
    _refuse_misfits(scoring, criteria)
    review = Review.objects.create(
        submission=locked,
        number=expected_number + 1,
        reviewer=reviewer,
        check_seen=_check_seen(locked, scoring),
        rubric=rubric,
        dominant_break=scoring.dominant_break,
        level=scoring.level,
        note=scoring.note.strip(),
    )
    CriterionScore.objects.bulk_create(
        CriterionScore(
            review=review,
            criterion=criteria[title],
            title=title,
            points=points,
            maximum=criteria[title].points,
        )
        for title, points in scoring.points.items()
        if points is not None
    )
    locked.state = _state_after(review, locked)
    locked.save(update_fields=["state"])
    submission.state = locked.state
    return review


def rubric_of(submission: Submission) -> Rubric:
    """Return the rubric by which a submission is scored now: the latest of its version."""
    return Rubric.objects.filter(version=submission.version_id).order_by("-number")[:1].get()


def _check_seen(submission: Submission, scoring: Scoring) -> Check | None:
    if scoring.check_seen is None:
        return None
    return submission.checks.filter(pk=scoring.check_seen).first()


def _state_after(review: Review, submission: Submission) -> Submission.State:
    """Return ``reviewed`` for a complete review, else the state that the check gave."""
    if not review.missing():
        return Submission.State.REVIEWED
    if submission.current_check_id is None:
        return Submission.State.UNCHECKABLE
    return Submission.State.CHECKED


def _refuse_misfits(scoring: Scoring, criteria: Mapping[str, Criterion]) -> None:
    problems = {
        title: problem
        for title, points in scoring.points.items()
        if (problem := _problem_with(points, criteria.get(title), criteria))
    }
    if scoring.dominant_break not in Review.Break.values:
        problems["break"] = gettext("is none of: %(known)s") % {
            "known": ", ".join(filter(None, Review.Break.values))
        }
    if scoring.level is not None and not 0 <= scoring.level <= HIGHEST_LEVEL:
        problems["level"] = gettext("is a whole number from 0 to %(highest)s") % {
            "highest": HIGHEST_LEVEL
        }
    if len(scoring.note) > LONGEST_NOTE:
        problems["note"] = gettext("has more than %(longest)s characters") % {
            "longest": LONGEST_NOTE
        }
    if problems:
        raise ScoringRefused(problems)


def _problem_with(
    points: Decimal | None, criterion: Criterion | None, criteria: Mapping[str, Criterion]
) -> str:
    if criterion is None:
        return gettext("is no criterion of this rubric; it has: %(titles)s") % {
            "titles": "; ".join(criteria)
        }
    if points is None:
        return ""
    if not points.is_finite() or not 0 <= points <= criterion.points:
        return gettext("is from 0 to %(maximum)s points") % {"maximum": plain(criterion.points)}
    if has_too_many_digits(points):
        return gettext("has more than %(places)s digits after the point") % {"places": PLACES}
    return ""
