from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from assessment.attempts.models import Submission
from tests.assessment.review.conftest import Desk
from tests.factories import bearer, enrol, make_review, make_submission

API = "/api/v1/submissions/"


def ids(browser: Browser, desk: Desk, **query: str) -> list[str]:
    """Return the ids that the API lists for the instructor."""
    answer = browser.get(API, query, headers=bearer(desk.instructor, "teach"))
    assert answer.status_code == HTTPStatus.OK, answer.content
    return [row["id"] for row in answer.json()["results"]]


@pytest.mark.parametrize("path", ["/review/", API])
@pytest.mark.parametrize(
    ("who", "status"),
    [
        pytest.param("instructor", HTTPStatus.OK, id="instructor"),
        pytest.param("assistant", HTTPStatus.OK, id="assistant"),
        pytest.param("stranger", HTTPStatus.OK, id="instructor of another cohort"),
        pytest.param("learner", None, id="the learner"),
        pytest.param("", None, id="nobody"),
    ],
)
def test_who_sees_which_queue(
    desk: Desk, client: Browser, path: str, who: str, status: HTTPStatus | None
) -> None:
    if who:
        client.force_login(desk.learner.user if who == "learner" else getattr(desk, who))

    answer = client.get(path)

    if status is None:
        refused = {HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN}
        assert answer.status_code in (
            refused if who else {HTTPStatus.FOUND, HTTPStatus.UNAUTHORIZED}
        )
    else:
        assert answer.status_code == status
        assert (str(desk.submission.pk) in answer.content.decode()) == (who != "stranger")


def test_filters_by_state_break_and_latest_attempt(desk: Desk, client: Browser) -> None:
    tagged = desk.another()
    make_review(tagged, desk.instructor, dominant_break="shapes")
    waiting = desk.another(state=Submission.State.SUBMITTED)
    again = make_submission(desk.learner, desk.exercise)

    first = str(desk.submission.pk)
    assert ids(client, desk) == [first, str(tagged.pk), str(waiting.pk), str(again.pk)]
    assert ids(client, desk, state="reviewed") == [str(tagged.pk)]
    assert ids(client, desk, state="submitted") == [str(waiting.pk)]
    assert ids(client, desk, **{"break": "shapes"}) == [str(tagged.pk)]
    assert first in ids(client, desk, **{"break": "untagged"})
    assert str(tagged.pk) not in ids(client, desk, **{"break": "untagged"})
    assert ids(client, desk, latest="true") == [str(tagged.pk), str(waiting.pk), str(again.pk)]
    assert ids(client, desk, cohort=desk.cohort.slug, exercise=desk.exercise.slug)


def test_a_suggested_break_is_no_tag(desk: Desk, client: Browser) -> None:
    assert ids(client, desk, **{"break": "operation"}) == []


@pytest.mark.parametrize(
    ("query", "status"),
    [
        pytest.param({"cohort": "no-such"}, HTTPStatus.NOT_FOUND, id="unknown cohort"),
        pytest.param({"exercise": "no-such"}, HTTPStatus.NOT_FOUND, id="unknown exercise"),
        pytest.param({"state": "lost"}, HTTPStatus.BAD_REQUEST, id="unknown state"),
        pytest.param({"break": "sign"}, HTTPStatus.BAD_REQUEST, id="unknown break"),
        pytest.param({"brake": "shapes"}, HTTPStatus.BAD_REQUEST, id="unknown parameter"),
        pytest.param({"cursor": "nonsense"}, HTTPStatus.BAD_REQUEST, id="no cursor"),
        pytest.param({"cursor": "\0"}, HTTPStatus.BAD_REQUEST, id="a NUL as cursor"),
        pytest.param({"limit": ""}, HTTPStatus.BAD_REQUEST, id="no limit said"),
        pytest.param({"cursor": "cD1hYmM="}, HTTPStatus.BAD_REQUEST, id="a cursor of no list here"),
    ],
)
def test_a_bad_filter_is_never_an_empty_success(
    desk: Desk, client: Browser, query: dict[str, str], status: HTTPStatus
) -> None:
    answer = client.get(API, query, headers=bearer(desk.instructor, "teach"))

    assert answer.status_code == status
    client.force_login(desk.instructor)
    page = client.get("/review/", query).content.decode()
    shown = query.keys() & {"cohort", "exercise", "state", "break"}
    assert not shown or "fits nothing" in page


def test_pages_hold_each_submission_once(desk: Desk, client: Browser) -> None:
    expected = {str(desk.submission.pk)} | {str(desk.another().pk) for _ in range(6)}
    headers = bearer(desk.instructor, "teach")
    url, seen = f"{API}?limit=3", []
    while url:
        page = client.get(url, headers=headers).json()
        seen += [row["id"] for row in page["results"]]
        url = page["next"]

    assert len(seen) == len(set(seen)) == len(expected)
    assert set(seen) == expected


def test_the_page_counts_states_and_asks_as_often_for_many_as_for_few(
    desk: Desk, client: Browser
) -> None:
    client.force_login(desk.instructor)
    with CaptureQueriesContext(connection) as few:
        client.get("/review/")
    for _ in range(8):
        make_submission(enrol(desk.cohort), desk.exercise)

    with CaptureQueriesContext(connection) as many:
        page = client.get("/review/").content.decode()

    assert "Checked 9" in page
    assert len(many) == len(few)
