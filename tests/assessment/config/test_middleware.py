from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("charset", ["zlib", "bz2", "hex", "rot13", "utf-16", "iso-8859-1", "none"])
def test_whatever_charset_a_caller_names_addresses_and_forms_are_utf8(
    browser: Client, charset: str
) -> None:
    named = f"application/x-www-form-urlencoded; charset={charset}"

    page = browser.generic("GET", "/sign-in/?next=/breaks/%C3%A9/", content_type=named)
    form = browser.generic("POST", "/theme/", "theme=dark&next=/sign-in/%3Fa=%C3%A9", named)

    assert page.status_code == HTTPStatus.OK
    assert 'value="/breaks/é/"' in page.content.decode()
    assert form["Location"] == "/sign-in/?a=%C3%A9"
    assert form.cookies["theme"].value == "dark"


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
