"""Releases grades and takes them back, in an order that no reader can miss."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from assessment.attempts.models import Submission
from assessment.cohorts.models import Cohort, User
from assessment.review.errors import (
    Incomplete,
    InstructorsOnly,
    NotReleased,
    ReviewConflict,
    Superseded,
)
from assessment.review.models import Grade, GradeSequence, Review


@transaction.atomic
def release(
    submissions: Sequence[Submission], by: User, *, read: Mapping[UUID, int] | None = None
) -> list[Grade]:
    """Release the grades of reviewed submissions, all or none.

    Of two attempts of one learner at one exercise the later is taken. What is released already is
    left as it is, so that a repeated click changes nothing. A later attempt takes the place of an
    earlier one in the grade; there is no moment without a grade in between. ``read`` names, by
    submission, the number of the review that was on the screen.

    Rows are locked in one order everywhere: submissions by id, the sequence, grades.

    Raises
    ------
    InstructorsOnly, Incomplete, ReviewConflict, Superseded
        And nothing is released.
    """
    waiting = _latest_attempts(_lock(submissions, by))
    reviews = _complete_reviews(waiting)
    _refuse_unread(reviews, read or {})
    if not waiting:
        return []
    first, moment = GradeSequence.take(len(waiting))
    known = {
        (grade.enrolment_id, grade.exercise_id): grade
        for grade in Grade.objects.select_related("submission").filter(
            enrolment__in=[submission.enrolment_id for submission in waiting],
            exercise__in=[submission.exercise_id for submission in waiting],
        )
    }
    grades = []
    for sequence, submission in enumerate(waiting, start=first):
        earlier = known.get((submission.enrolment_id, submission.exercise_id))
        _refuse_earlier_attempt(submission, earlier)
        grade = earlier or Grade(
            enrolment=submission.enrolment,
            cohort=submission.enrolment.cohort,
            exercise=submission.exercise,
        )
        _fill(grade, submission, reviews[submission.pk], sequence, moment)
        grades.append(grade)
    Submission.objects.filter(pk__in=[submission.pk for submission in waiting]).update(
        state=Submission.State.RELEASED
    )
    return grades


@transaction.atomic
def withdraw(grade: Grade, by: User) -> Grade:
    """Take a released grade back: it becomes a tombstone, and its attempts can be reviewed again.

    Raises
    ------
    InstructorsOnly, NotReleased
        And nothing changes.
    """
    attempts = Submission.objects.filter(enrolment=grade.enrolment_id, exercise=grade.exercise_id)
    _lock(list(attempts), by)
    sequence, moment = GradeSequence.take()
    locked = Grade.objects.select_for_update().get(pk=grade.pk)
    if locked.status != Grade.Status.RELEASED:
        raise NotReleased
    locked.status = Grade.Status.WITHDRAWN
    locked.sequence, locked.updated_at = sequence, moment
    locked.save(update_fields=["status", "sequence", "updated_at"])
    attempts.filter(state=Submission.State.RELEASED).update(state=Submission.State.REVIEWED)
    return locked


def _lock(submissions: Sequence[Submission], by: User) -> list[Submission]:
    """Return the rows under lock, for an instructor of all their cohorts."""
    locked = list(
        Submission.objects.select_for_update(of=("self",))
        .select_related("enrolment__cohort", "exercise")
        .filter(pk__in=[submission.pk for submission in submissions])
        .order_by("pk")
    )
    taught = set(Cohort.objects.instructed_by(by).values_list("pk", flat=True))
    if not {submission.enrolment.cohort_id for submission in locked} <= taught:
        raise InstructorsOnly
    return locked


def _latest_attempts(submissions: Sequence[Submission]) -> list[Submission]:
    latest: dict[tuple[UUID, UUID], Submission] = {}
    for submission in submissions:
        key = (submission.enrolment_id, submission.exercise_id)
        if key not in latest or submission.number > latest[key].number:
            latest[key] = submission
    return [found for found in latest.values() if found.state != Submission.State.RELEASED]


def _complete_reviews(submissions: Sequence[Submission]) -> dict[UUID, Review]:
    reviews = {
        review.submission_id: review
        for review in Review.objects.present()
        .filter(submission__in=submissions)
        .select_related("rubric")
        .prefetch_related("scores", "rubric__criteria")
    }
    missing = {
        submission.pk: reviews[submission.pk].missing() if submission.pk in reviews else ["review"]
        for submission in submissions
    }
    if lacking := {key: names for key, names in missing.items() if names}:
        raise Incomplete(lacking)
    return reviews


def _refuse_unread(reviews: Mapping[UUID, Review], read: Mapping[UUID, int]) -> None:
    for key, number in read.items():
        if key in reviews and reviews[key].number != number:
            raise ReviewConflict(reviews[key])


def _refuse_earlier_attempt(submission: Submission, grade: Grade | None) -> None:
    if (
        grade is not None
        and grade.status == Grade.Status.RELEASED
        and grade.submission.number > submission.number
    ):
        raise Superseded(grade.submission.number)


def _fill(
    grade: Grade, submission: Submission, review: Review, sequence: int, moment: datetime
) -> None:
    grade.submission, grade.review, grade.level = submission, review, review.level
    grade.points, grade.maximum = review.total, review.rubric.total
    grade.status = Grade.Status.RELEASED
    grade.released_at = grade.updated_at = moment
    grade.sequence = sequence
    grade.save()
