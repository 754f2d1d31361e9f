"""A cohort with one submission that waits for a person."""

from dataclasses import dataclass
from typing import Any

import pytest

from assessment.attempts.models import Submission
from assessment.cohorts.models import Cohort, Enrolment, User
from exercises.models import Exercise
from tests.factories import enrol, make_cohort, make_exercise, make_submission, make_user

FIRST_BREAK = {
    "step": "sum",
    "status": "wrong",
    "break": "operation",
    "cause": "sum_of_logits",
    "message": "This is the sum of the logits themselves, not of their exponentials.",
}
RESULT: dict[str, Any] = {
    "steps": [
        {"name": "exp", "status": "right", "read": [7.389, 2.718, 1.0]},
        {"name": "sum", "status": "wrong", "read": 3.0},
        {"name": "softmax", "status": "carried", "read": [2.463, 0.906, 0.333]},
        {"name": "loss", "status": "carried", "read": -0.901},
    ],
    "first_break": FIRST_BREAK,
    "faults": [FIRST_BREAK],
    "score": 0.75,
}


@dataclass
class Desk:
    """What lies on a reviewer's desk, and who is around."""

    cohort: Cohort
    exercise: Exercise
    instructor: User
    assistant: User
    stranger: User
    learner: Enrolment
    submission: Submission

    def another(self, **fields: object) -> Submission:
        """Return another learner's submission to the same exercise."""
        return make_submission(enrol(self.cohort), self.exercise, check=RESULT, **fields)  # type: ignore[arg-type]


@pytest.fixture
def desk(db: None) -> Desk:  # noqa: ARG001 (rows are made)
    """Return a desk; the stranger is an instructor of another cohort of the same session."""
    exercise = make_exercise()
    cohort = make_cohort(exercise.session)
    learner = enrol(cohort, make_user("ada"))
    return Desk(
        cohort=cohort,
        exercise=exercise,
        instructor=enrol(cohort, make_user("sofia"), role="instructor").user,
        assistant=enrol(cohort, make_user("emil"), role="assistant").user,
        stranger=enrol(make_cohort(exercise.session), role="instructor").user,
        learner=learner,
        submission=make_submission(learner, exercise, check=RESULT),
    )
