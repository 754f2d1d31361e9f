"""Which reviewed work of a cohort can be released, and what the rest still needs."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from assessment.attempts.models import Submission
from assessment.cohorts.models import Cohort
from assessment.review.models import CriterionScore, Review
from assessment.review.queue import latest_attempts
from exercises.models import Exercise
from rubrics.models import Criterion

# One form's worth: each row is a field, and with its token the form stays below
# ``DATA_UPLOAD_MAX_NUMBER_FIELDS``.
MOST: Final = 400


@dataclass(frozen=True, slots=True)
class Waiting:
    """A reviewed attempt that counts and is not released; ``missing`` is empty where it can be."""

    submission: Submission
    review: Review
    missing: list[str]

    @property
    def key(self) -> str:
        """What the form sends back: which submission, and which review was on the screen."""
        return f"{self.submission.pk}:{self.review.number}"


def waiting_for_release(cohort: Cohort, exercise: Exercise | None = None) -> list[Waiting]:
    """Return each learner's latest attempt that has a review, complete ones first (five queries).

    They come by exercise and name. An attempt that a later one replaced is left out, whoever
    reviewed it. At most ``MOST`` are returned: what is not complete never stands in the way of what
    is, and the others come when these are released.
    """
    reviewed = (
        Submission.objects.filter(Exists(Review.objects.filter(submission=OuterRef("pk"))))
        .filter(enrolment__cohort=cohort)
        .exclude(state=Submission.State.RELEASED)
        .select_related("enrolment__user", "exercise")
    )
    if exercise is not None:
        reviewed = reviewed.filter(exercise=exercise)
    complete = Exists(_complete().filter(submission=OuterRef("pk")))
    found = (
        latest_attempts(reviewed)
        .alias(is_complete=complete)
        .order_by(
            "-is_complete",
            "exercise__session",
            "exercise__number",
            "enrolment__user__last_name",
            "enrolment__user__first_name",
            "pk",
        )[:MOST]
    )
    reviews = {
        review.submission_id: review
        for review in Review.objects.present()
        .filter(submission__in=list(found))
        .select_related("rubric")
        .prefetch_related("scores", "rubric__criteria")
    }
    return [
        Waiting(submission, review, review.missing())
        for submission in found
        if (review := reviews.get(submission.pk)) is not None
    ]


def _complete() -> QuerySet[Review]:
    """Return the present reviews of which ``missing`` says nothing."""
    score = CriterionScore.objects.filter(review=OuterRef(OuterRef("pk")), criterion=OuterRef("pk"))
    unscored = Criterion.objects.filter(~Exists(score), rubric=OuterRef("rubric"))
    return Review.objects.present().filter(~Exists(unscored)).exclude(dominant_break="")
