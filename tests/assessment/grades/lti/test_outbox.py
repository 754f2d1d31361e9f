"""Scores reach the LMS: when they may, as they are, once, and again after failures."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client as Browser
from django.utils import timezone
from pylti1p3.grade import Grade as Score

from assessment.attempts.models import Submission
from assessment.cohorts.models import Enrolment, User
from assessment.grades.lti.services import send_score
from assessment.grades.models import Exemption, LineItem, LtiUser, Passback, Platform
from assessment.grades.outbox.collecting import collect
from assessment.grades.outbox.sending import (
    LONGEST_PAUSE,
    MOST_TRIES,
    Delivery,
    pause,
    send_due,
)
from assessment.grades.tasks import deliver_scores
from assessment.review.models import Grade
from assessment.review.releasing import release, withdraw
from exercises.models import Exercise
from tests.assessment.grades.lti.conftest import INSTRUCTOR, launch, register
from tests.assessment.grades.lti.platform_double import CLAIM, SCORE, PlatformDouble
from tests.factories import make_exercise, make_review, make_submission

pytestmark = pytest.mark.django_db


@dataclass
class Course:
    """A course of an LMS with one column and one learner."""

    lms: PlatformDouble
    exercise: Exercise
    instructor: User

    def person(self, subject: str) -> Enrolment:
        """Return the place of someone who launched."""
        return LtiUser.objects.get(subject=subject).user.enrolments.get()

    def arrive(self, subject: str) -> Enrolment:
        """Launch as a learner."""
        custom = {f"{CLAIM}custom": {"exercise": self.exercise.slug}}
        launch(self.lms, {"sub": subject, **custom})
        return self.person(subject)

    def grade(self, enrolment: Enrolment, *points: str) -> Grade:
        """Submit, review and release."""
        submission = make_submission(enrolment, self.exercise)
        make_review(submission, self.instructor, *points)
        return release([submission], self.instructor)[0]


@pytest.fixture
def course(lms: PlatformDouble) -> Course:
    """Return a course whose instructor was here once."""
    launch(lms, INSTRUCTOR)
    teacher = LtiUser.objects.get(subject="lms-teacher").user
    return Course(lms, make_exercise(), teacher)


def shown(score: dict[str, Any]) -> dict[str, Any]:
    """Return a message without its times."""
    assert score["timestamp"].endswith("Z")
    return {name: value for name, value in score.items() if name not in {"timestamp", "submission"}}


def test_a_submission_is_told_without_a_score(course: Course) -> None:
    make_submission(course.arrive("ada"), course.exercise)

    deliver_scores()

    (score,) = course.lms.scores
    assert shown(score) == {
        "userId": "ada",
        "activityProgress": "Submitted",
        "gradingProgress": "PendingManual",
    }
    assert course.lms.score_paths == ["/course/lineitems/7/scores?type=lti"]
    assert [each["scope"] for each in course.lms.token_requests] == [SCORE]


@pytest.mark.parametrize(
    ("points", "given"),
    [
        pytest.param(("0", "0", "0"), 0, id="zero"),
        pytest.param(("5", "2.5", "0"), 7.5, id="half a point"),
        pytest.param(("0.7", "0", "0"), 0.7, id="seven tenths"),
        pytest.param(("0.1", "0.2", "0.0001"), 0.3001, id="four decimals"),
    ],
)
def test_a_released_grade_is_told_as_it_is(
    course: Course, points: tuple[str, ...], given: float
) -> None:
    course.grade(course.arrive("ada"), *points)

    deliver_scores()

    (score,) = course.lms.scores
    assert shown(score) == {
        "userId": "ada",
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
        "scoreGiven": given,
        "scoreMaximum": 10,
    }
    assert str(score["scoreGiven"]) == str(given)


def test_nothing_unreleased_is_told(course: Course) -> None:
    submission = make_submission(course.arrive("ada"), course.exercise)
    make_review(submission, course.instructor, note="a secret")

    deliver_scores()

    assert [shown(score).get("scoreGiven") for score in course.lms.scores] == [None]
    assert "secret" not in str(course.lms.scores)


def test_each_change_is_told_once_and_times_rise(course: Course) -> None:
    enrolment = course.arrive("ada")
    make_submission(enrolment, course.exercise)
    deliver_scores()
    grade = course.grade(enrolment, "1", "0", "0")
    deliver_scores()
    deliver_scores()
    withdraw(grade, course.instructor)
    deliver_scores()
    make_review(grade.submission, course.instructor, "2", "0", "0")
    release([grade.submission], course.instructor)
    deliver_scores()
    deliver_scores()

    told = [score.get("scoreGiven") for score in course.lms.scores]
    times = [score["timestamp"] for score in course.lms.scores]
    assert told == [None, 1, None, 2]
    assert times == sorted(set(times))


def test_canvas_hears_of_an_attempt_once(course: Course) -> None:
    enrolment = course.arrive("ada")
    Platform.objects.update(issuer="https://canvas.instructure.com")
    make_submission(enrolment, course.exercise)
    deliver_scores()
    grade = course.grade(enrolment, "1", "0", "0")
    deliver_scores()
    withdraw(grade, course.instructor)
    deliver_scores()

    said = [
        score.get("https://canvas.instructure.com/lti/submission") for score in course.lms.scores
    ]
    assert said == [None, {"new_submission": False}, {"new_submission": False}]


def test_a_later_attempt_leaves_a_released_score_in_place(course: Course) -> None:
    enrolment = course.arrive("ada")
    course.grade(enrolment, "5", "0", "0")
    deliver_scores()

    make_submission(enrolment, course.exercise)
    deliver_scores()
    assert [score["scoreGiven"] for score in course.lms.scores] == [5]
    course.grade(enrolment, "1", "0", "0")
    deliver_scores()

    assert [score["scoreGiven"] for score in course.lms.scores] == [5, 1]


def test_two_changes_before_a_delivery_are_told_as_the_last(course: Course) -> None:
    enrolment = course.arrive("ada")
    course.grade(enrolment, "1", "0", "0")
    collect()
    course.grade(enrolment, "2", "0", "0")

    deliver_scores()

    assert [score["scoreGiven"] for score in course.lms.scores] == [2]


def test_an_exempt_learner_is_told_without_a_score(course: Course) -> None:
    enrolment = course.arrive("ada")
    course.grade(enrolment, "1", "0", "0")
    deliver_scores()
    Exemption.objects.create(
        enrolment=enrolment, exercise=course.exercise, granted_by=course.instructor
    )

    deliver_scores()

    assert [score.get("scoreGiven") for score in course.lms.scores] == [1, None]
    # Nobody is going to grade it: no LMS lists it as work that waits.
    assert course.lms.scores[-1]["gradingProgress"] == "NotReady"


def test_an_exercise_without_points_is_told_as_done(course: Course) -> None:
    course.exercise = make_exercise(rubric={"Unscored": "0"})
    course.grade(course.arrive("ada"))

    deliver_scores()

    (score,) = course.lms.scores
    assert (score["gradingProgress"], score.get("scoreGiven")) == ("FullyGraded", None)


def test_what_was_released_before_the_column_was_known_is_told_too(course: Course) -> None:
    enrolment = course.arrive("ada")
    LineItem.objects.all().delete()
    course.grade(enrolment, "3", "0", "0")
    deliver_scores()
    assert course.lms.scores == []

    course.arrive("ada")
    deliver_scores()

    assert [score["scoreGiven"] for score in course.lms.scores] == [3]


@pytest.mark.parametrize("status", [500, 502, 503, 429, 401, 409])
def test_a_failure_that_may_pass_is_tried_again_with_a_later_time(
    course: Course, status: int
) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    course.lms.failures = [status, status]

    deliver_scores()
    course.lms.failures = []
    cell = Passback.objects.get()
    assert (cell.state, cell.tries) == ("waiting", 1)
    assert f"HTTP {status}" in cell.last_error
    assert cell.next_try_at > timezone.now()
    deliver_scores()
    assert course.lms.scores == []
    first = cell.stamp
    Passback.objects.update(next_try_at=timezone.now())
    deliver_scores()

    cell.refresh_from_db()
    assert cell.state == "sent"
    assert cell.stamp is not None
    assert first is not None
    assert cell.stamp > first
    assert [score["scoreGiven"] for score in course.lms.scores] == [1]


@pytest.mark.parametrize("status", [400, 403, 404, 422])
def test_a_refusal_is_shown_and_sent_again_by_hand(course: Course, status: int) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    course.lms.failures = [status, status]
    deliver_scores()
    course.lms.failures = []
    Passback.objects.update(next_try_at=timezone.now())
    deliver_scores()
    assert course.lms.scores == []
    cell = Passback.objects.get()
    assert cell.state == "refused"

    browser = Browser()
    browser.force_login(course.instructor)
    page = browser.get(f"/lms/cohorts/{cell.enrolment.cohort.slug}/")
    assert f"HTTP {status}" in page.content.decode()
    browser.post(f"/lms/cells/{cell.pk}/send/")
    deliver_scores()

    assert [score["scoreGiven"] for score in course.lms.scores] == [1]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500])
def test_a_platform_that_gives_no_token_is_asked_again_later(course: Course, status: int) -> None:
    for name in ("ada", "bea"):
        course.grade(course.arrive(name), "1", "0", "0")
    course.lms.token_failures = [status]

    deliver_scores()
    states = list(Passback.objects.values_list("state", "tries").order_by("tries"))
    Passback.objects.update(next_try_at=timezone.now())
    deliver_scores()

    assert states == [("waiting", 0), ("waiting", 1)]
    assert len(course.lms.scores) == 2


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_that_the_platform_forgot_is_replaced_at_once(course: Course, status: int) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    course.lms.failures = [status]

    deliver_scores()

    assert Passback.objects.get().state == "sent"
    assert len(course.lms.token_requests) == 2


def test_whatever_an_lms_says_to_a_score_that_it_took_it_took_it(course: Course) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    course.lms.score_answer = "<p>Thank you</p>"

    deliver_scores()

    assert Passback.objects.get().state == "sent"


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_score_that_led_to_another_page_was_not_taken(course: Course, status: int) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    course.lms.failures = [status]
    course.lms.failure_headers = {"Location": "/course/members"}

    deliver_scores()

    cell = Passback.objects.get()
    assert (cell.state, cell.tries) == ("waiting", 1)
    assert "/course/members" in cell.last_error


def test_an_answer_without_a_token_is_a_failure_like_others(course: Course) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    answers = [{"error": "later"}, [], {"access_token": 7, "expires_in": 3600}, "[" * 20_000]

    for tries, answer in enumerate(answers, 1):
        course.lms.token_answer = answer
        deliver_scores()

        cell = Passback.objects.get()
        assert (cell.state, cell.tries) == ("waiting", tries)
        Passback.objects.update(next_try_at=timezone.now())


def test_a_token_whose_time_is_written_as_text_is_kept(course: Course) -> None:
    course.lms.token_answer = {"access_token": "lms-token-text", "expires_in": "3600"}
    for name in ("ada", "bea"):
        course.grade(course.arrive(name), "1", "0", "0")

    deliver_scores()

    assert len(course.lms.scores) == 2
    assert len(course.lms.token_requests) == 1


@pytest.mark.parametrize(
    ("asked", "least"),
    [pytest.param("9999999999", 21_000, id="very long"), pytest.param("soon", 25, id="unclear")],
)
def test_an_lms_that_is_asked_too_much_is_left_alone_as_long_as_it_says(
    course: Course, asked: str, least: int
) -> None:
    for name in ("ada", "bea"):
        course.grade(course.arrive(name), "1", "0", "0")
    course.lms.failures = [429]
    course.lms.failure_headers = {"Retry-After": asked}

    deliver_scores()

    assert course.lms.scores == []
    waits = [cell.next_try_at - timezone.now() for cell in Passback.objects.order_by("tries")]
    assert least < waits[1].total_seconds() <= LONGEST_PAUSE.total_seconds()
    assert (waits[0].total_seconds() > least) is asked.isdecimal()


def test_one_lms_out_of_order_does_not_stand_in_the_way_of_another(course: Course) -> None:
    with PlatformDouble(client_id="client-2").serving() as other:
        platform = register(other)
        platform.deployments.create(deployment_id=other.deployment_id)
        other.tool_keys = course.lms.tool_keys
        launch(other, INSTRUCTOR)
        teacher = LtiUser.objects.get(platform=platform).user
        there = Course(other, course.exercise, teacher)
        course.grade(course.arrive("ada"), "1", "0", "0")
        course.grade(course.arrive("bea"), "1", "0", "0")
        there.grade(there.arrive("cleo"), "1", "0", "0")
        collect()
        course.lms.failures = [503]

        delivery = send_due(limit=2)

        assert (delivery.sent, delivery.failed) == (1, 1)
        assert len(other.scores) == 1


def test_an_lms_that_is_let_in_no_longer_is_told_nothing_more(course: Course) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    collect()
    Platform.objects.update(is_active=False)

    assert send_due() == Delivery()
    assert Passback.objects.get().tries == 0


def test_what_was_withdrawn_since_it_was_collected_does_not_leave(course: Course) -> None:
    grade = course.grade(course.arrive("ada"), "1", "0", "0")
    collect()
    withdraw(grade, course.instructor)

    send_due()

    assert [score.get("scoreGiven") for score in course.lms.scores] == [None]


def test_what_may_not_be_said_any_more_is_not_said_of_someone_who_is_no_learner_now(
    course: Course,
) -> None:
    grade = course.grade(course.arrive("ada"), "1", "0", "0")
    collect()
    withdraw(grade, course.instructor)
    Enrolment.objects.filter(pk=grade.enrolment_id).update(role=Enrolment.Role.ASSISTANT)

    assert send_due() == Delivery()
    assert course.lms.scores == []


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"role": Enrolment.Role.ASSISTANT}, id="assists now"),
        pytest.param({"left_at": timezone.now()}, id="left"),
    ],
)
def test_a_score_is_taken_away_from_someone_who_is_no_learner_any_more(
    course: Course, change: dict[str, Any]
) -> None:
    grade = course.grade(course.arrive("ada"), "1", "0", "0")
    deliver_scores()
    Enrolment.objects.filter(pk=grade.enrolment_id).update(**change)
    deliver_scores()
    withdraw(grade, course.instructor)

    deliver_scores()

    assert [score.get("scoreGiven") for score in course.lms.scores] == [1, None]


def test_a_column_that_takes_another_exercise_keeps_no_score_of_the_former(course: Course) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    deliver_scores()
    course.exercise = make_exercise()
    course.arrive("bea")

    deliver_scores()
    deliver_scores()

    (_score, taken_away) = course.lms.scores
    assert shown(taken_away) == {
        "userId": "ada",
        "activityProgress": "Initialized",
        "gradingProgress": "NotReady",
    }


def test_one_refused_score_stops_no_other(course: Course) -> None:
    for name in ("ada", "bea", "cleo"):
        course.grade(course.arrive(name), "1", "0", "0")
    course.lms.failures = [404]

    deliver_scores()

    assert len(course.lms.scores) == 2
    states = Passback.objects.order_by("state").values_list("state", flat=True)
    assert list(states) == ["refused", "sent", "sent"]


def test_an_lms_that_is_down_costs_one_wait_and_gets_everything_later(course: Course) -> None:
    for name in ("ada", "bea"):
        course.grade(course.arrive(name), "1", "0", "0")
    platform = LineItem.objects.get().context.deployment.platform
    port = course.lms.port
    LineItem.objects.update(url="http://127.0.0.1:9/course/lineitems/7")

    assert send_due().failed == 0  # nothing was collected yet
    collect()
    delivery = send_due()
    assert (delivery.sent, delivery.failed) == (0, 1)

    LineItem.objects.update(url=f"http://127.0.0.1:{port}/course/lineitems/7")
    Passback.objects.update(next_try_at=timezone.now())
    assert send_due().sent == 2
    assert platform.is_active


def test_a_delivery_that_crossed_a_change_does_not_hide_it(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade = course.grade(course.arrive("ada"), "1", "0", "0")
    collect()

    def send_while_a_change_comes(item: LineItem, score: Score) -> None:
        if not course.lms.scores:
            withdraw(grade, course.instructor)
            collect()
        send_score(item, score)

    monkeypatch.setattr("assessment.grades.outbox.sending.send_score", send_while_a_change_comes)
    send_due()

    assert [score.get("scoreGiven") for score in course.lms.scores] == [1, None]
    assert Passback.objects.get().state == "sent"


def test_a_cell_that_another_worker_has_is_left_to_it(course: Course) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    collect()
    Passback.objects.update(claimed_until=timezone.now() + timedelta(minutes=1))
    assert send_due().sent == 0

    Passback.objects.update(claimed_until=timezone.now() - timedelta(minutes=1))
    assert send_due().sent == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_each_score_once(course: Course) -> None:
    for name in ("ada", "bea", "cleo"):
        course.grade(course.arrive(name), "1", "0", "0")
    met = Barrier(2)

    def work(_worker: int) -> None:
        try:
            met.wait(timeout=10)
            deliver_scores()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))

    assert sorted(score["userId"] for score in course.lms.scores) == ["ada", "bea", "cleo"]
    assert set(Passback.objects.values_list("state", flat=True)) == {"sent"}


@pytest.mark.parametrize("failures", [[], [503]], ids=["taken", "failed"])
def test_a_worker_that_comes_between_any_two_steps_of_another_sends_nothing_twice(
    course: Course, failures: list[int]
) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    collect()
    course.lms.failures = [*failures]
    looks: list[str] = []

    def come_between(execute: Any, sql: str, *rest: Any) -> Any:  # noqa: ANN401 (Django's own)
        result = execute(sql, *rest)
        if sql.startswith("UPDATE") and "grades_passback" in sql and len(looks) < 5:
            looks.append(sql)
            send_due()
        return result

    with connection.execute_wrapper(come_between):
        send_due()

    assert len(course.lms.scores) == 1 - len(failures)
    assert Passback.objects.get().tries == 1
    assert len(looks) == 3  # claimed, noted, let go


def test_pauses_double_up_to_a_quarter_of_a_day() -> None:
    pauses = [pause(tries) for tries in range(1, MOST_TRIES + 1)]

    assert pauses[:3] == [timedelta(seconds=30), timedelta(minutes=1), timedelta(minutes=2)]
    assert pauses[-1] == LONGEST_PAUSE
    assert timedelta(days=5) < sum(pauses, timedelta()) < timedelta(days=9)


def test_a_learner_sees_their_own_cells_only(course: Course) -> None:
    ada, bea = course.arrive("ada"), course.arrive("bea")
    course.grade(ada, "5", "2.5", "0")
    make_submission(bea, course.exercise)
    deliver_scores()
    browser = Browser()

    browser.force_login(bea.user)
    assert [cell.points for cell in browser.get("/lms/").context["cells"]] == [None]
    assert browser.get(f"/lms/cohorts/{ada.cohort.slug}/").status_code == 404
    cell = Passback.objects.get(person__subject="ada")
    assert browser.post(f"/lms/cells/{cell.pk}/send/").status_code == 404
    browser.force_login(ada.user)
    assert [cell.points for cell in browser.get("/lms/").context["cells"]] == [Decimal("7.5")]


def test_a_submission_nobody_reviewed_yet_waits_for_a_person(course: Course) -> None:
    enrolment = course.arrive("ada")
    make_submission(enrolment, course.exercise, state=Submission.State.UNCHECKABLE)

    deliver_scores()

    assert course.lms.scores[0]["gradingProgress"] == "PendingManual"
    assert "submittedAt" in course.lms.scores[0]["submission"]


def test_what_did_not_arrive_stands_first_with_its_next_try(course: Course) -> None:
    course.grade(course.arrive("ada"), "1", "0", "0")
    deliver_scores()
    cohort = course.grade(course.arrive("bea"), "1", "1", "0").enrolment.cohort
    course.lms.failures = [503]
    deliver_scores()
    browser = Browser()
    browser.force_login(course.instructor)

    page = browser.get(f"/lms/cohorts/{cohort.slug}/").content.decode()

    arrived = re.search(r"sent\s+· ", page)
    assert arrived
    assert page.index("HTTP 503") < page.index("next try") < arrived.start()
