"""Every way of getting in that must not work."""

import base64
import json
import time
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client as Browser
from django.utils import timezone
from jwcrypto.jwk import JWK
from jwcrypto.jwt import JWT

from assessment.grades.models import Launch, LtiUser, Platform, ToolKey
from tests.assessment.grades.lti.conftest import (
    INSTRUCTOR,
    asked_for,
    begin,
    launch,
    register,
    signed_in,
)
from tests.assessment.grades.lti.platform_double import (
    CLAIM,
    PlatformDouble,
    make_key,
    sign,
)

pytestmark = pytest.mark.django_db


def refuse(response: Any, browser: Browser) -> None:  # noqa: ANN401 (the test client's response)
    """Check that a launch was not let in and left nothing behind."""
    assert response.status_code == 403, response.content
    assert not signed_in(browser)
    assert not LtiUser.objects.exists()


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"aud": "someone-else"}, id="another audience"),
        pytest.param({"aud": ["someone-else", "client-1"]}, id="several audiences, no party"),
        pytest.param({"aud": ["client-1", "x"], "azp": "x"}, id="meant for another party"),
        pytest.param({"aud": ["x"], "azp": "client-1"}, id="party that is no audience"),
        pytest.param({"aud": []}, id="no audience"),
        pytest.param({"aud": 7}, id="audience of no sense"),
        pytest.param({"iss": "https://evil.example"}, id="another issuer"),
        pytest.param({"iss": None}, id="no issuer"),
        pytest.param({"exp": int(time.time()) - 3600}, id="expired"),
        pytest.param({"exp": None}, id="no expiry"),
        pytest.param({"iat": int(time.time()) + 86_400}, id="from the future"),
        pytest.param({"nonce": "made-up"}, id="a nonce of its own"),
        pytest.param({"nonce": None}, id="no nonce"),
        pytest.param({"nonce": {"a": 1}}, id="nonce of no sense"),
        pytest.param({"sub": None}, id="nobody"),
        pytest.param({"sub": ""}, id="empty person"),
        pytest.param({"sub": "x" * 300}, id="a person too long"),
        pytest.param({"sub": "a\x00b"}, id="a person with a NUL"),
        pytest.param({"sub": "\ud800"}, id="a person of half a character"),
        pytest.param({f"{CLAIM}deployment_id": "other"}, id="another deployment"),
        pytest.param({f"{CLAIM}deployment_id": None}, id="no deployment"),
        pytest.param({f"{CLAIM}version": "1.1"}, id="another version"),
        pytest.param({f"{CLAIM}message_type": "LtiSubmissionReviewRequest"}, id="another message"),
        pytest.param({f"{CLAIM}message_type": None}, id="no message type"),
    ],
)
def test_claims_that_do_not_fit_are_refused(lms: PlatformDouble, changed: dict[str, Any]) -> None:
    browser = Browser()

    refuse(launch(lms, INSTRUCTOR | changed, browser), browser)


def test_several_audiences_with_us_as_the_party_are_let_in(lms: PlatformDouble) -> None:
    several = {"aud": ["other", lms.client_id], "azp": lms.client_id}

    assert launch(lms, INSTRUCTOR | several).status_code == 302


def unsigned(claims: dict[str, Any], header: dict[str, Any]) -> str:
    """Return a token with this header and no signature."""
    parts = (json.dumps(part).encode() for part in (header, claims))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."


def forged(lms: PlatformDouble, kind: str, claims: dict[str, Any]) -> str:
    """Return a token that the platform did not sign."""
    public = lms.key.export_to_pem()
    if kind == "none":
        return unsigned(claims, {"alg": "none", "kid": "platform-1"})
    if kind == "None":
        return unsigned(claims, {"alg": "None", "kid": "platform-1"})
    if kind == "another key":
        return sign(claims, make_key("mine"), kid="platform-1")
    if kind == "unknown key":
        return sign(claims, make_key("mine"))
    if kind == "another algorithm":
        return sign(claims, lms.key, alg="RS512")
    if kind == "public key as secret":
        secret = JWK(kty="oct", k=base64.urlsafe_b64encode(public).decode().rstrip("="))
        return str(hmac_token(claims, secret))
    if kind == "own key in the header":
        return unsigned(claims, {"alg": "RS256", "jwk": json.loads(make_key("m").export_public())})
    if kind == "changed after signing":
        head, _body, signature = sign(claims, lms.key).split(".")
        body = unsigned(claims | {"sub": "other"}, {}).split(".")[1]
        return f"{head}.{body}.{signature}"
    return kind


