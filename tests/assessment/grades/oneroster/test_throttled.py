"""What cannot be answered now is refused in the standard's form, with the time to come again."""

import pytest
from django.db import OperationalError, connection
from pytest_django import Settings

from assessment.cohorts import throttling
from tests.assessment.cohorts.test_throttling import FOREVER
from tests.assessment.grades.oneroster.conftest import Lms
from tests.queue import Broker


@pytest.mark.queue
@pytest.mark.django_db
def test_beyond_the_limit_the_server_is_busy(
    lms: Lms, broker: Broker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttling, "_counter", throttling.Counter())
    monkeypatch.setattr(throttling, "_WINDOW", FOREVER)  # no test straddles two windows
    settings.API_CALLS_PER_MINUTE = 1
    broker.wipe()
    assert lms.get("categories").status_code == 200

    refused = lms.get("categories")

    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= FOREVER
    (minor,) = refused.json()["imsx_CodeMinor"]["imsx_codeMinorField"]
    assert minor["imsx_codeMinorFieldValue"] == "server_busy"


@pytest.mark.django_db
def test_a_database_that_is_away_asks_to_come_again(lms: Lms) -> None:
    def away(*_statement: object) -> None:
        raise OperationalError

    with connection.execute_wrapper(away):
        refused = lms.get("results")

    assert (refused.status_code, refused["Retry-After"]) == (503, "5")
    (minor,) = refused.json()["imsx_CodeMinor"]["imsx_codeMinorField"]
    assert minor["imsx_codeMinorFieldValue"] == "server_busy"


@pytest.mark.django_db
def test_a_token_in_the_address_is_refused(lms: Lms) -> None:
    token = lms.headers["Authorization"].split()[1]

    assert Lms({}).get("categories", {"access_token": token}).status_code == 401
    assert lms.get("categories", {"access_token": token}).status_code == 401
