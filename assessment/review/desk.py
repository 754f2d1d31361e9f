"""Everything that a reviewer sees of one submission."""

from typing import Any

from django.db.models import QuerySet

from assessment.attempts import disclosure, given
from assessment.attempts.feedback import feedback_on
from assessment.attempts.models import Prediction, Submission
from assessment.cohorts.models import Enrolment, User
from assessment.review.expected import expected_steps
from assessment.review.models import Grade, Review
from assessment.review.proposals import rows_of
from assessment.review.queue import QueueFilter, queue_for
from assessment.review.scoring import rubric_of
from exercises.models import Field
from rubrics.models import Level

_TO_SCORE = (Submission.State.CHECKED, Submission.State.UNCHECKABLE)


def reviewable(user: User) -> QuerySet[Submission]:
    """Return what this person may review, with what its page shows."""
    return Submission.objects.reviewable_by(user).select_related(
        "enrolment__user",
        "enrolment__cohort",
        "exercise__session",
        "version",
        "case",
        "current_check",
    )


def present_review(submission: Submission) -> Review | None:
    """Return the review that holds, with its scores."""
    return history(submission).first()


def history(submission: Submission) -> QuerySet[Review]:
    """Return all reviews, newest first, with their scores."""
    reviews = Review.objects.filter(submission=submission).order_by("-number")
    return reviews.select_related("reviewer", "rubric", "check_seen").prefetch_related(
        "scores", "rubric__criteria"
    )


def desk(submission: Submission, user: User) -> dict[str, Any]:
    """Return the context of the review page, without the form."""
    cohort = submission.enrolment.cohort
    reviews = list(history(submission))
    present = reviews[0] if reviews else None
    rubric = rubric_of(submission)
    attempts = Submission.objects.filter(
        enrolment=submission.enrolment_id, exercise=submission.exercise_id
    ).order_by("number")
    check = submission.current_check
    return {
        "submission": submission,
        "learner": submission.enrolment.user,
        "cohort": cohort,
        "exercise": submission.exercise,
        "version": submission.version,
        "given": given.values(submission.given),
        "prediction": Prediction.objects.filter(case=submission.case_id).first(),
        "feedback": feedback_on(submission, disclosure.of(submission, user)),
        "check": check,
        "expected": expected_steps(submission),
        "texts": submission.version.fields.exclude(kind=Field.Kind.STEP),
        "reviews": reviews,
        "present": present,
        "missing": present.missing() if present else [],
        "rubric": rubric,
        "rubric_moved": bool(present and present.rubric_id != rubric.pk),
        "checked_since": bool(present and check and present.check_seen_id != check.pk),
        "rows": rows_of(submission, rubric, present),
        "levels": Level.objects.filter(scale__session=submission.exercise.session_id),
        "attempts": list(attempts),
        "newer": [each for each in attempts if each.number > submission.number],
        "grade": Grade.objects.filter(
            enrolment=submission.enrolment_id, exercise=submission.exercise_id
        )
        .select_related("submission")
        .first(),
        "is_instructor": is_instructor(user, submission),
        "frozen": submission.state == Submission.State.RELEASED,
        "waits": submission.state == Submission.State.SUBMITTED,
        "next": next_to_score(submission, user),
    }


def is_instructor(user: User, submission: Submission) -> bool:
    """Return whether this person releases grades of the submission's cohort."""
    staff = Enrolment.objects.active().instructors()
    return staff.filter(user=user, cohort=submission.enrolment.cohort_id).exists()


def next_to_score(submission: Submission, user: User) -> Submission | None:
    """Return the next one of the same exercise and cohort that nobody has scored."""
    wanted = QueueFilter(
        cohort=submission.enrolment.cohort.slug, exercise=submission.exercise.slug, latest=True
    )
    waiting = queue_for(user, wanted).filter(state__in=_TO_SCORE).exclude(pk=submission.pk)
    return waiting.filter(pk__gt=submission.pk).first() or waiting.first()
