"""Deadlines and exemptions: set by instructors on the cohort's clock, kept, shown to learners."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client as Browser
from django.utils import timezone

from assessment.cohorts.models import User
from assessment.grades.models import Assignment, Exemption
from tests.assessment.grades.conftest import Course
from tests.factories import enrol, make_cohort, make_exercise, make_submission, make_user

DATES = {"assigned_at": "2026-12-01T09:00", "due_at": "2026-12-03T23:59"}


def browser_of(user: User) -> Browser:
    """Return a browser in which someone is signed in."""
    browser = Browser()
    browser.force_login(user)
    return browser


def address(course: Course, rest: str = "") -> str:
    """Return where the exercise's dates are set."""
    return f"/files/{course.cohort.slug}/deadlines/{course.exercise.slug}/{rest}"


def save(course: Course, **fields: str) -> Any:  # noqa: ANN401 (the test client's response)
    """Save dates as the form does that was just opened."""
    browser = browser_of(course.instructor)
    seen = browser.get(address(course)).context["seen"]
    return browser.post(address(course), DATES | {"seen": seen} | fields, follow=True)


def excuse(course: Course, **fields: object) -> Any:  # noqa: ANN401 (the test client's response)
    """Excuse the learner."""
    form = {"learner": course.learner.pk, "reason": "Ill until Friday"} | fields
    browser = browser_of(course.instructor)
    return browser.post(address(course, "excuse/"), form, follow=True)


@pytest.fixture
def course(course: Course) -> Course:
    """Return the course on the clock of Paris."""
    course.cohort.time_zone = "Europe/Paris"
    course.cohort.save()
    return course


def test_dates_are_read_on_the_clock_of_the_cohort(course: Course) -> None:
    page = save(course)

    found = Assignment.objects.get(cohort=course.cohort, exercise=course.exercise)
    assert found.assigned_at == datetime(2026, 12, 1, 8, tzinfo=UTC)
    assert found.due_at == datetime(2026, 12, 3, 22, 59, tzinfo=UTC)
    assert 'value="2026-12-03T23:59"' in page.content.decode()
    assert "3 December 2026, 23:59 CET" in page.content.decode()


def test_a_deadline_can_be_moved_and_taken_away(course: Course) -> None:
    save(course)
    save(course, due_at="2026-12-10T12:00")
    page = save(course, due_at="")

    assert Assignment.objects.get().due_at is None
    assert [each.due_at and each.due_at.day for each in page.context["decisions"]] == [None, 10, 3]
    assert {each.by for each in page.context["decisions"]} == {course.instructor}


def test_saving_the_same_dates_again_changes_nothing(course: Course) -> None:
    save(course)
    before = Assignment.objects.get().updated_at

    page = save(course)

    assert Assignment.objects.get().updated_at == before
    assert len(page.context["decisions"]) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({"due_at": "2026-12-01T09:00"}, "due after it was given", id="no time"),
        pytest.param({"due_at": "2026-11-01T09:00"}, "due after it was given", id="before"),
        pytest.param({"assigned_at": ""}, "required", id="not given"),
        pytest.param({"due_at": "tomorrow"}, "Write a day and a time", id="no date"),
        pytest.param({"due_at": "2026-02-30T09:00"}, "Write a day and a time", id="no such day"),
        pytest.param({"due_at": "9999-12-31T23:59"}, "between 2000 and 2099", id="far away"),
        pytest.param({"due_at": "2027-03-28T02:30"}, "may not exist", id="the hour left out"),
        pytest.param({"due_at": "2027-10-31T02:30"}, "ambiguous", id="the hour that comes twice"),
        pytest.param({"due_at": "x" * 5000}, "Write a day and a time", id="long"),
    ],
)
def test_dates_that_cannot_be_are_refused(
    course: Course, fields: dict[str, str], said: str
) -> None:
    page = save(course, **fields)

    assert page.status_code == 422
    assert said in page.content.decode()
    assert not Assignment.objects.exists()


def test_dates_that_someone_saved_meanwhile_are_not_overwritten_unseen(course: Course) -> None:
    browser = browser_of(course.instructor)
    seen = browser.get(address(course)).context["seen"]
    save(course, due_at="2026-12-24T12:00")

    page: Any = browser.post(address(course), DATES | {"seen": seen})

    assert page.status_code == 409
    assert "24 December 2026, 12:00 CET" in page.content.decode()
    assert Assignment.objects.get().due_at == datetime(2026, 12, 24, 11, tzinfo=UTC)
    again = browser.post(address(course), DATES | {"seen": page.context["seen"]})
    assert again.status_code == 302
    assert Assignment.objects.get().due_at == datetime(2026, 12, 3, 22, 59, tzinfo=UTC)


def test_a_deadline_that_has_passed_says_whom_it_leaves_without_work(course: Course) -> None:
    for _ in range(2):
        enrol(course.cohort)
    make_submission(course.learner, course.exercise)

    page = save(course, assigned_at="2020-01-01T00:00", due_at="2020-02-01T00:00")

    assert "2 learners have handed nothing in" in page.content.decode()


def test_a_learner_is_excused_with_a_reason_and_no_longer(course: Course) -> None:
    page = excuse(course)

    exemption = Exemption.objects.get(enrolment=course.learner, exercise=course.exercise)
    assert (exemption.reason, exemption.granted_by) == ("Ill until Friday", course.instructor)
    assert "ada is excused" in page.content.decode()

    browser = browser_of(course.instructor)
    page = browser.post(f"/files/exemptions/{exemption.pk}/lift/", follow=True)
    exemption.refresh_from_db()
    assert exemption.lifted_at is not None
    assert [(each.lifted, each.reason) for each in page.context["decisions"]] == [
        (True, "Ill until Friday"),
        (False, "Ill until Friday"),
    ]

    excuse(course, reason="Again")
    assert Exemption.objects.filter(pk=exemption.pk, lifted_at=None, reason="Again").exists()


