"""The token endpoint: client credentials, each client's own scopes, nothing in the address."""

import logging
from base64 import b64encode
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from axes.models import AccessAttempt
from django.test import Client as Browser
from django.utils import timezone

from assessment.cohorts.models import AccessToken, Client
from tests.factories import bearer, enrol, make_client, make_cohort, make_exercise, make_user

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

GRADES = "/api/v1/grades/"
SECRET = "client-secret"
FORM = "application/x-www-form-urlencoded"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


@pytest.fixture
def lms(db: None) -> Client:  # noqa: ARG001 (rows are made)
    """Return a client of one cohort that may read its grades."""
    return make_client(make_cohort(make_exercise().session))


def ask(client: Client, secret: str = SECRET, **fields: str) -> "Answer":
    """Ask for a token with HTTP Basic."""
    pair = b64encode(f"{client.client_id}:{secret}".encode()).decode()
    form = {"grant_type": "client_credentials"} | fields
    return Browser().post("/oauth/token/", form, headers={"Authorization": f"Basic {pair}"})


def test_a_token_opens_what_the_client_may_read(lms: Client, client: Browser) -> None:
    answer = ask(lms)

    assert answer.status_code == HTTPStatus.OK
    assert answer["Cache-Control"] == "no-store"
    body = answer.json()
    assert body["token_type"] == "Bearer"
    assert body["scope"] == "grades:read"
    assert body["expires_in"] == 3600
    headers = {"Authorization": f"Bearer {body['access_token']}"}
    assert client.get(GRADES, headers=headers).status_code == HTTPStatus.OK


def test_only_checksums_of_tokens_and_hashes_of_secrets_are_kept(lms: Client) -> None:
    token = ask(lms).json()["access_token"]

    stored = AccessToken.objects.values().get()

    assert token not in str(stored)
    lms.refresh_from_db()
    assert "client-secret" not in lms.client_secret


@pytest.mark.parametrize(
    ("scopes", "asked", "granted"),
    [
        pytest.param(("grades:read", "learn"), "", "learn grades:read", id="none asked: all"),
        pytest.param(("grades:read", "learn"), "learn", "learn", id="one of two"),
        pytest.param(("grades:read",), "learn", None, id="not the client's"),
        pytest.param(("grades:read",), "grades:read learn", "grades:read", id="one too many"),
        pytest.param(("grades:read",), "\u0000 grades:read é", "grades:read", id="one unknown"),
        pytest.param(("grades:read", "learn"), "teach everything", None, id="none of several"),
        pytest.param(("grades:read",), "everything", None, id="unknown"),
    ],
)
def test_scopes_are_the_clients_own(
    lms: Client, scopes: tuple[str, ...], asked: str, granted: str | None
) -> None:
    lms.scopes = list(scopes)
    lms.save()

    answer = ask(lms, **({"scope": asked} if asked else {}))

    if granted is None:
        assert answer.status_code == HTTPStatus.BAD_REQUEST
        assert answer.json()["error"] == "invalid_scope"
    else:
        assert set(answer.json()["scope"].split()) == set(granted.split())
        assert AccessToken.objects.get().scope == answer.json()["scope"]