def hmac_token(claims: dict[str, Any], secret: JWK) -> str:
    """Return a token signed by a shared secret: the public key's text (key confusion)."""
    token = JWT(header={"alg": "HS256", "kid": "platform-1"}, claims=claims)
    token.make_signed_token(secret)
    return str(token.serialize())


@pytest.mark.parametrize(
    "kind",
    [
        "none",
        "None",
        "another key",
        "unknown key",
        "another algorithm",
        "public key as secret",
        "own key in the header",
        "changed after signing",
        "",
        "a.b",
        "a.b.c",
        "W10.W10.W10",
        "x" * 200_000,
    ],
)
def test_tokens_that_the_platform_did_not_sign_are_refused(lms: PlatformDouble, kind: str) -> None:
    browser = Browser()
    asked = asked_for(begin(lms, browser))
    token = forged(lms, kind, lms.claims(asked["nonce"], INSTRUCTOR))
    form = {"state": asked["state"], "id_token": token}

    refuse(browser.post("/lti/launch/", form), browser)


def test_a_symmetric_key_in_the_key_set_signs_nothing(lms: PlatformDouble) -> None:
    lms.key = JWK(
        kty="oct", k="c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I", kid="platform-1", alg="HS256"
    )
    browser = Browser()
    asked = asked_for(begin(lms, browser))
    token = hmac_token(lms.claims(asked["nonce"], INSTRUCTOR), lms.key)

    response = browser.post("/lti/launch/", {"state": asked["state"], "id_token": token})

    refuse(response, browser)


def test_a_token_is_used_once(lms: PlatformDouble) -> None:
    browser = Browser()
    form = lms.token(begin(lms, browser), INSTRUCTOR)
    assert browser.post("/lti/launch/", form).status_code == 302

    again = browser.post("/lti/launch/", form)
    thief = Browser()
    stolen = thief.post("/lti/launch/", form)

    assert (again.status_code, stolen.status_code) == (403, 403)
    assert not signed_in(thief)


def test_a_token_in_another_browser_is_refused(lms: PlatformDouble) -> None:
    form = lms.token(begin(lms, Browser()), INSTRUCTOR)
    victim = Browser()

    refuse(victim.post("/lti/launch/", form), victim)


def test_state_and_nonce_of_two_launches_are_not_mixed(lms: PlatformDouble) -> None:
    browser = Browser()
    first = lms.token(begin(lms, browser), INSTRUCTOR)
    second = lms.token(begin(lms, browser), INSTRUCTOR)

    response = browser.post(
        "/lti/launch/", {"state": first["state"], "id_token": second["id_token"]}
    )

    refuse(response, browser)


def test_a_nonce_of_another_platform_is_refused(lms: PlatformDouble) -> None:
    with PlatformDouble(client_id="client-2").serving() as other:
        register(other).deployments.create(deployment_id=other.deployment_id)
        browser = Browser()
        asked = asked_for(begin(lms, browser))
        token = sign(other.claims(asked["nonce"], INSTRUCTOR), other.key)

        refuse(browser.post("/lti/launch/", {"state": asked["state"], "id_token": token}), browser)


