import re
from collections.abc import Iterable
from http import HTTPStatus
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from assessment.attempts.models import Submission
from assessment.review import ready
from assessment.review.models import Grade
from assessment.review.ready import MOST
from tests.assessment.review.conftest import Desk
from tests.factories import enrol, make_cohort, make_exercise, make_review, make_submission


def keys(page: str) -> list[str]:
    """Return what the boxes of a page send."""
    return re.findall(r'name="chosen"\s+value="([^"]+)"', page)


def address(desk: Desk, query: str = "") -> str:
    return f"/review/release/{desk.cohort.slug}/{query}"


def post(desk: Desk, browser: Browser, chosen: Iterable[str]) -> str:
    browser.force_login(desk.instructor)
    answer = browser.post(address(desk), {"chosen": list(chosen)}, follow=True)
    return answer.content.decode()


def test_all_complete_reviews_of_a_cohort_are_released_in_one_go(
    desk: Desk, client: Browser
) -> None:
    for submission in (desk.submission, desk.another(), desk.another()):
        make_review(submission, desk.instructor)
    client.force_login(desk.instructor)

    listed = keys(client.get(address(desk)).content.decode())

    assert "3 grades are released." in post(desk, client, listed)
    assert Grade.objects.released().count() == len(listed)
    assert set(Submission.objects.values_list("state", flat=True)) == {"released"}


def test_only_what_was_chosen_is_released(desk: Desk, client: Browser) -> None:
    other = desk.another()
    for submission in (desk.submission, other):
        make_review(submission, desk.instructor)

    assert "1 grade is released." in post(desk, client, [f"{other.pk}:1"])
    assert Grade.objects.get().submission == other


def test_after_a_refusal_only_those_rows_are_ticked_that_were_chosen_and_are_unchanged(
    desk: Desk, client: Browser
) -> None:
    left_out, changed = desk.another(), desk.another()
    for submission in (desk.submission, left_out, changed):
        make_review(submission, desk.instructor)

    page = post(desk, client, [f"{desk.submission.pk}:1", f"{changed.pk}:2"])

    assert "Nothing was released" in page
    ticked = re.findall(r'name="chosen"\s+value="([^"]+)"[^>]*\schecked>', page)
    assert ticked == [f"{desk.submission.pk}:1"]


def test_what_is_not_complete_is_named_with_what_it_needs_and_has_no_box(
    desk: Desk, client: Browser
) -> None:
    make_review(desk.submission, desk.instructor, "4.5", dominant_break="")
    client.force_login(desk.instructor)

    page = client.get(address(desk)).content.decode()

    assert keys(page) == []
    assert "Reviewed, but not complete" in page
    assert "Prediction before variation" in page
    assert "break" in post(desk, client, [f"{desk.submission.pk}:1"])
    assert not Grade.objects.exists()


def test_one_review_changed_meanwhile_stops_all_and_names_the_learner(
    desk: Desk, client: Browser
) -> None:
    other = desk.another()
    for submission in (desk.submission, other):
        make_review(submission, desk.instructor)
    make_review(other, desk.assistant, "0", "0", "0")

    page = post(desk, client, [f"{desk.submission.pk}:1", f"{other.pk}:1"])

    assert "Nothing was released" in page
    assert f"{other.enrolment.user}: emil saved version 2 meanwhile" in page
    assert not Grade.objects.exists()


def test_an_attempt_that_a_later_one_replaced_is_not_offered(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)
    make_submission(desk.learner, desk.exercise)
    client.force_login(desk.instructor)

    assert keys(client.get(address(desk)).content.decode()) == []


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param([], id="nothing"),
        pytest.param(["all"], id="a word"),
        pytest.param(["01a22ea8-9255-71ea-8d83-f0fd87783e30:1"], id="nobody's submission"),
        pytest.param(["9" * 5000], id="more digits than Python converts"),
    ],
)
def test_a_form_that_names_nothing_to_release_says_so(
    desk: Desk, client: Browser, chosen: list[str]
) -> None:
    make_review(desk.submission, desk.instructor)

    assert "Nothing was chosen" in post(desk, client, chosen)
    assert not Grade.objects.exists()


