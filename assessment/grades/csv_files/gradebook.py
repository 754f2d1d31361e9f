"""The gradebook as a file: a line for every learner and exercise, points where released."""

from collections.abc import Iterator
from typing import Any

from assessment.attempts.models import Submission
from assessment.cohorts.models import Cohort
from assessment.grades.csv_files.cells import Value
from assessment.grades.csv_files.learners import PERSON, exercises_of, ids, parts_of, person
from assessment.grades.models import Exemption
from assessment.review.models import Grade

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


def rows(cohort: Cohort) -> Iterator[tuple[Value, ...]]:
    """Yield the lines; learner by learner, three queries for some hundred learners."""
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
            (grade.enrolment_id, grade.exercise_id): grade
            for grade in Grade.objects.released().filter(**within).select_related("submission")
        }
        exempt = set(
            Exemption.objects.filter(**within, lifted_at=None).values_list("enrolment", "exercise")
        )
        for learner in learners:
            for exercise in exercises:
                key = (learner.pk, exercise.pk)
                grade = None if key in exempt else grades.get(key)
                yield (
                    *person(learner),
                    cohort.slug,
                    exercise.session.slug,
                    exercise.slug,
                    exercise.title,
                    grade.submission.number if grade else attempts.get(key),
                    _status(exempt=key in exempt, released=bool(grade), sent=key in attempts),
                    grade.points if grade else None,
                    grade.maximum if grade else None,
                    grade.level if grade else None,
                    grade.released_at if grade else None,
                )


def _status(*, exempt: bool, released: bool, sent: bool) -> str:
    if exempt:
        return "exempt"
    if released:
        return "released"
    return "submitted" if sent else "not submitted"
