"""The doors where clients show their secrets: bounded, and no stranger shuts out an honest LMS."""

from base64 import b64encode
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.test import Client as Browser
from pytest_django import Settings

from assessment.cohorts import throttling
from assessment.cohorts.models import Client
from tests.factories import make_client, make_cohort, make_exercise
from tests.queue import Broker

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

SECRET = "client-secret"
LMS, STRANGER = "192.0.2.1", "198.51.100.7"
OK, REFUSED, WAIT = HTTPStatus.OK, HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS
# One window since 1970, and until 2286.
FOREVER = 10_000_000_000
DOORS = ["/oauth/token/", "/oauth/revoke/"]


@pytest.fixture(autouse=True)
def counter(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Start each test with a counter that has met no failure; a proxy says where callers are."""
    settings.BEHIND_PROXY = True
    monkeypatch.setattr(throttling, "_counter", throttling.Counter())
    monkeypatch.setattr(throttling, "_WINDOW", FOREVER)  # no test straddles two minutes
    monkeypatch.setattr(throttling, "REFUSALS_OF_A_CLIENT", 3)
    monkeypatch.setattr(throttling, "REFUSALS_OF_AN_ADDRESS", 5)
    monkeypatch.setattr(throttling, "TOKENS_OF_A_CLIENT", 4)


@pytest.fixture
def client_id(db: None, broker: Broker) -> str:  # noqa: ARG001 (rows are made)
    """Return the id of an LMS's client, with nothing counted so far."""
    broker.wipe()
    client: Client = make_client(make_cohort(make_exercise().session))
    return str(client.client_id)


def ask(
    client_id: str, secret: str = SECRET, *, at: str = LMS, door: str = "/oauth/token/"
) -> "Answer":
    pair = b64encode(f"{client_id}:{secret}".encode()).decode()
    form = {"grant_type": "client_credentials", "token": "none"}
    headers = {"Authorization": f"Basic {pair}", "X-Forwarded-For": at}
    return Browser().post(door, form, headers=headers)


@pytest.mark.queue
@pytest.mark.parametrize("door", DOORS)
def test_a_stranger_who_knows_the_id_shuts_out_only_themself(client_id: str, door: str) -> None:
    guesses = [ask(client_id, "guess", at=STRANGER, door=door).status_code for _ in range(4)]

    assert guesses == [REFUSED, REFUSED, REFUSED, WAIT]
    assert ask(client_id, at=STRANGER, door=door).status_code == WAIT, "not even the right one"
    assert ask(client_id, door=door).status_code == OK


@pytest.mark.queue
def test_the_refusal_is_one_that_clients_of_oauth_read(client_id: str) -> None:
    for _ in range(3):
        ask(client_id, "guess")

    answer = ask(client_id, "guess")

    assert answer.json()["error"] == "temporarily_unavailable"
    assert 1 <= int(answer["Retry-After"]) <= FOREVER
    assert answer["Retry-After"] in answer.json()["error_description"]
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.queue
def test_many_ids_from_one_address_are_bounded_too(client_id: str) -> None:
    guesses = [ask(f"id-{each}", "guess", at=STRANGER).status_code for each in range(6)]

    assert guesses == [*[REFUSED] * 5, WAIT]
    assert ask(client_id).status_code == OK


@pytest.mark.queue
def test_an_lms_that_asks_for_a_token_at_every_call_is_told_to_keep_it(client_id: str) -> None:
    assert [ask(client_id).status_code for _ in range(5)] == [OK, OK, OK, OK, WAIT]


@pytest.mark.queue
def test_all_calls_of_one_address_are_bounded(
    client_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttling, "CALLS_OF_AN_ADDRESS", 2)

    assert [ask(client_id).status_code for _ in range(3)] == [OK, OK, WAIT]
    assert ask(client_id, at=STRANGER).status_code == OK


@pytest.mark.queue
@pytest.mark.parametrize(
    "header",
    ["Basic", "Basic ???", "Basic /w==", "Bearer x", "Basic " + "A" * 9000],
    ids=["nothing", "no base64", "no UTF-8", "another scheme", "long"],
)
def test_callers_who_name_no_client_are_counted_as_one(client_id: str, header: str) -> None:  # noqa: ARG001 (a broker)
    browser = Browser()

    answers = [
        browser.post("/oauth/token/", headers={"Authorization": header}).status_code
        for _ in range(4)
    ]

    assert answers[:3] == [HTTPStatus.BAD_REQUEST] * 3
    assert answers[3] == WAIT


@pytest.mark.queue
def test_with_the_counter_away_an_lms_still_gets_its_token(client_id: str, broker: Broker) -> None:
    broker.stop()

    assert {ask(client_id, "guess").status_code for _ in range(4)} == {REFUSED}
    assert ask(client_id).status_code == OK
