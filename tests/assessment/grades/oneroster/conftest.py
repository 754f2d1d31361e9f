"""A class with four learners in four states, and an LMS that may read it."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client as Browser

from assessment.cohorts.models import Client, Cohort, Enrolment
from assessment.grades.oneroster import scopes
from assessment.review.models import Grade
from assessment.review.releasing import release
from exercises.models import Exercise
from tests.factories import (
    enrol,
    make_client,
    make_cohort,
    make_exercise,
    make_review,
    make_session,
    make_submission,
)

BASE = "/ims/oneroster/gradebook/v1p2/"
ROSTER = "/ims/oneroster/rostering/v1p2/"
ALL_SCOPES = (scopes.GRADEBOOK, scopes.ASSESSMENT, scopes.ROSTER)


def ask_token(client: Client, *asked: str) -> Any:  # noqa: ANN401 (the test client's own response)
    """Ask the token endpoint as LMSs do: Basic, and no scope unless one is named."""
    credentials = b64encode(f"{client.client_id}:client-secret".encode()).decode()
    form = {"grant_type": "client_credentials"} | ({"scope": " ".join(asked)} if asked else {})
    return Browser().post("/oauth/token/", form, headers={"Authorization": f"Basic {credentials}"})


@dataclass
class Lms:
    """An LMS with a token."""

    headers: dict[str, str]

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401 (the test client's own response)
        """Read an address of the gradebook, or of another service where it begins with a slash."""
        address = path if path.startswith("/") else BASE + path
        return Browser().get(address, params or {}, headers=self.headers)

    def rows(self, path: str, **params: object) -> list[dict[str, Any]]:
        """Read a collection."""
        response = self.get(path, params)
        assert response.status_code == 200, response.content
        (rows,) = response.json().values()
        return list(rows)


def make_lms(*cohorts: Cohort, granted: tuple[str, ...] = ALL_SCOPES) -> Lms:
    """Register an LMS for these cohorts and fetch its token."""
    response = ask_token(make_client(*cohorts, scopes=granted))
    assert response.status_code == 200, response.content
    return Lms({"Authorization": f"Bearer {response.json()['access_token']}"})


@dataclass
class Classroom:
    """The cohort and its people, by the state of their work."""

    cohort: Cohort
    exercise: Exercise
    instructor: Enrolment
    idle: Enrolment
    opened: Enrolment
    waiting: Enrolment
    zero: Enrolment

    def grade(self, enrolment: Enrolment, *points: str) -> Grade:
        """Submit, review and release."""
        submission = make_submission(enrolment, self.exercise)
        make_review(submission, self.instructor.user, *points)
        (grade,) = release([submission], self.instructor.user)
        return grade


@pytest.fixture
def classroom() -> Classroom:
    """Return a class of four: nothing done, opened only, waiting for a grader, graded zero."""
    session = make_session()
    exercise = make_exercise(session)
    cohort = make_cohort(session)
    people = [enrol(cohort, role="instructor"), *(enrol(cohort) for _ in range(4))]
    room = Classroom(cohort, exercise, *people)
    assert exercise.current is not None
    room.opened.cases.create(version=exercise.current, given={})
    make_submission(room.waiting, exercise)
    room.grade(room.zero, "0", "0", "0")
    return room


@pytest.fixture
def lms(classroom: Classroom) -> Lms:
    """Return an LMS bound to the class."""
    return make_lms(classroom.cohort)