def test_a_second_click_releases_nothing_twice(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)
    post(desk, client, [f"{desk.submission.pk}:1"])
    grade = Grade.objects.get()

    assert "released already" in post(desk, client, [f"{desk.submission.pk}:1"])
    assert Grade.objects.get().sequence == grade.sequence


def test_a_submission_of_another_cohort_is_not_released_here(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)
    client.force_login(desk.stranger)
    elsewhere = desk.stranger.enrolments.get().cohort

    client.post(f"/review/release/{elsewhere.slug}/", {"chosen": [f"{desk.submission.pk}:1"]})

    assert not Grade.objects.exists()
    assert client.get(address(desk)).status_code == HTTPStatus.NOT_FOUND


def test_the_list_narrows_to_one_exercise_and_refuses_an_unknown_one(
    desk: Desk, client: Browser
) -> None:
    second = make_exercise(desk.exercise.session)
    make_review(desk.submission, desk.instructor)
    other = make_submission(desk.learner, second)
    make_review(other, desk.instructor)
    client.force_login(desk.instructor)

    assert len(keys(client.get(address(desk)).content.decode())) == 2
    narrowed = client.get(address(desk, f"?exercise={second.slug}")).content.decode()
    assert keys(narrowed) == [f"{other.pk}:1"]
    unknown = client.get(address(desk, "?exercise=nothing"))
    assert unknown.status_code == HTTPStatus.NOT_FOUND


def test_the_queue_leads_instructors_there_and_assistants_not(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)

    client.force_login(desk.instructor)
    assert address(desk) in client.get("/review/").content.decode()
    client.force_login(desk.assistant)
    assert address(desk) not in client.get("/review/").content.decode()
    assert client.get(address(desk)).status_code == HTTPStatus.NOT_FOUND


def test_the_queue_of_one_cohort_offers_to_release_that_one_alone(
    desk: Desk, client: Browser
) -> None:
    make_review(desk.submission, desk.instructor, "5", "2.5", "2.5")
    other = make_cohort(desk.exercise.session, slug="other")
    enrol(other, desk.instructor, role="instructor")
    client.force_login(desk.instructor)

    here = client.get(f"/review/?cohort={desk.cohort.slug}").content.decode()

    assert f"/review/release/{desk.cohort.slug}/" in here
    assert "/review/release/" not in client.get("/review/?cohort=other").content.decode()


def test_the_number_of_questions_to_the_database_does_not_grow(desk: Desk, client: Browser) -> None:
    make_review(desk.another(), desk.instructor)
    client.force_login(desk.instructor)

    with CaptureQueriesContext(connection) as few:
        client.get(address(desk))
    for _ in range(12):
        make_review(desk.another(), desk.instructor)
    with CaptureQueriesContext(connection) as many:
        page = client.get(address(desk)).content.decode()

    assert len(keys(page)) == 13
    assert len(many) == len(few)


def test_what_is_not_complete_never_hides_what_is(
    desk: Desk, client: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "MOST", 2)
    for _ in range(2):
        make_review(desk.another(), desk.instructor, dominant_break="")
    make_review(desk.another(), desk.instructor, "5")
    last = desk.another()
    make_review(last, desk.instructor)
    client.force_login(desk.instructor)

    assert keys(client.get(address(desk)).content.decode()) == [f"{last.pk}:1"]


def test_a_page_full_of_rows_is_no_longer_than_a_form_may_be(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)
    others = [f"{uuid4()}:1" for _ in range(MOST - 1)]
    client.force_login(desk.instructor)

    answer = client.post(
        address(desk),
        {"chosen": [f"{desk.submission.pk}:1", *others], "csrfmiddlewaretoken": "x"},
        follow=True,
    )

    assert "1 grade is released." in answer.content.decode()
