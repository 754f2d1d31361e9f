from http import HTTPStatus

from django.test import Client as Browser

from assessment.review.releasing import withdraw
from tests.assessment.grades.conftest import Course, lms_headers
from tests.factories import make_review, make_submission

URL = "/api/v1/grades/"


def test_a_released_grade_is_listed_exactly(course: Course, client: Browser) -> None:
    grade = course.release("4.5", "2.5", "0.5")

    answer = client.get(URL, headers=lms_headers(course.lms))

    assert answer.status_code == HTTPStatus.OK
    (row,) = answer.json()["results"]
    assert row == {
        "id": str(grade.pk),
        "status": "released",
        "learner": {
            "id": str(course.learner.user_id),
            "username": "ada",
            "sis_id": "S-1815",
            "lti_user_ids": [],
        },
        "cohort": course.cohort.slug,
        "session": course.exercise.session.slug,
        "exercise": {"slug": course.exercise.slug, "title": "Trace the loss"},
        "attempt": 1,
        "points": "7.5",
        "maximum": "10",
        "level": 2,
        "released_at": row["released_at"],
        "updated_at": row["released_at"],
    }
    assert row["released_at"].endswith("Z")


def test_a_reviewed_grade_that_is_not_released_is_absent(course: Course, client: Browser) -> None:
    make_review(make_submission(course.learner, course.exercise), course.instructor)

    page = client.get(URL, headers=lms_headers(course.lms)).json()

    assert page["results"] == []
    assert page["next"] is None
    assert page["sync"]


def test_a_withdrawn_grade_is_a_tombstone_without_points(course: Course, client: Browser) -> None:
    withdraw(course.release(), course.instructor)

    (row,) = client.get(URL, headers=lms_headers(course.lms)).json()["results"]

    assert row["status"] == "withdrawn"
    assert "points" not in row
    assert row["level"] is None
