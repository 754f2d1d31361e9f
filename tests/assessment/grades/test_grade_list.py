from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.test import Client as Browser

from assessment.grades.models import LtiUser, Platform
from assessment.review.releasing import withdraw
from tests.assessment.grades.conftest import Course, lms_headers
from tests.factories import (
    bearer,
    enrol,
    make_client,
    make_cohort,
    make_exercise,
    make_review,
    make_rubric,
    make_submission,
)

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


@pytest.mark.parametrize("text", ["0", "0.1", "7.25", "8.05", "9.125", "10"])
def test_points_leave_as_exact_decimals(course: Course, client: Browser, text: str) -> None:
    course.exercise = make_exercise(course.exercise.session, rubric={"All": "10"})
    course.release(text)

    (row,) = client.get(URL, headers=lms_headers(course.lms)).json()["results"]

    assert (row["points"], row["maximum"]) == (text, "10")


def test_a_sum_of_tenths_has_no_tail(course: Course, client: Browser) -> None:
    course.exercise = make_exercise(
        course.exercise.session, rubric={"One": "0.1", "Two": "0.2", "Three": "0.4"}
    )
    course.release("0.1", "0.2", "0.4")

    (row,) = client.get(URL, headers=lms_headers(course.lms)).json()["results"]

    assert (row["points"], row["maximum"]) == ("0.7", "0.7")


def test_a_rubric_changed_after_the_release_changes_no_released_grade(
    course: Course, client: Browser
) -> None:
    grade = course.release("4.5", "2.5", "2.5")
    make_rubric(grade.submission.version, {"Traceable calculation": "3"}, number=2)

    (row,) = client.get(URL, headers=lms_headers(course.lms)).json()["results"]

    assert (row["points"], row["maximum"]) == ("9.5", "10")


def test_a_zero_is_a_grade_and_what_is_not_graded_is_absent(
    course: Course, client: Browser
) -> None:
    enrol(course.cohort)
    make_submission(enrol(course.cohort), course.exercise)
    make_review(make_submission(enrol(course.cohort), course.exercise), course.instructor)
    zero = course.release("0", "0", "0")

    (row,) = client.get(URL, headers=lms_headers(course.lms)).json()["results"]

    assert (row["id"], row["points"]) == (str(zero.pk), "0")


def test_a_learner_is_known_by_the_names_of_their_platforms(
    course: Course, client: Browser
) -> None:
    platform = Platform.objects.create(
        name="School",
        issuer="https://lms.example",
        client_id="tool",
        auth_login_url="https://lms.example/auth",
        auth_token_url="https://lms.example/token",
        key_set_url="https://lms.example/keys",
    )
    LtiUser.objects.create(platform=platform, subject="sub-1", user=course.learner.user)
    course.release()

    (row,) = client.get(URL, headers=lms_headers(course.lms)).json()["results"]

    assert row["learner"]["lti_user_ids"] == ["sub-1"]


@pytest.mark.parametrize(
    ("who", "status", "rows"),
    [
        pytest.param("lms", HTTPStatus.OK, 1, id="LMS with the scope"),
        pytest.param("lms without", HTTPStatus.FORBIDDEN, 0, id="LMS without the scope"),
        pytest.param("lms elsewhere", HTTPStatus.OK, 0, id="LMS of another cohort"),
        pytest.param("lms nowhere", HTTPStatus.FORBIDDEN, 0, id="LMS bound to no cohort"),
        pytest.param("instructor", HTTPStatus.OK, 1, id="instructor"),
        pytest.param("instructor without", HTTPStatus.FORBIDDEN, 0, id="token without the scope"),
        pytest.param("assistant", HTTPStatus.OK, 1, id="assistant"),
        pytest.param("instructor elsewhere", HTTPStatus.OK, 0, id="instructor of another cohort"),
        pytest.param("learner", HTTPStatus.FORBIDDEN, 0, id="the learner"),
        pytest.param("other learner", HTTPStatus.FORBIDDEN, 0, id="another learner"),
        pytest.param("nobody", HTTPStatus.UNAUTHORIZED, 0, id="nobody"),
    ],
)
def test_who_may_read_which_grades(
    course: Course, client: Browser, who: str, status: HTTPStatus, rows: int
) -> None:
    course.release()
    elsewhere = make_cohort(course.exercise.session)
    makers: dict[str, Callable[[], dict[str, str]]] = {
        "lms": lambda: lms_headers(course.lms),
        "lms without": lambda: lms_headers(make_client(course.cohort, scopes=())),
        "lms elsewhere": lambda: lms_headers(make_client(elsewhere)),
        "lms nowhere": lambda: lms_headers(make_client()),
        "instructor": lambda: bearer(course.instructor, "grades:read"),
        "instructor without": lambda: bearer(course.instructor, "teach", "learn"),
        "assistant": lambda: bearer(course.assistant, "grades:read"),
        "instructor elsewhere": lambda: bearer(
            enrol(elsewhere, role="instructor").user, "grades:read"
        ),
        "learner": lambda: bearer(course.learner.user, "grades:read"),
        "other learner": lambda: bearer(enrol(course.cohort).user, "grades:read"),
        "nobody": dict,
    }

    answer = client.get(URL, headers=makers[who]())

    assert answer.status_code == status
    assert len(answer.json().get("results", [])) == rows


def test_the_session_of_an_instructor_reads_and_that_of_a_learner_does_not(
    course: Course, client: Browser
) -> None:
    course.release()
    client.force_login(course.instructor)
    assert len(client.get(URL).json()["results"]) == 1

    client.force_login(course.learner.user)

    assert client.get(URL).status_code == HTTPStatus.FORBIDDEN


def test_an_instructor_who_left_reads_nothing(course: Course, client: Browser) -> None:
    course.release()
    headers = bearer(course.instructor, "grades:read")
    place = course.instructor.enrolments.get()
    place.left_at = place.joined_at
    place.save()

    assert client.get(URL, headers=headers).status_code == HTTPStatus.FORBIDDEN


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_the_list_is_read_only(course: Course, client: Browser, method: str) -> None:
    headers = bearer(course.instructor, "grades:read", "teach")

    answer = getattr(client, method)(URL, headers=headers)

    assert answer.status_code in {HTTPStatus.FORBIDDEN, HTTPStatus.METHOD_NOT_ALLOWED}
