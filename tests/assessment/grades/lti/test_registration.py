"""Bringing a platform in: by itself with an invitation, by hand, and not otherwise."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client as Browser
from django.utils import timezone

from assessment.cohorts.models import User
from assessment.grades.lti import keys
from assessment.grades.lti.registering import invite
from assessment.grades.models import Platform, Registration, ToolKey
from tests.assessment.grades.lti.conftest import INSTRUCTOR, launch
from tests.assessment.grades.lti.platform_double import PlatformDouble
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief() -> User:
    """Return an administrator."""
    return make_user("chief", is_superuser=True, is_staff=True)


@pytest.fixture
def secret(chief: User) -> str:
    """Return an open invitation."""
    return invite(chief)


def present(double: PlatformDouble, secret: str, **changed: str) -> Any:  # noqa: ANN401 (the test client's response)
    """Present an invitation as a platform's administrator's browser does."""
    asked = {
        "openid_configuration": f"{double.origin}/.well-known/openid-configuration",
        "registration_token": "token-1",
    }
    return Browser().get(f"/lti/register/{secret}/", asked | changed)


def test_an_invited_platform_registers_itself_and_launches(secret: str) -> None:
    with PlatformDouble().serving() as double:
        response = present(double, secret)

        assert response.status_code == 200, response.content
        platform = Platform.objects.get()
        assert (platform.issuer, platform.client_id) == (double.origin, "client-1")
        assert platform.deployments.get().deployment_id == "deployment-1"
        assert not platform.names_people
        (sent,) = double.registrations
        assert sent["token"] == "Bearer token-1"
        assert sent["redirect_uris"] == ["http://testserver/lti/launch/"]
        assert sent["jwks_uri"] == "http://testserver/lti/keys/"
        assert launch(double, INSTRUCTOR).status_code == 302


def test_an_invitation_is_used_once(secret: str) -> None:
    with PlatformDouble().serving() as double:
        assert present(double, secret).status_code == 200
        assert present(double, secret).status_code == 403
    assert Platform.objects.count() == 1


@pytest.mark.parametrize("given", ["nonsense", ""])
def test_without_an_invitation_nothing_is_registered(given: str) -> None:
    with PlatformDouble().serving() as double:
        assert present(double, given).status_code in {403, 404}
        assert double.registrations == []


def test_an_old_invitation_is_refused(secret: str) -> None:
    Registration.objects.update(created_at=timezone.now() - timedelta(hours=25))

    with PlatformDouble().serving() as double:
        assert present(double, secret).status_code == 403


def test_a_configuration_that_speaks_for_another_issuer_is_refused(secret: str) -> None:
    with PlatformDouble(issuer_override="https://lms.example").serving() as double:
        response = present(double, secret)

    assert response.status_code == 403
    assert b"not at home" in response.content
    assert not Platform.objects.exists()


TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"


@pytest.mark.parametrize(
    ("configuration", "registration"),
    [
        pytest.param({"registration_endpoint": 7}, None, id="an endpoint of no sense"),
        pytest.param({"registration_endpoint": "http://169.254.169.254/"}, None, id="inside"),
        pytest.param({"issuer": None}, None, id="no issuer"),
        pytest.param({"issuer": ["x"]}, None, id="an issuer of no sense"),
        pytest.param({}, [TOOL], id="a list"),
        pytest.param({}, f'"{TOOL}"', id="a text"),
        pytest.param({}, "[" * 30_000, id="nested too deeply"),
        pytest.param({}, {TOOL: {}}, id="no client"),
        pytest.param({}, {TOOL: {}, "client_id": "a\x00b"}, id="a client with a NUL"),
    ],
)
def test_answers_of_no_sense_register_nothing(
    secret: str, configuration: dict[str, Any], registration: object
) -> None:
    with PlatformDouble(
        configuration_changes=configuration, registration_answer=registration
    ).serving() as double:
        response = present(double, secret)

    assert response.status_code == 403
    assert not Platform.objects.exists()


@pytest.mark.parametrize("tool", [None, [], {}, {"deployment_id": "a\x00b"}, {"deployment_id": 7}])
def test_without_a_deployment_it_is_registered_and_nothing_is_let_in_yet(
    secret: str, tool: object
) -> None:
    answer = {"client_id": "client-1", TOOL: tool}
    with PlatformDouble(registration_answer=answer).serving() as double:
        assert present(double, secret).status_code == 200

    assert not Platform.objects.get().deployments.exists()


@pytest.mark.parametrize("host", ["lms.example;script-src", "*", "a b.example", "x@lms.example"])
def test_a_host_that_would_reach_a_header_is_refused_with_what_was_seen(
    secret: str, host: str
) -> None:
    with PlatformDouble(keys_url_override=f"https://{host}/jwks").serving() as double:
        response = present(double, secret)

    assert response.status_code == 403
    assert f"jwks_uri is &#x27;https://{host}/jwks&#x27;" in response.content.decode()
    assert not Platform.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://example.org/openid",
        "file:///etc/passwd",
        "http://127.0.0.1:9/x",
        "http://169.254.169.254/latest/meta-data",
        "gopher://127.0.0.1/",
        "https://" + "x" * 600,
    ],
)
def test_an_address_that_is_no_platforms_is_refused(secret: str, address: str) -> None:
    with PlatformDouble().serving() as double:
        response = present(double, secret, openid_configuration=address)

    assert response.status_code == 403
    assert not Platform.objects.exists()


def test_an_administrator_registers_by_hand_and_lets_a_deployment_in(chief: User) -> None:
    browser = Browser()
    browser.force_login(chief)
    form = {
        "name": "School LMS",
        "issuer": "https://lms.example",
        "client_id": "abc",
        "auth_login_url": "https://lms.example/auth",
        "auth_token_url": "https://lms.example/token",
        "key_set_url": "https://lms.example/jwks",
        "deployment_id": "1",
    }

    assert browser.post("/lti/platforms/", form).status_code == 302
    platform = Platform.objects.get()
    browser.post(f"/lti/platforms/{platform.pk}/deployments/", {"deployment_id": " 2 "})
    page = browser.get("/lti/platforms/").content.decode()

    known = platform.deployments.values_list("deployment_id", flat=True)
    assert list(known) == ["1", "2"]
    assert "http://testserver/lti/launch/" in page
    assert browser.post("/lti/platforms/", form).status_code == 200
    insecure = form | {"client_id": "other", "key_set_url": "http://lms.example/jwks"}
    assert b"begins with https://" in browser.post("/lti/platforms/", insecure).content
    assert Platform.objects.count() == 1


def test_closing_twice_leaves_it_closed_until_it_is_let_in_again(chief: User) -> None:
    platform = Platform.objects.create(
        name="Double",
        issuer="https://lms.example",
        client_id="client-1",
        auth_login_url="https://lms.example/auth",
        auth_token_url="https://lms.example/token",
        key_set_url="https://lms.example/jwks",
    )
    browser = Browser()
    browser.force_login(chief)

    for wanted, holds in (("no", False), ("no", False), ("yes", True), ("yes", True)):
        browser.post(f"/lti/platforms/{platform.pk}/close/", {"let_in": wanted})
        platform.refresh_from_db()
        assert platform.is_active is holds


@pytest.mark.parametrize("typed", ["", "   ", "x" * 256, "a\x00b", "a\x07b"])
def test_a_deployment_of_no_sense_is_not_let_in(chief: User, typed: str) -> None:
    platform = Platform.objects.create(
        name="Double",
        issuer="https://lms.example",
        client_id="client-1",
        auth_login_url="https://lms.example/auth",
        auth_token_url="https://lms.example/token",
        key_set_url="https://lms.example/jwks",
    )
    browser = Browser()
    browser.force_login(chief)

    page = browser.post(
        f"/lti/platforms/{platform.pk}/deployments/", {"deployment_id": typed}, follow=True
    )

    assert "Write the deployment id" in page.content.decode()
    assert not platform.deployments.exists()


def test_an_invitation_is_shown_once_and_kept_as_a_digest(chief: User) -> None:
    browser = Browser()
    browser.force_login(chief)

    page = browser.post("/lti/platforms/invite/", follow=True).content.decode()
    again = browser.get("/lti/platforms/").content.decode()

    assert page.count("http://testserver/lti/register/") == 1
    assert "http://testserver/lti/register/" not in again
    assert Registration.objects.get().digest not in page


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/lti/platforms/"),
        ("post", "/lti/platforms/"),
        ("post", "/lti/platforms/invite/"),
        ("post", "/lti/platforms/keys/"),
        ("post", "/lti/platforms/00000000-0000-0000-0000-000000000001/deployments/"),
        ("post", "/lti/platforms/00000000-0000-0000-0000-000000000001/close/"),
    ],
)
def test_others_find_nothing_there(method: str, path: str) -> None:
    browser = Browser()
    assert getattr(browser, method)(path).status_code in {302, 403}
    browser.force_login(make_user())

    assert getattr(browser, method)(path).status_code == 404


# --- Keys --------------------------------------------------------------------------------------


def test_the_key_set_is_public_and_holds_no_secret() -> None:
    (key,) = Browser().get("/lti/keys/").json()["keys"]

    assert (key["kty"], key["alg"], key["use"]) == ("RSA", "RS256", "sig")
    assert not {"d", "p", "q", "dp", "dq", "qi"} & set(key)
    stored = ToolKey.objects.get()
    assert "PRIVATE" not in stored.private_sealed
    assert keys.private_pem(stored).startswith("-----BEGIN PRIVATE KEY-----")


def test_a_fresh_key_is_published_before_it_signs_and_an_old_one_stays_a_while() -> None:
    first = keys.signing_key()
    second = keys.rotate()

    def published() -> set[str]:
        return {key["kid"] for key in Browser().get("/lti/keys/").json()["keys"]}

    assert keys.signing_key() == first
    assert published() == {first.kid, second.kid}

    long_ago = timezone.now() - keys.PUBLISHED_AHEAD
    ToolKey.objects.filter(pk=first.pk).update(created_at=long_ago - timedelta(days=90))
    ToolKey.objects.filter(pk=second.pk).update(created_at=long_ago - timedelta(minutes=1))
    assert keys.signing_key() == second
    third = keys.rotate()
    assert published() == {first.kid, second.kid, third.kid}
    ToolKey.objects.filter(pk=first.pk).update(retired_at=timezone.now() - timedelta(days=8))
    assert published() == {second.kid, third.kid}


def test_keys_of_another_secret_are_said_to_be_unreadable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = keys.signing_key()
    monkeypatch.setattr(settings, "SECRET_KEY", "another")

    with pytest.raises(keys.KeysUnreadableError, match="SECRET_KEY"):
        keys.private_pem(key)
