"""The gradebook as a file: a line for every learner and exercise, points where released."""

from collections.abc import Iterator
from typing import Any

from assessment.attempts.models import Submission
from assessment.cohorts.models import Cohort
from assessment.grades.csv_files.learners import PERSON, exercises_of, ids, parts_of, person
from assessment.grades.models import Exemption
from assessment.review.models import Grade
from assessment.web.csv_files.cells import Value

HEADER = (
    *PERSON,
    "cohort",
    "session",
    "exercise",
    "title",
    "attempt",
    "status",
    "points",
    "maximum",
    "level",
    "released_at",
)

_RELEASED = ("submission__number", "points", "maximum", "level", "released_at")
_NO_POINTS = (None, None, None, None)


def rows(cohort: Cohort) -> Iterator[tuple[Value, ...]]:
    """Yield the lines; learner by learner, three queries for every part of them."""
    exercises = exercises_of(cohort)
    for learners in parts_of(cohort):
        within: Any = {"enrolment__in": ids(learners)}
        attempts = {
            (enrolment, exercise): number
            for enrolment, exercise, number in Submission.objects.filter(**within)
            .order_by("number")
            .values_list("enrolment", "exercise", "number")
        }
        grades = {
            (enrolment, exercise): released
            for enrolment, exercise, *released in Grade.objects.released()
            .filter(**within)
            .values_list("enrolment", "exercise", *_RELEASED)
        }
        exempt = set(
            Exemption.objects.filter(**within, lifted_at=None).values_list("enrolment", "exercise")
        )
        for learner in learners:
            who = person(learner)
            for exercise in exercises:
                key = (learner.pk, exercise.pk)
                grade = None if key in exempt else grades.get(key)
                attempt, *points = grade or (attempts.get(key), *_NO_POINTS)
                yield (
                    *who,
                    cohort.slug,
                    exercise.session.slug,
                    exercise.slug,
                    exercise.title,
                    attempt,
                    _status(exempt=key in exempt, released=bool(grade), sent=key in attempts),
                    *points,
                )


def _status(*, exempt: bool, released: bool, sent: bool) -> str:
    if exempt:
        return "exempt"
    if released:
        return "released"
    return "submitted" if sent else "not submitted"
