from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.test import Client as Browser

from assessment.attempts.models import Submission
from assessment.review.models import Grade
from assessment.review.releasing import release
from tests.assessment.review.conftest import Desk
from tests.factories import make_review

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer


def post(desk: Desk, browser: Browser, verb: str, **fields: str) -> "Answer":
    """Press the last button of a confirmation."""
    return browser.post(f"/review/{desk.submission.pk}/{verb}/", fields, follow=True)


def test_releasing_asks_first_and_then_releases_what_was_read(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor, "4.5", "2.5", "0")
    client.force_login(desk.instructor)

    question = client.get(f"/review/{desk.submission.pk}/release/").content.decode()
    assert 'name="number" value="1"' in question
    assert not Grade.objects.exists()
    answer = post(desk, client, "release", number="1")

    assert "The grade is released." in answer.content.decode()
    grade = Grade.objects.get()
    assert str(grade.points) == "7.0000"
    assert grade.status == Grade.Status.RELEASED


def test_a_review_saved_after_the_last_look_is_not_released(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)
    make_review(desk.submission, desk.assistant, "0", "0", "0")
    client.force_login(desk.instructor)

    answer = post(desk, client, "release", number="1")

    assert "emil saved version 2 meanwhile" in answer.content.decode()
    assert not Grade.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({}, id="no number"),
        pytest.param({"number": "one"}, id="a word"),
        pytest.param({"number": "9" * 5000}, id="more digits than Python converts"),
    ],
)
def test_a_form_that_does_not_say_what_was_read_releases_nothing(
    desk: Desk, client: Browser, fields: dict[str, str]
) -> None:
    make_review(desk.submission, desk.instructor)
    client.force_login(desk.instructor)

    answer = post(desk, client, "release", **fields)

    assert "saved version 1 meanwhile" in answer.content.decode()
    assert not Grade.objects.exists()


def test_an_incomplete_review_is_not_released(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor, "4.5", dominant_break="")
    client.force_login(desk.instructor)

    answer = post(desk, client, "release", number="1").content.decode()

    assert "Prediction before variation" in answer
    assert not Grade.objects.exists()


def test_an_assistant_neither_releases_nor_withdraws(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)
    client.force_login(desk.assistant)

    assert post(desk, client, "release", number="1").status_code == HTTPStatus.FORBIDDEN
    release([desk.submission], desk.instructor)
    assert post(desk, client, "withdraw").status_code == HTTPStatus.FORBIDDEN
    assert Grade.objects.get().status == Grade.Status.RELEASED


def test_withdrawing_asks_first_and_opens_the_review_again(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)
    release([desk.submission], desk.instructor)
    client.force_login(desk.instructor)

    question = client.get(f"/review/{desk.submission.pk}/withdraw/").content.decode()
    assert "Keep it" in question
    answer = post(desk, client, "withdraw")

    assert "The grade is withdrawn." in answer.content.decode()
    assert Grade.objects.get().status == Grade.Status.WITHDRAWN
    desk.submission.refresh_from_db()
    assert desk.submission.state == Submission.State.REVIEWED


def test_withdrawing_what_is_not_released_says_so(desk: Desk, client: Browser) -> None:
    client.force_login(desk.instructor)

    assert "nothing to withdraw" in post(desk, client, "withdraw").content.decode()


@pytest.mark.parametrize("verb", ["release", "withdraw"])
def test_an_assistant_is_told_who_can_and_finds_no_button(
    desk: Desk, client: Browser, verb: str
) -> None:
    make_review(desk.submission, desk.instructor)
    release([desk.submission], desk.instructor)
    client.force_login(desk.assistant)

    answer = client.get(f"/review/{desk.submission.pk}/{verb}/")

    assert answer.status_code == HTTPStatus.FORBIDDEN
    page = answer.content.decode()
    assert "Only an instructor" in page
    assert 'class="confirm' not in page
