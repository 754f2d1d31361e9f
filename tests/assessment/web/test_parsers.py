"""Bodies of the API that cannot be read, or can be read in two ways, are told so."""

from http import HTTPStatus

import pytest
from django.test import Client

from tests.factories import bearer, enrol, make_cohort, make_exercise

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        pytest.param(b'{"answers": ', "JSON parse error", id="half of it"),
        pytest.param(b'{"answers": {"sum": NaN}}', "JSON parse error", id="no number of JSON"),
        pytest.param(b'{"answers": {"sum": "\xff"}}', "Byte 22 of the body", id="not UTF-8"),
        pytest.param(
            b'{"answers": {"sum": "1", "sum": "2"}}', "“sum” occurs twice", id="a name twice"
        ),
        pytest.param(b'{"answers": {}, "answers": {}}', "“answers” occurs", id="at the top"),
        pytest.param(
            rb'{"answers": {"\ud800": "1"}}', "surrogate pair", id="half a pair as a name"
        ),
        pytest.param(rb'{"answers": {"sum": "\udc00"}}', "surrogate pair", id="half a pair"),
        pytest.param(rb'{"answers": {"sum": ["\uD83D"]}}', "surrogate pair", id="half, in a list"),
        pytest.param(b'{"answers": ' + b"[" * 100_000, "too deeply", id="deep"),
        pytest.param(b'{"answers": ' + b"9" * 10_000 + b"}", "10000 digits", id="long integer"),
    ],
)
def test_a_body_that_cannot_be_read_is_a_problem_with_a_hint(body: bytes, hint: str) -> None:
    exercise = make_exercise()
    learner = enrol(make_cohort(exercise.session))
    address = f"/api/v1/exercises/{exercise.slug}/submissions/"

    answer = Client().post(address, body, "application/json", headers=bearer(learner.user, "learn"))

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer["Content-Type"] == "application/problem+json"
    assert hint in answer.json()["detail"]
    assert not learner.submissions.exists()


def test_a_packed_body_is_told_so() -> None:
    exercise = make_exercise()
    learner = enrol(make_cohort(exercise.session))
    address = f"/api/v1/exercises/{exercise.slug}/submissions/"
    headers = bearer(learner.user, "learn") | {"Content-Encoding": "gzip"}

    answer = Client().post(address, b"\x1f\x8b", "application/json", headers=headers)

    assert answer.status_code == HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    assert "without Content-Encoding" in answer.json()["detail"]


def test_the_mark_of_utf_8_at_the_beginning_is_no_part_of_the_body(client: Client) -> None:
    exercise = make_exercise()
    learner = enrol(make_cohort(exercise.session))
    address = f"/api/v1/exercises/{exercise.slug}/submissions/"
    body = b'\xef\xbb\xbf{"answers": {"sum": "1"}}'

    answer = client.post(address, body, "application/json", headers=bearer(learner.user, "learn"))

    assert answer.status_code == HTTPStatus.CREATED


def test_a_body_of_two_megabytes_is_told_that_it_is_too_long() -> None:
    exercise = make_exercise()
    learner = enrol(make_cohort(exercise.session))
    address = f"/api/v1/exercises/{exercise.slug}/submissions/"
    body = b'{"answers": {"sum": "' + b"1" * 2_000_000 + b'"}}'

    answer = Client().post(address, body, "application/json", headers=bearer(learner.user, "learn"))

    assert answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert answer["Content-Type"] == "application/problem+json"
    assert "longer than" in answer.json()["detail"]


def test_whole_pairs_and_escapes_are_read(client: Client) -> None:
    exercise = make_exercise()
    learner = enrol(make_cohort(exercise.session))

    answer = client.generic(
        "POST",
        f"/api/v1/exercises/{exercise.slug}/submissions/",
        rb'{"answers": {"sum": "\u0033 \ud83d\ude00"}}',
        "application/json; charset=utf-16",
        headers=bearer(learner.user, "learn"),
    )

    assert answer.status_code == HTTPStatus.CREATED
    assert learner.submissions.get().answers == {"sum": {"result": "3 😀"}}
