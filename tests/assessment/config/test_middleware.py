from http import HTTPStatus
from io import BytesIO
from typing import Any

import pytest
from django.test import Client

from assessment.config.middleware import LONGEST_BODY
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("method", "address", "form", "unknown"),
    [
        pytest.param(
            "GET", "/lti/login/?iss=%00&client_id=a", "", HTTPStatus.FORBIDDEN, id="an LMS's name"
        ),
        pytest.param(
            "POST",
            "/oauth/token/",
            "client_id=%00&client_secret=a",
            HTTPStatus.UNAUTHORIZED,
            id="a client's",
        ),
        pytest.param(
            "POST",
            "/oauth/revoke/",
            "client_id=%00&token=a",
            HTTPStatus.UNAUTHORIZED,
            id="its token's",
        ),
    ],
)
def test_a_nul_in_a_name_is_nobodys_or_a_bad_request_and_no_failure(
    browser: Client, method: str, address: str, form: str, unknown: HTTPStatus
) -> None:
    form += "&grant_type=client_credentials" if form else ""
    named = "application/x-www-form-urlencoded"

    answer = browser.generic(method, address, form, named)

    # SQLite takes a NUL like any other character and finds nobody of that name.
    assert answer.status_code in {unknown, HTTPStatus.BAD_REQUEST}


@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/theme/", "text/html"), ("/api/v1/grades/", "application/problem+json")],
)
def test_a_body_that_no_form_fills_is_refused_unread(
    browser: Client, path: str, media_type: str
) -> None:
    class Unread(BytesIO):
        def read(self, *_size: int | None) -> bytes:
            pytest.fail("the body was read")

    length: dict[str, Any] = {"CONTENT_LENGTH": f"{LONGEST_BODY + 1}", "wsgi.input": Unread()}
    form = "application/x-www-form-urlencoded"
    answer = browser.generic("POST", path, b"", form, **length)

    assert answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert answer["Content-Type"].startswith(media_type)


def test_the_page_of_a_missing_address_is_kept_by_no_shared_cache(browser: Client) -> None:
    browser.force_login(make_user())

    answer = browser.get("/nowhere/")

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert answer["Cache-Control"] == "private, no-cache"


def test_a_body_in_chunks_is_told_to_say_its_length_instead_of_being_lost(browser: Client) -> None:
    chunks: dict[str, Any] = {"HTTP_TRANSFER_ENCODING": "chunked"}
    answer = browser.generic("POST", "/api/v1/grades/", b"", "application/json", **chunks)

    assert answer.status_code == HTTPStatus.LENGTH_REQUIRED
    assert "Content-Length" in answer.json()["detail"]