def test_a_scope_taken_from_the_client_is_gone_with_the_next_token(
    lms: Client, client: Browser
) -> None:
    lms.scopes = []
    lms.save()
    token = ask(lms).json()["access_token"]

    answer = client.get(GRADES, headers={"Authorization": f"Bearer {token}"})

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "grades:read" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("secret", "fields"),
    [
        pytest.param("wrong", {}, id="wrong secret"),
        pytest.param("", {}, id="no secret"),
        pytest.param("client-secret", {"grant_type": "password"}, id="password grant"),
        pytest.param("client-secret", {"grant_type": "authorization_code"}, id="code grant"),
        pytest.param("client-secret", {"grant_type": "refresh_token"}, id="refresh grant"),
        pytest.param("client-secret", {"grant_type": DEVICE}, id="device grant"),
        pytest.param("client-secret", {"grant_type": ""}, id="no grant"),
    ],
)
def test_anything_else_gets_no_token(lms: Client, secret: str, fields: dict[str, str]) -> None:
    form = {"username": "ada", "password": "secret", "code": "x", "refresh_token": "x"} | fields

    answer = ask(lms, secret, **form)

    assert answer.status_code in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED}
    assert answer.json()["error"] in {"invalid_client", "unsupported_grant_type", "invalid_request"}
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("header", "form", "status"),
    [
        pytest.param("basic {id}:{secret}", {}, 200, id="scheme in lower case"),
        pytest.param("Basic {escaped}:{secret}", {}, 200, id="id escaped"),
        pytest.param("", {"client_id": "{id}", "client_secret": "{secret}"}, 200, id="form"),
        pytest.param("Basic {id}:{secret}", {"client_id": "{id}"}, 200, id="id in both"),
        pytest.param("Basic {id}:{secret}", {"client_id": "other"}, 401, id="two ids"),
        pytest.param(
            "Basic {id}:wrong",
            {"client_id": "{id}", "client_secret": "{secret}"},
            401,
            id="two tries",
        ),
        pytest.param("Basic \u00e9", {"client_id": "{id}"}, 401, id="not ASCII"),
        pytest.param("Basic a\0b:x", {}, 401, id="NUL"),
    ],
)
def test_a_client_says_who_it_is_in_one_way(
    lms: Client, header: str, form: dict[str, str], status: int
) -> None:
    known = {
        "id": lms.client_id,
        "secret": SECRET,
        "escaped": "".join(f"%{ord(each):02X}" for each in lms.client_id),
    }
    scheme, _blank, pair = header.format(**known).partition(" ")
    pair = b64encode(pair.encode()).decode() if pair.isascii() else pair
    fields = {name: text.format(**known) for name, text in form.items()}
    browser = Browser(headers={"Authorization": f"{scheme} {pair}"} if header else {})

    answer = browser.post("/oauth/token/", {"grant_type": "client_credentials"} | fields)

    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/json"
    if status == HTTPStatus.UNAUTHORIZED:
        assert answer["WWW-Authenticate"] == 'Basic realm="clients"'


def test_the_address_without_its_last_slash_is_the_same_door(lms: Client) -> None:
    form = {"grant_type": "client_credentials", "client_id": lms.client_id, "client_secret": SECRET}

    answer = Browser().post("/oauth/token", form)

    assert answer.status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        pytest.param("x", "multipart/form-data", id="broken multipart"),
        pytest.param("a=1&" * 600, FORM, id="many fields"),
        pytest.param("a" * 1_100_000, FORM, id="long"),
        pytest.param('{"grant_type": "client_credentials"}', "application/json", id="JSON"),
    ],
)
@pytest.mark.parametrize("door", ["/oauth/token/", "/oauth/revoke/"])
def test_a_form_that_cannot_be_read_is_refused_in_the_words_of_oauth(
    lms: Client,  # noqa: ARG001 (tables)
    door: str,
    body: str,
    kind: str,
) -> None:
    answer = Browser().generic("POST", door, body, kind)

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer.json()["error"] == "invalid_request"
    assert answer["Cache-Control"] == "no-store"


def test_what_a_token_is_asked_for_is_not_kept_with_it(lms: Client) -> None:
    assert ask(lms, resource="https://lms.example.org/" + "x" * 5000).status_code == HTTPStatus.OK

    assert AccessToken.objects.get().resource == []


def test_a_wrong_secret_is_answered_in_the_scheme_it_came_by(lms: Client) -> None:
    answer = ask(lms, "wrong")

    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert answer["WWW-Authenticate"] == 'Basic realm="clients"'
    assert answer.json() == {"error": "invalid_client"}


@pytest.mark.parametrize("password", ["secret", "wrong"])
def test_no_password_is_ever_looked_at(lms: Client, password: str) -> None:
    make_user("ada")

    answer = ask(lms, grant_type="password", username="ada", password=password)

    assert answer.json() == {"error": "unsupported_grant_type"}
    assert not AccessAttempt.objects.exists()


