"""Calls of one client are counted by the minute, in the cache that all processes share."""

from http import HTTPStatus

import pytest
from django.test import Client as Browser
from pytest_django import Settings

from assessment.cohorts import throttling
from tests.factories import bearer, enrol, make_cohort, make_exercise, make_user
from tests.queue import Broker

URL = "/api/v1/sessions/"
# One window since 1970, and until 2286.
FOREVER = 10_000_000_000


@pytest.fixture(autouse=True)
def counter(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Start each test with a counter that has met no failure, and two calls a minute."""
    monkeypatch.setattr(throttling, "_counter", throttling.Counter())
    monkeypatch.setattr(throttling, "_WINDOW", FOREVER)  # no test straddles two minutes
    settings.API_CALLS_PER_MINUTE = 2


@pytest.fixture
def headers(db: None) -> dict[str, str]:  # noqa: ARG001 (rows are made)
    """Return the header of a learner's token."""
    learner = enrol(make_cohort(make_exercise().session)).user
    return bearer(learner, "learn")


@pytest.mark.queue
def test_beyond_the_limit_the_client_is_told_when_to_come_back(
    client: Browser, headers: dict[str, str], broker: Broker
) -> None:
    broker.wipe()
    statuses = [client.get(URL, headers=headers).status_code for _ in range(2)]

    refused = client.get(URL, headers=headers)

    assert statuses == [HTTPStatus.OK, HTTPStatus.OK]
    assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert 1 <= int(refused["Retry-After"]) <= FOREVER
    assert refused["Content-Type"] == "application/problem+json"
    other = bearer(make_user(), "learn")
    assert client.get(URL, headers=other).status_code == HTTPStatus.OK, "each is counted alone"


def test_without_the_cache_calls_pass(client: Browser, headers: dict[str, str]) -> None:
    statuses = {client.get(URL, headers=headers).status_code for _ in range(5)}

    assert statuses == {HTTPStatus.OK}


@pytest.mark.queue
def test_a_cache_that_goes_away_and_comes_back_loses_no_call(
    client: Browser,
    headers: dict[str, str],
    broker: Broker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(throttling, "_PAUSE", 0.0)
    broker.stop()
    assert client.get(URL, headers=headers).status_code == HTTPStatus.OK
    broker.start()

    statuses = [client.get(URL, headers=headers).status_code for _ in range(3)]

    assert statuses == [HTTPStatus.OK, HTTPStatus.OK, HTTPStatus.TOO_MANY_REQUESTS]