def test_lifting_twice_is_one_decision(course: Course) -> None:
    excuse(course)
    browser = browser_of(course.instructor)

    for _ in range(2):
        page: Any = browser.post(
            f"/files/exemptions/{Exemption.objects.get().pk}/lift/", follow=True
        )

    assert len(page.context["decisions"]) == 2


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"reason": ""}, id="no reason"),
        pytest.param({"reason": "x" * 501}, id="a long reason"),
        pytest.param({"learner": ""}, id="nobody"),
        pytest.param({"learner": "ada"}, id="no id"),
    ],
)
def test_an_exemption_that_says_too_little_is_refused(
    course: Course, fields: dict[str, str]
) -> None:
    assert excuse(course, **fields).status_code == 422
    assert not Exemption.objects.exists()


def test_nobody_is_excused_in_another_cohort(course: Course) -> None:
    stranger = enrol(make_cohort(course.exercise.session))
    assistant = course.cohort.enrolments.get(user=course.assistant)

    for place in (stranger, assistant):
        assert (
            "Choose a learner of this cohort" in excuse(course, learner=place.pk).content.decode()
        )
    assert not Exemption.objects.exists()


def test_a_released_grade_of_someone_excused_is_told_of(course: Course) -> None:
    course.release("5", "2.5", "0")

    assert "A grade is released already" in excuse(course).content.decode()


@pytest.mark.parametrize(
    ("who", "read", "write"),
    [
        ("instructor", 200, 302),
        ("assistant", 200, 403),
        ("learner", 404, 404),
        ("stranger", 404, 404),
        ("former", 404, 404),
    ],
)
def test_only_instructors_set_and_assistants_read(
    course: Course, who: str, read: int, write: int
) -> None:
    former = enrol(course.cohort, role="instructor")
    former.left_at = timezone.now()
    former.save()
    exemption = Exemption.objects.create(
        enrolment=course.learner, exercise=course.exercise, granted_by=course.instructor
    )
    people = {
        "instructor": course.instructor,
        "assistant": course.assistant,
        "learner": course.learner.user,
        "stranger": enrol(make_cohort(course.exercise.session), role="instructor").user,
        "former": former.user,
    }
    browser = browser_of(people[who])

    assert browser.get(f"/files/{course.cohort.slug}/deadlines/").status_code == read
    assert browser.get(address(course)).status_code == read
    assert browser.post(address(course), DATES).status_code == write
    form = {"learner": course.learner.pk, "reason": "x"}
    assert browser.post(address(course, "excuse/"), form).status_code == write
    assert browser.post(f"/files/exemptions/{exemption.pk}/lift/").status_code == write


def test_an_exercise_of_another_session_has_no_deadline_here(course: Course) -> None:
    browser = browser_of(course.instructor)

    for slug in (make_exercise().slug, "none"):
        found = browser.get(f"/files/{course.cohort.slug}/deadlines/{slug}/")
        assert found.status_code == 404


def test_an_assistant_sees_no_form(course: Course) -> None:
    excuse(course)

    text = browser_of(course.assistant).get(address(course)).content.decode()

    assert "Ill until Friday" in text
    assert "Save the dates" not in text
    assert "No longer excuse" not in text


def test_the_list_names_dates_and_how_many_are_excused(course: Course) -> None:
    save(course)
    excuse(course)
    excuse(course, learner=enrol(course.cohort).pk)
    other = enrol(make_cohort(course.exercise.session))
    Exemption.objects.create(
        enrolment=other, exercise=course.exercise, granted_by=course.instructor
    )

    page: Any = browser_of(course.instructor).get(f"/files/{course.cohort.slug}/deadlines/")

    (exercise,) = page.context["exercises"]
    assert (exercise.due_at.day, exercise.excused) == (3, 2)
    assert len(page.context["decisions"]) == 3


def test_what_an_administrator_changed_stands_in_the_history(course: Course) -> None:
    save(course)
    found = Assignment.objects.get()
    administrator = make_user("root", is_staff=True, is_superuser=True)
    browser_of(administrator).post(
        f"/admin/grades/assignment/{found.pk}/change/",
        {
            "cohort": found.cohort_id,
            "exercise": found.exercise_id,
            "assigned_at_0": "2026-12-01",
            "assigned_at_1": "08:00",
            "due_at_0": "2026-12-05",
            "due_at_1": "08:00",
        },
    )

    page: Any = browser_of(course.instructor).get(address(course))

    latest = page.context["decisions"][0]
    assert latest.by == administrator
    assert "Due at" in latest.other


@pytest.mark.parametrize("where", ["/", "/sessions/{session}/", "/exercises/{exercise}/"])
def test_learners_see_when_it_is_due_and_that_they_are_excused(course: Course, where: str) -> None:
    page = where.format(session=course.exercise.session.slug, exercise=course.exercise.slug)
    learner = browser_of(course.learner.user)
    assert "Due" not in learner.get(page).content.decode()

    save(course, due_at="2090-12-03T23:59")
    assert "3 December 2090, 23:59 CET" in learner.get(page).content.decode()

    save(course, assigned_at="2020-01-01T00:00", due_at="2020-02-01T00:00")
    assert "Was due" in learner.get(page).content.decode()

    excuse(course)
    text = learner.get(page).content.decode()
    assert "You are excused from this exercise" in text
    assert "Ill until Friday" not in text
    other = browser_of(enrol(course.cohort).user).get(page).content.decode()
    assert "excused" not in other
