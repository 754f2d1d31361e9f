from decimal import Decimal
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.test import Client as Browser

from assessment.attempts.models import Submission
from assessment.review.models import Review
from assessment.review.releasing import release
from tests.assessment.review.conftest import Desk
from tests.factories import make_review, make_rubric, make_submission

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

FILLED = {
    "number": "0",
    "rubric": "1",
    "points-1": "4,5",
    "points-2": "2.5",
    "points-3": "0",
    "dominant_break": "operation",
    "level": "2",
    "note": "The sum takes the logits themselves.",
}


def url(desk: Desk) -> str:
    """Return the address of the review page."""
    return f"/review/{desk.submission.pk}/"


def save(desk: Desk, browser: Browser, **fields: str) -> "Answer":
    """Send the form as the instructor."""
    browser.force_login(desk.instructor)
    return browser.post(url(desk), FILLED | fields)


def test_shows_trace_findings_suggestion_rubric_and_expected_values(
    desk: Desk, client: Browser
) -> None:
    client.force_login(desk.assistant)

    page = client.get(url(desk)).content.decode()

    assert "[7.389, 2.718, 1]" in page
    assert "The chain first breaks at: sum" in page
    assert "the logits were summed, not their exponentials" in page
    assert "a suggestion; it counts once you tag it" in page
    assert "Traceable calculation" in page
    assert "11.1073" in page, "the exact sum is for the reviewer"


def test_a_review_is_saved_as_typed(desk: Desk, client: Browser) -> None:
    answer = save(desk, client)

    assert answer.status_code == HTTPStatus.FOUND
    review = Review.objects.get()
    assert [score.points for score in review.scores.all()] == [
        Decimal("4.5"),
        Decimal("2.5"),
        Decimal(0),
    ]
    assert (review.dominant_break, review.level) == ("operation", 2)
    assert review.reviewer == desk.instructor
    desk.submission.refresh_from_db()
    assert desk.submission.state == Submission.State.REVIEWED


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        pytest.param("points-1", "5.01", "from 0 to 5 points", id="over the maximum"),
        pytest.param("points-1", "-1", "is no number of points", id="negative"),
        pytest.param("points-1", "five", "is no number of points", id="a word"),
        pytest.param("points-1", "1e1", "is no number of points", id="an exponent"),
        pytest.param("points-1", "1,250", "can be read as", id="two readings"),
        pytest.param("points-1", "1.00001", "digits after the point", id="too many digits"),
        pytest.param("points-1", "4" * 21, "at most 20 characters", id="too long"),
        pytest.param("dominant_break", "sign", "valid choice", id="unknown break"),
        pytest.param("level", "4", "valid choice", id="unknown level"),
        pytest.param("note", "x" * 4001, "at most 4000 characters", id="note too long"),
    ],
)
def test_what_does_not_fit_is_shown_beside_what_was_typed(
    desk: Desk, client: Browser, field: str, text: str, message: str
) -> None:
    answer = save(desk, client, **{field: text})

    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    page = answer.content.decode()
    assert message in page
    assert "The sum takes the logits themselves." in page or field == "note"
    assert not Review.objects.exists()


def test_the_second_of_two_reviewers_sees_both_versions_and_loses_nothing(
    desk: Desk, client: Browser
) -> None:
    make_review(desk.submission, desk.assistant, "3", "2", "1", note="Half of the chain holds.")

    answer = save(desk, client)

    assert answer.status_code == HTTPStatus.CONFLICT
    page = answer.content.decode()
    assert "Half of the chain holds." in page
    assert "The sum takes the logits themselves." in page
    assert "emil saved version 1 meanwhile" in page
    assert Review.objects.count() == 1
    assert 'name="number" value="1"' in page
    assert save(desk, client, number="1").status_code == HTTPStatus.FOUND
    assert Review.objects.count() == 2


def test_points_of_an_old_rubric_are_never_read_as_those_of_the_new_one(
    desk: Desk, client: Browser
) -> None:
    make_rubric(desk.submission.version, {"Limitation": "9", "Shapes": "1"}, number=2)

    answer = save(desk, client, **{"points-3": "1.5"})

    assert answer.status_code == HTTPStatus.CONFLICT
    page = answer.content.decode()
    assert "The rubric changed while you were scoring" in page
    assert 'name="points-1" value="1.5"' in page, "Limitation keeps its points at its new place"
    assert 'name="rubric" value="2"' in page
    assert not Review.objects.exists()


def test_taking_the_proposed_points_saves_nothing(desk: Desk, client: Browser) -> None:
    page = save(desk, client, take="1", **{"points-1": "", "points-2": "1"}).content.decode()

    assert "3 of 4 steps of the trace hold." in page
    assert 'name="points-1" value="3.75"' in page
    assert 'name="points-2" value="1"' in page
    assert not Review.objects.exists()


def test_every_version_stays_in_the_history(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.assistant, dominant_break="shapes", note="First look.")
    make_review(desk.submission, desk.instructor, dominant_break="", note="On second thought.")
    client.force_login(desk.instructor)

    page = client.get(url(desk)).content.decode()

    assert "First look." in page
    assert "On second thought." in page
    desk.submission.refresh_from_db()
    assert desk.submission.state == Submission.State.CHECKED, (
        "a removed tag is a decision taken back"
    )


def test_a_released_review_offers_no_form(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)
    release([desk.submission], desk.instructor)
    client.force_login(desk.instructor)

    page = client.get(url(desk)).content.decode()

    assert 'name="points-1"' not in page
    assert save(desk, client, number="1").status_code == HTTPStatus.CONFLICT
    assert Review.objects.count() == 1


def test_a_later_attempt_is_flagged(desk: Desk, client: Browser) -> None:
    make_submission(desk.learner, desk.exercise)
    client.force_login(desk.instructor)

    assert "There is a later attempt" in client.get(url(desk)).content.decode()


def test_saving_can_go_on_to_the_next(desk: Desk, client: Browser) -> None:
    following = desk.another()

    assert save(desk, client, next="1")["Location"] == f"/review/{following.pk}/"


@pytest.mark.parametrize("path", ["", "release/", "withdraw/"])
@pytest.mark.parametrize(
    ("who", "reads", "decides"),
    [
        pytest.param("instructor", HTTPStatus.OK, HTTPStatus.OK, id="instructor"),
        pytest.param("assistant", HTTPStatus.OK, HTTPStatus.FORBIDDEN, id="assistant"),
        pytest.param(
            "stranger",
            HTTPStatus.NOT_FOUND,
            HTTPStatus.NOT_FOUND,
            id="instructor of another cohort",
        ),
        pytest.param("learner", HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND, id="the learner"),
        pytest.param("", HTTPStatus.FOUND, HTTPStatus.FOUND, id="nobody"),
    ],
)
def test_who_may_open_the_pages(
    desk: Desk, client: Browser, who: str, reads: HTTPStatus, decides: HTTPStatus, path: str
) -> None:
    if who:
        client.force_login(desk.learner.user if who == "learner" else getattr(desk, who))

    assert client.get(url(desk) + path).status_code == (decides if path else reads)


def test_a_submission_that_does_not_exist(desk: Desk, client: Browser) -> None:
    client.force_login(desk.instructor)

    answer = client.get(f"/review/{desk.cohort.pk}/")

    assert answer.status_code == HTTPStatus.NOT_FOUND


def test_a_malformed_form_is_no_failure(desk: Desk, client: Browser) -> None:
    answer = save(desk, client, number="x", rubric="²", check_seen="y")

    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
