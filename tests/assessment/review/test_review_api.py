from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.test import Client as Browser

from assessment.attempts.models import Submission
from assessment.review.models import Review
from assessment.review.releasing import release
from tests.assessment.review.conftest import Desk
from tests.factories import bearer, make_review, make_rubric, make_submission

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

ALL = {
    "points": {
        "Traceable calculation": "4.5",
        "Prediction before variation": 2.5,
        "Limitation": "0.5",
    },
    "break": "operation",
    "level": 2,
    "note": "The sum takes the logits themselves.",
}


def save(desk: Desk, browser: Browser, body: object = ALL, **headers: str) -> "Answer":
    """Post a review as the instructor; other headers go before the usual ones."""
    return browser.post(
        f"/api/v1/submissions/{desk.submission.pk}/review/",
        body,
        content_type="application/json",
        headers={"If-Match": '"0-1"'} | bearer(desk.instructor, "teach") | headers,
    )


def test_a_review_is_saved_with_exact_points(desk: Desk, client: Browser) -> None:
    answer = save(desk, client)

    assert answer.status_code == HTTPStatus.CREATED
    assert answer["ETag"] == '"1-1"'
    body = answer.json()
    assert body["points"] == {
        "Traceable calculation": "4.5",
        "Prediction before variation": "2.5",
        "Limitation": "0.5",
    }
    assert (body["total"], body["maximum"]) == ("7.5", "10")
    assert (body["break"], body["level"], body["reviewer"]) == ("operation", 2, "sofia")
    assert body["missing"] == []
    desk.submission.refresh_from_db()
    assert desk.submission.state == Submission.State.REVIEWED


def test_without_if_match_nothing_is_saved(desk: Desk, client: Browser) -> None:
    answer = client.post(
        f"/api/v1/submissions/{desk.submission.pk}/review/",
        ALL,
        content_type="application/json",
        headers=bearer(desk.instructor, "teach"),
    )

    assert answer.status_code == HTTPStatus.PRECONDITION_REQUIRED
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["ETag"] == '"0-1"'
    assert not Review.objects.exists()


def test_a_stale_save_gets_the_present_version_and_loses_nothing(
    desk: Desk, client: Browser
) -> None:
    make_review(desk.submission, desk.assistant, "3", "2", "1", note="Half of the chain holds.")

    answer = save(desk, client)

    assert answer.status_code == HTTPStatus.PRECONDITION_FAILED
    assert answer["ETag"] == '"1-1"'
    present = answer.json()["present"]
    assert present["reviewer"] == "emil"
    assert present["points"]["Traceable calculation"] == "3"
    assert present["note"] == "Half of the chain holds."
    assert Review.objects.count() == 1
    again = save(desk, client, **{"If-Match": answer["ETag"]})
    assert again.status_code == HTTPStatus.CREATED
    assert [review.number for review in desk.submission.reviews.all()] == [1, 2]


def test_a_save_against_an_old_rubric_is_refused(desk: Desk, client: Browser) -> None:
    make_rubric(desk.submission.version, {"Traceable calculation": "8"}, number=2)

    answer = save(desk, client)

    assert answer.status_code == HTTPStatus.PRECONDITION_FAILED
    assert answer["ETag"] == '"0-2"'


@pytest.mark.parametrize(
    "tag",
    [
        pytest.param("*", id="any version"),
        pytest.param('W/"0-1"', id="weak"),
        pytest.param('"0"', id="other form"),
        pytest.param('"99999999999999999999-1"', id="huge"),
        pytest.param("0-1", id="no quotes"),
    ],
)
def test_if_match_has_to_name_a_version(desk: Desk, client: Browser, tag: str) -> None:
    assert save(desk, client, **{"If-Match": tag}).status_code == HTTPStatus.PRECONDITION_FAILED


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param({"points": {"Limitation": "2.51"}}, "points", id="over the maximum"),
        pytest.param({"points": {"Limitation": "-1"}}, "points", id="below zero"),
        pytest.param({"points": {"Limitation": "1.00001"}}, "points", id="too many digits"),
        pytest.param({"points": {"Limitation": "NaN"}}, "points", id="no number"),
        pytest.param({"points": {"Elegance": "1"}}, "points", id="unknown criterion"),
        pytest.param({"points": [1, 2]}, "points", id="a list"),
        pytest.param({"break": "sign"}, "break", id="unknown break"),
        pytest.param({"level": 4}, "level", id="level too high"),
        pytest.param({"note": "x" * 4001}, "note", id="note too long"),
        pytest.param({"note": "a\x00b"}, "note", id="a null character"),
    ],
)
def test_what_does_not_fit_is_named(
    desk: Desk, client: Browser, change: dict[str, object], named: str
) -> None:
    answer = save(desk, client, ALL | change)

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert named in answer.json()["errors"]
    assert not Review.objects.exists()


