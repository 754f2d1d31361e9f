from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("method", "address", "form"),
    [
        pytest.param("GET", "/lti/login/?iss=%00&client_id=a", "", id="an LMS's name"),
        pytest.param("POST", "/oauth/token/", "client_id=%00&client_secret=a", id="a client's"),
        pytest.param("POST", "/oauth/revoke/", "client_id=%00&token=a", id="its token's"),
    ],
)
def test_a_nul_is_a_bad_request_on_every_database(
    browser: Client, method: str, address: str, form: str
) -> None:
    form += "&grant_type=client_credentials" if form else ""
    named = "application/x-www-form-urlencoded"

    answer = browser.generic(method, address, form, named)

    # SQLite takes a NUL like any other character and finds nobody of that name.
    unknown = {HTTPStatus.FORBIDDEN, HTTPStatus.UNAUTHORIZED}
    wanted = {HTTPStatus.BAD_REQUEST} if connection.vendor == "postgresql" else unknown
    assert answer.status_code in wanted
