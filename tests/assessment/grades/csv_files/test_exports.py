"""Files out: who gets them, what is in them, and how they are made."""

import csv
import io
from typing import Any

import pytest
from django.test import Client as Browser
from pytest_django import DjangoAssertNumQueries

from assessment.cohorts.models import User
from assessment.grades.models import Exemption
from assessment.review.releasing import release
from tests.assessment.grades.conftest import Course
from tests.factories import RIGHT, enrol, make_review, make_submission, make_user


def fetch(user: User, course: Course, name: str, query: str = "") -> Any:  # noqa: ANN401 (the test client's response)
    """Ask for a file as someone."""
    browser = Browser()
    browser.force_login(user)
    return browser.get(f"/files/{course.cohort.slug}/{name}.csv{query}")


def rows_of(response: Any) -> list[dict[str, str]]:  # noqa: ANN401 (the test client's response)
    """Return the lines of a file by column."""
    text = response.getvalue().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("name", ["gradebook", "evidence", "points"])
@pytest.mark.parametrize(
    ("who", "status"),
    [("instructor", 200), ("assistant", 200), ("learner", 404), ("stranger", 404)],
)
def test_only_those_who_review_get_files(course: Course, name: str, who: str, status: int) -> None:
    people = {
        "instructor": course.instructor,
        "assistant": course.assistant,
        "learner": course.learner.user,
        "stranger": make_user(),
    }

    assert fetch(people[who], course, name).status_code == status


def test_a_stranger_is_sent_to_sign_in(course: Course) -> None:
    assert Browser().get(f"/files/{course.cohort.slug}/gradebook.csv").status_code == 302
    assert fetch(course.instructor, course, "other").status_code == 404


def test_the_gradebook_holds_released_points_only(course: Course) -> None:
    course.release("5", "2.5", "0")
    waiting, idle, exempt = (enrol(course.cohort) for _ in range(3))
    submission = make_submission(waiting, course.exercise)
    make_review(submission, course.instructor)
    course.release("0", "0", "0", learner=exempt)
    Exemption.objects.create(
        enrolment=exempt, exercise=course.exercise, granted_by=course.instructor
    )

    rows = {row["username"]: row for row in rows_of(fetch(course.instructor, course, "gradebook"))}

    assert {name: (row["status"], row["points"]) for name, row in rows.items()} == {
        "ada": ("released", "7.5"),
        waiting.user.username: ("submitted", ""),
        idle.user.username: ("not submitted", ""),
        exempt.user.username: ("exempt", ""),
    }
    assert (rows["ada"]["maximum"], rows["ada"]["sis_id"]) == ("10", "S-1815")


def test_names_and_answers_that_look_like_formulas_do_not_run(course: Course) -> None:
    user = course.learner.user
    user.last_name, user.first_name = "=cmd|' /C calc'!A0", "Zoë 王"
    user.save()
    answers = {"loss": {"operation": "-ln(0.665)", "result": "-1.5"}, "limit": "+ more\n@data"}
    make_submission(course.learner, course.exercise, answers=answers)

    rows = rows_of(fetch(course.instructor, course, "evidence"))

    by_field = {row["field"]: row for row in rows}
    assert by_field["loss"]["family_name"] == "'=cmd|' /C calc'!A0"
    assert by_field["loss"]["given_name"] == "Zoë 王"
    assert by_field["loss"]["operation"] == "'-ln(0.665)"
    assert by_field["limit"]["result"] == "'+ more\n'@data"


def test_evidence_holds_what_was_found_and_tagged(course: Course) -> None:
    answers = RIGHT | {"loss": {"result": "0.9"}}
    submission = make_submission(course.learner, course.exercise, answers=answers)
    make_review(submission, course.instructor, dominant_break="shapes", level=1, note="see line 3")

    rows = {row["field"]: row for row in rows_of(fetch(course.instructor, course, "evidence"))}

    assert {name: row["step_status"] for name, row in rows.items()} == {
        "exp": "right",
        "sum": "right",
        "softmax": "right",
        "loss": "wrong",
    }
    row = rows["loss"]
    found = ("result", "first_step", "dominant_break", "level", "note")
    assert [row[name] for name in found] == ["'0.9", "loss", "shapes", "1", "see line 3"]


@pytest.mark.parametrize(("query", "marked"), [("", True), ("?mark=1", True), ("?mark=0", False)])
def test_the_byte_order_mark_can_be_left_out(course: Course, query: str, marked: bool) -> None:
    content = fetch(course.instructor, course, "gradebook", query).getvalue()

    assert content.startswith(b"\xef\xbb\xbf") is marked


@pytest.mark.parametrize("name", ["gradebook", "evidence", "points"])
@pytest.mark.parametrize("learners", [2, 25])
def test_files_are_streamed_with_a_fixed_number_of_queries(
    course: Course,
    name: str,
    learners: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    made = [make_submission(enrol(course.cohort), course.exercise) for _ in range(learners)]
    for submission in made:
        make_review(submission, course.instructor)
    release(made, course.instructor)

    browser = Browser()
    browser.force_login(course.instructor)

    with django_assert_max_num_queries(16):
        response = browser.get(f"/files/{course.cohort.slug}/{name}.csv")
        assert response.streaming
        assert len(rows_of(response)) >= learners