def test_credentials_in_the_address_are_refused(lms: Client) -> None:
    answer = Browser().post(
        f"/oauth/token/?grant_type=client_credentials&client_id={lms.client_id}"
        "&client_secret=client-secret"
    )

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "no-store"
    assert not AccessToken.objects.exists()


def test_a_token_in_the_address_or_the_body_is_refused(lms: Client, client: Browser) -> None:
    token = ask(lms).json()["access_token"]

    in_address = client.get(f"{GRADES}?access_token={token}")
    in_body = client.generic(
        "GET", GRADES, f"access_token={token}", "application/x-www-form-urlencoded"
    )

    assert in_address.status_code == HTTPStatus.UNAUTHORIZED
    assert "never in the address" in in_address.json()["detail"]
    assert in_body.status_code == HTTPStatus.UNAUTHORIZED


def test_tokens_and_secrets_are_not_logged(
    lms: Client, client: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        token = ask(lms).json()["access_token"]
        client.get(GRADES, headers={"Authorization": f"Bearer {token}"})
        ask(lms, "not-the-secret")
        client.get(GRADES, headers={"Authorization": "Bearer mistyped-token"})

    for secret in (token, "client-secret", "not-the-secret", "mistyped-token"):
        assert secret not in caplog.text


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("Bearer unknown", id="unknown"),
        pytest.param("Bearer ", id="empty"),
        pytest.param("Bearer a b", id="two parts"),
        pytest.param("bearer " + "x" * 5000, id="too long"),
        pytest.param("Bearer \u00e9", id="not ASCII"),
    ],
)
def test_a_token_that_is_none_of_ours(db: None, client: Browser, header: str) -> None:  # noqa: ARG001 (it looks)
    answer = client.get(GRADES, headers={"Authorization": header})

    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert answer["Content-Type"] == "application/problem+json"


def test_expired_revoked_and_orphaned_tokens_open_nothing(lms: Client, client: Browser) -> None:
    headers = {"Authorization": f"Bearer {ask(lms).json()['access_token']}"}
    assert client.get(GRADES, headers=headers).status_code == HTTPStatus.OK
    token = AccessToken.objects.get()
    token.expires = timezone.now() - timedelta(seconds=1)
    token.save()
    assert client.get(GRADES, headers=headers).status_code == HTTPStatus.UNAUTHORIZED
    token.expires = timezone.now() + timedelta(hours=1)
    token.save()
    lms.revoked_at = timezone.now()
    lms.save()
    assert client.get(GRADES, headers=headers).status_code == HTTPStatus.UNAUTHORIZED

    lms.delete()

    assert client.get(GRADES, headers=headers).status_code == HTTPStatus.UNAUTHORIZED


def test_the_client_revokes_its_own_token(lms: Client, client: Browser) -> None:
    token = ask(lms).json()["access_token"]
    pair = b64encode(f"{lms.client_id}:client-secret".encode()).decode()

    client.post("/oauth/revoke/", {"token": token}, headers={"Authorization": f"Basic {pair}"})

    answer = client.get(GRADES, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == HTTPStatus.UNAUTHORIZED


def test_a_person_who_may_no_longer_sign_in_has_no_token_either(client: Browser, db: None) -> None:  # noqa: ARG001 (rows are made)
    cohort = make_cohort(make_exercise().session)
    person = enrol(cohort, make_user(), role="instructor").user
    headers = bearer(person, "grades:read")
    assert client.get(GRADES, headers=headers).status_code == HTTPStatus.OK

    person.is_active = False
    person.save()

    assert client.get(GRADES, headers=headers).status_code == HTTPStatus.UNAUTHORIZED


def test_last_use_is_noted(lms: Client, client: Browser) -> None:
    headers = {"Authorization": f"Bearer {ask(lms).json()['access_token']}"}
    before = timezone.now()

    client.get(GRADES, headers=headers)

    lms.refresh_from_db()
    assert lms.last_used_at is not None
    assert lms.last_used_at >= before
    assert AccessToken.objects.get().last_used_at == lms.last_used_at
