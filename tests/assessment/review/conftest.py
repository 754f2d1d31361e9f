"""A cohort with one submission that waits for a person."""

from dataclasses import dataclass
from typing import Any

import pytest

from assessment.attempts.models import Submission
from assessment.cohorts.models import Cohort, Enrolment, User
from exercises.models import Exercise
from tests.factories import WRONG_SUM, enrol, make_cohort, make_exercise, make_submission, make_user


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

    def another(self, **fields: Any) -> Submission:
        """Return another learner's submission to the same exercise."""
        return make_submission(enrol(self.cohort), self.exercise, answers=WRONG_SUM, **fields)


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
        submission=make_submission(learner, exercise, answers=WRONG_SUM),
    )
