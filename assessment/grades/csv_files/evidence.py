"""The evidence as a file: a line for every field of every attempt, with what was found and tagged.

It is for those who review: it holds provisional findings and what a person noted.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch

from assessment.attempts.models import Prediction, Submission
from assessment.cohorts.models import Cohort
from assessment.grades.csv_files.learners import PERSON, ids, parts_of, person
from assessment.review.models import Review
from assessment.web.csv_files.cells import Value

HEADER = (
    *PERSON,
    "cohort",
    "exercise",
    "attempt",
    "submission",
    "submitted_at",
    "state",
    "predicted_direction",
    "predicted_value",
    "field",
    "data",
    "operation",
    "result",
    "interpretation",
    "step_status",
    "first_step",
    "suggested_break",
    "dominant_break",
    "level",
    "note",
)
_TRACE = ("data", "operation", "result", "interpretation")


def rows(cohort: Cohort) -> Iterator[tuple[Value, ...]]:
    """Yield the lines; learner by learner, some queries for every part of them."""
    for learners in parts_of(cohort):
        places = {learner.pk: learner for learner in learners}
        attempts = (
            Submission.objects.filter(enrolment__in=ids(learners))
            .select_related("exercise", "current_check", "case")
            .prefetch_related(
                Prefetch("reviews", Review.objects.order_by("number")),
                Prefetch("case__prediction", Prediction.objects.all()),
            )
            .order_by("enrolment", "exercise", "number")
        )
        for attempt in attempts.iterator(chunk_size=500):
            reviews = list(attempt.reviews.all())
            for name, answer in attempt.answers.items():
                yield (
                    *person(places[attempt.enrolment_id]),
                    cohort.slug,
                    *_attempt(attempt),
                    name,
                    *_answer(answer),
                    *_found(attempt, name),
                    *_decided(reviews[-1] if reviews else None),
                )


def _attempt(attempt: Submission) -> tuple[Value, ...]:
    prediction: Prediction | None = getattr(attempt.case, "prediction", None)
    return (
        attempt.exercise.slug,
        attempt.number,
        str(attempt.pk),
        attempt.submitted_at,
        attempt.state,
        prediction.direction if prediction else None,
        prediction.value if prediction else None,
    )


def _answer(answer: Any) -> tuple[str, ...]:  # noqa: ANN401 (as it was typed: text, or the parts of a line)
    if isinstance(answer, dict):
        return tuple(str(answer.get(part, "")) for part in _TRACE)
    return ("", "", str(answer), "")


def _found(attempt: Submission, name: str) -> tuple[Value, ...]:
    check = attempt.current_check
    if check is None:
        return (None, None, None)
    steps = check.result.get("steps") or []
    status = next((step.get("status") for step in steps if step.get("name") == name), None)
    return (status, check.first_step, check.suggested_break)


def _decided(review: Review | None) -> tuple[Value, ...]:
    if review is None:
        return (None, None, None)
    return (review.dominant_break, review.level, review.note)