def test_a_break_that_is_none_is_told_which_there_are(desk: Desk, client: Browser) -> None:
    said = save(desk, client, ALL | {"break": "sign"}).json()["errors"]["break"]

    assert said == [
        "is one of: vocabulary, shapes, operation, interpretation, claim_scope, none, cannot_tell"
    ]


def test_of_several_versions_the_one_that_holds_counts(desk: Desk, client: Browser) -> None:
    assert save(desk, client, **{"If-Match": '"7-1", "0-1"'}).status_code == HTTPStatus.CREATED


def test_points_are_needed(desk: Desk, client: Browser) -> None:
    assert "points" in save(desk, client, {"level": 1}).json()["errors"]


def test_an_unfinished_review_says_what_is_missing(desk: Desk, client: Browser) -> None:
    body = save(desk, client, {"points": {"Limitation": "1"}}).json()

    assert body["break"] is None
    assert body["missing"] == ["Traceable calculation", "Prediction before variation", "break"]
    desk.submission.refresh_from_db()
    assert desk.submission.state == Submission.State.CHECKED


@pytest.mark.parametrize("tag", ["none", "cannot_tell", None])
def test_no_break_and_cannot_tell_and_untagged_are_three_values(
    desk: Desk, client: Browser, tag: str | None
) -> None:
    assert save(desk, client, ALL | {"break": tag}).json()["break"] == tag


def test_a_released_review_is_frozen(desk: Desk, client: Browser) -> None:
    make_review(desk.submission, desk.instructor)
    release([desk.submission], desk.instructor)

    answer = save(desk, client, **{"If-Match": '"1-1"'})

    assert answer.status_code == HTTPStatus.CONFLICT
    assert "withdraw" in answer.json()["detail"]


def test_what_still_waits_for_its_check_is_not_reviewed(desk: Desk, client: Browser) -> None:
    desk.submission = make_submission(desk.learner, desk.exercise, state=Submission.State.SUBMITTED)

    assert save(desk, client).status_code == HTTPStatus.CONFLICT


@pytest.mark.parametrize(
    ("who", "status"),
    [
        pytest.param("instructor", HTTPStatus.CREATED, id="instructor"),
        pytest.param("assistant", HTTPStatus.CREATED, id="assistant"),
        pytest.param("stranger", HTTPStatus.NOT_FOUND, id="instructor of another cohort"),
        pytest.param("learner", HTTPStatus.NOT_FOUND, id="the learner"),
    ],
)
def test_who_may_review(desk: Desk, client: Browser, who: str, status: HTTPStatus) -> None:
    user = desk.learner.user if who == "learner" else getattr(desk, who)

    assert save(desk, client, **bearer(user, "teach")).status_code == status


def test_nobody_may_not_review(desk: Desk, client: Browser) -> None:
    assert save(desk, client, Authorization="").status_code == HTTPStatus.UNAUTHORIZED


def test_a_token_without_the_scope_may_not_review(desk: Desk, client: Browser) -> None:
    answer = save(desk, client, **bearer(desk.instructor, "grades:read", "learn"))

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "teach" in answer.json()["detail"]


def test_the_review_is_read_with_its_version(desk: Desk, client: Browser) -> None:
    url = f"/api/v1/submissions/{desk.submission.pk}/review/"
    headers = bearer(desk.instructor, "teach")
    before = client.get(url, headers=headers)
    make_review(desk.submission, desk.assistant)

    after = client.get(url, headers=headers)

    assert (before.status_code, before["ETag"]) == (HTTPStatus.NO_CONTENT, '"0-1"')
    assert (after.status_code, after["ETag"]) == (HTTPStatus.OK, '"1-1"')
    again = client.get(url, headers=headers | {"If-None-Match": after["ETag"]})
    assert again.status_code == HTTPStatus.NOT_MODIFIED


def test_the_version_of_the_submission_is_a_version_of_its_review(
    desk: Desk, client: Browser
) -> None:
    url = f"/api/v1/submissions/{desk.submission.pk}/"
    before = client.get(url, headers=bearer(desk.instructor, "teach"))["ETag"]

    assert save(desk, client, **{"If-Match": before}).status_code == HTTPStatus.CREATED
    assert save(desk, client, **{"If-Match": before}).status_code == HTTPStatus.PRECONDITION_FAILED
    as_learner = client.get(url, headers=bearer(desk.learner.user, "learn"))["ETag"]
    assert not as_learner.startswith('"1-1-'), "a learner learns nothing of an unreleased review"