def test_a_launch_that_took_too_long_is_refused(
    lms: PlatformDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser()
    with monkeypatch.context() as earlier:
        eleven_minutes_ago = time.time() - 11 * 60
        earlier.setattr(time, "time", lambda: eleven_minutes_ago)
        away = begin(lms, browser)

    refuse(browser.post("/lti/launch/", lms.token(away, INSTRUCTOR)), browser)


def test_beginning_launches_stores_nothing_and_what_was_let_in_is_forgotten(
    lms: PlatformDouble,
) -> None:
    for _ in range(3):
        begin(lms, Browser())
    assert not Launch.objects.exists()

    launch(lms, INSTRUCTOR)
    Launch.objects.update(used_at=timezone.now() - timedelta(minutes=11))
    launch(lms, INSTRUCTOR)

    assert Launch.objects.count() == 1


def test_a_stolen_token_is_no_use_with_a_cookie_of_ones_own(lms: PlatformDouble) -> None:
    form = lms.token(begin(lms, Browser()), INSTRUCTOR)
    thief = Browser()
    begin(lms, thief)
    thief.cookies[f"lti1p3-{form['state']}"] = form["state"]

    refuse(thief.post("/lti/launch/", form), thief)


@pytest.mark.parametrize("seconds", [-45, 45])
def test_clocks_may_differ_by_less_than_a_minute(lms: PlatformDouble, seconds: int) -> None:
    now = int(time.time()) + seconds

    assert launch(lms, INSTRUCTOR | {"iat": now, "exp": now + 10}).status_code == 302


def test_a_platform_that_is_let_in_no_longer_is_refused(lms: PlatformDouble) -> None:
    browser = Browser()
    form = lms.token(begin(lms, browser), INSTRUCTOR)
    Platform.objects.update(is_active=False)

    refuse(browser.post("/lti/launch/", form), browser)
    assert Browser().get("/lti/login/", {"iss": lms.origin, "login_hint": "x"}).status_code == 403


@pytest.mark.parametrize(
    "target",
    ["https://evil.example/", "//evil.example", "http://testserver@evil.example/", "javascript:1"],
)
def test_no_address_of_a_launch_leads_elsewhere(lms: PlatformDouble, target: str) -> None:
    browser = Browser()
    away = begin(lms, browser, target_link_uri=target)
    assert away.startswith(f"{lms.origin}/auth?")
    assert "redirect_uri=http%3A%2F%2Ftestserver%2Flti%2Flaunch%2F" in away

    changed = {
        f"{CLAIM}target_link_uri": target,
        f"{CLAIM}launch_presentation": {"return_url": target},
        f"{CLAIM}custom": {"exercise": target},
    }
    response = browser.post("/lti/launch/", lms.token(away, INSTRUCTOR | changed))

    assert response["Location"].startswith("/")
    assert not response["Location"].startswith("//")


def test_a_fresh_key_of_the_platform_is_fetched_once(lms: PlatformDouble) -> None:
    launch(lms, INSTRUCTOR)
    lms.key = make_key("platform-2")

    assert launch(lms, INSTRUCTOR).status_code == 302
    assert launch(lms, INSTRUCTOR).status_code == 302
    assert lms.key_fetches == 2


def test_keys_that_do_not_exist_are_not_asked_for_each_time(lms: PlatformDouble) -> None:
    made_up = make_key("made-up")
    for _ in range(3):
        browser = Browser()
        asked = asked_for(begin(lms, browser))
        token = sign(lms.claims(asked["nonce"], INSTRUCTOR), made_up)
        refuse(browser.post("/lti/launch/", {"state": asked["state"], "id_token": token}), browser)

    assert lms.key_fetches == 2
    assert launch(lms, INSTRUCTOR).status_code == 302


@pytest.mark.parametrize(
    "keys", [{"keys": ["x"]}, {"keys": {}}, [], {"keys": [{"kid": "platform-1"}]}]
)
def test_a_key_set_that_is_none_lets_nobody_in(lms: PlatformDouble, keys: Any) -> None:  # noqa: ANN401 (any JSON)
    lms.published_keys = keys
    browser = Browser()

    refuse(browser.post("/lti/launch/", lms.token(begin(lms, browser), INSTRUCTOR)), browser)


@pytest.mark.parametrize("part", [0, 1], ids=["header", "claims"])
def test_a_token_nested_too_deeply_is_refused(lms: PlatformDouble, part: int) -> None:
    browser = Browser()
    form = lms.token(begin(lms, browser), INSTRUCTOR)
    parts = form["id_token"].split(".")
    parts[part] = base64.b64encode(b"[" * 30_000).decode().rstrip("=")
    form["id_token"] = ".".join(parts)

    refuse(browser.post("/lti/launch/", form), browser)


def test_a_login_that_says_two_things_is_refused(lms: PlatformDouble) -> None:
    asked = {"iss": lms.origin, "login_hint": "x", "client_id": lms.client_id}

    response = Browser().post("/lti/login/?checked=1&iss=https://other.example", asked)

    assert response.status_code == 403


def test_where_no_key_can_be_read_a_launch_says_so(lms: PlatformDouble) -> None:
    browser = Browser()
    form = lms.token(begin(lms, browser), INSTRUCTOR)
    ToolKey.objects.update(private_sealed="of another secret")

    response = browser.post("/lti/launch/", form)

    refuse(response, browser)
    assert "SECRET_KEY" in response.content.decode()
    asked = {"iss": lms.origin, "login_hint": "x", "client_id": lms.client_id, "checked": "1"}
    assert Browser().get("/lti/login/", asked).status_code == 403


@pytest.mark.parametrize("missing", ["iss", "login_hint"])
def test_a_login_that_lacks_something_is_refused(lms: PlatformDouble, missing: str) -> None:
    asked = {"iss": lms.origin, "login_hint": "x", "client_id": lms.client_id, "checked": "1"}
    del asked[missing]

    assert Browser().get("/lti/login/", asked).status_code == 403
