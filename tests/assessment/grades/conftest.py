"""A cohort with an exercise, its people, and an LMS that may read its grades."""

from dataclasses import dataclass

import pytest
from django.test import Client as Browser

from assessment.cohorts.models import Client, Cohort, Enrolment, User
from assessment.review.models import Grade
from assessment.review.releasing import release
from exercises.models import Exercise
from tests.factories import (
    enrol,
    make_client,
    make_cohort,
    make_exercise,
    make_review,
    make_submission,
    make_user,
)


@dataclass
class Course:
    """One cohort as a school has it."""

    cohort: Cohort
    exercise: Exercise
    instructor: User
    assistant: User
    learner: Enrolment
    lms: Client

    def release(self, *points: str, learner: Enrolment | None = None) -> Grade:
        """Review and release a fresh attempt."""
        submission = make_submission(learner or self.learner, self.exercise)
        make_review(submission, self.instructor, *points)
        return release([submission], self.instructor)[0]


@pytest.fixture
def course(db: None) -> Course:  # noqa: ARG001 (rows are made)
    """Return a course with an instructor, an assistant, a learner and an LMS."""
    exercise = make_exercise()
    cohort = make_cohort(exercise.session)
    return Course(
        cohort=cohort,
        exercise=exercise,
        instructor=enrol(cohort, role="instructor").user,
        assistant=enrol(cohort, role="assistant").user,
        learner=enrol(cohort, make_user("ada", sis_id="S-1815")),
        lms=make_client(cohort),
    )


def ask_token(client: Client, **fields: str) -> dict[str, object]:
    """Ask the token endpoint as this client; returns its answer."""
    answer = Browser().post(
        "/oauth/token/",
        {
            "grant_type": "client_credentials",
            "client_id": client.client_id,
            "client_secret": "client-secret",
        }
        | fields,
    )
    return {"status": answer.status_code, **answer.json()}


def lms_headers(client: Client) -> dict[str, str]:
    """Return the header of a fresh token of this client."""
    return {"Authorization": f"Bearer {ask_token(client)['access_token']}"}
