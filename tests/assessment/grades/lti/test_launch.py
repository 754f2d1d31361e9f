"""Launches: who gets in, as whom, and every way of getting in that must not work."""

import base64
import json
import time
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client as Browser
from django.utils import timezone
from jwcrypto.jwk import JWK
from jwcrypto.jwt import JWT

from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.grades.models import Context, Launch, LineItem, LtiUser, Platform
from tests.assessment.grades.lti.conftest import INSTRUCTOR, asked_for, begin, launch, register
from tests.assessment.grades.lti.platform_double import (
    CLAIM,
    ROLE,
    PlatformDouble,
    make_key,
    sign,
)
from tests.factories import make_exercise, make_user

pytestmark = pytest.mark.django_db


def signed_in(browser: Browser) -> bool:
    """Return whether the browser is signed in."""
    return "_auth_user_id" in browser.session


def test_an_instructors_first_launch_makes_the_course_a_cohort(lms: PlatformDouble) -> None:
    browser = Browser()

    response = launch(lms, INSTRUCTOR, browser)

    assert response.status_code == 302
    assert signed_in(browser)
    cohort = Cohort.objects.get(name="Mechanisms")
    enrolment = cohort.enrolments.get()
    assert enrolment.role == Enrolment.Role.INSTRUCTOR
    assert enrolment.user.lti_users.get().subject == "lms-teacher"
    assert Context.objects.get().memberships_url == f"{lms.origin}/course/members"


def test_a_learner_before_any_instructor_is_told_to_wait(lms: PlatformDouble) -> None:
    browser = Browser()

    response = launch(lms, browser=browser)

    assert response.status_code == 403
    assert b"an instructor has to open the link once first" in response.content
    assert not signed_in(browser)
    assert not User.objects.exists()


def test_a_learner_arrives_at_the_exercise_of_the_link(lms: PlatformDouble) -> None:
    exercise = make_exercise()
    launch(lms, INSTRUCTOR)
    browser = Browser()

    response = launch(lms, {f"{CLAIM}custom": {"exercise": exercise.slug}}, browser)

    assert response["Location"] == exercise.get_absolute_url()
    learner = LtiUser.objects.get(subject="lms-user-1").user
    assert (learner.first_name, learner.last_name) == ("Ada", "Lovelace")
    assert not learner.has_usable_password()
    assert learner.enrolments.get().role == Enrolment.Role.LEARNER
    item = LineItem.objects.get()
    assert (item.exercise, item.url) == (exercise, lms.line_item_url)
    assert exercise.session in Cohort.objects.get().sessions.all()


def test_launching_again_makes_nothing_new(lms: PlatformDouble) -> None:
    launch(lms, INSTRUCTOR)
    for _ in range(2):
        assert launch(lms).status_code == 302

    assert (User.objects.count(), Cohort.objects.count(), Enrolment.objects.count()) == (2, 1, 2)


@pytest.mark.parametrize(
    ("roles", "role"),
    [
        pytest.param([f"{ROLE}Learner"], "learner", id="learner"),
        pytest.param([f"{ROLE}Instructor", f"{ROLE}Learner"], "instructor", id="both"),
        pytest.param(
            [
                f"{ROLE}Instructor",
                "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant",
            ],
            "assistant",
            id="assistant",
        ),
        pytest.param(["Learner"], "learner", id="short name"),
    ],
)
def test_roles_of_the_course_decide(lms: PlatformDouble, roles: list[str], role: str) -> None:
    launch(lms, INSTRUCTOR)

    launch(lms, {"sub": "someone", f"{CLAIM}roles": roles})

    assert LtiUser.objects.get(subject="someone").user.enrolments.get().role == role


@pytest.mark.parametrize(
    "roles",
    [
        pytest.param(
            ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"],
            id="of the school",
        ),
        pytest.param([f"{ROLE}Mentor"], id="mentor"),
        pytest.param([], id="none"),
        pytest.param("Instructor", id="no list"),
    ],
)
def test_other_roles_have_no_place(lms: PlatformDouble, roles: object) -> None:
    launch(lms, INSTRUCTOR)
    browser = Browser()

    response = launch(lms, {"sub": "someone", f"{CLAIM}roles": roles}, browser)

    assert response.status_code == 403
    assert not signed_in(browser)


def test_nobody_is_recognised_by_name_or_address(lms: PlatformDouble) -> None:
    known = make_user("ada", email="ada@example.org", sis_id="S-1")
    launch(lms, INSTRUCTOR)

    launch(lms, {"email": "ada@example.org", f"{CLAIM}lis": {"person_sourcedid": "S-1"}})

    assert LtiUser.objects.get(subject="lms-user-1").user != known


def test_a_platform_that_names_people_names_them_by_the_schools_number(lms: PlatformDouble) -> None:
    Platform.objects.update(names_people=True)
    known = make_user("ada", sis_id="S-1")
    chief = make_user("chief", sis_id="S-2", is_superuser=True)
    launch(lms, INSTRUCTOR)

    launch(lms, {f"{CLAIM}lis": {"person_sourcedid": "S-1"}})
    launch(lms, {"sub": "thief", f"{CLAIM}lis": {"person_sourcedid": "S-2"}})

    assert LtiUser.objects.get(subject="lms-user-1").user == known
    assert LtiUser.objects.get(subject="thief").user != chief


def test_a_closed_account_stays_closed(lms: PlatformDouble) -> None:
    launch(lms, INSTRUCTOR)
    launch(lms)
    User.objects.filter(lti_users__subject="lms-user-1").update(is_active=False)
    browser = Browser()

    assert launch(lms, browser=browser).status_code == 403
    assert not signed_in(browser)


# --- Attacks ----------------------------------------------------------------------------------


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
        pytest.param({"iat": int(time.time()) + 3600}, id="from the future"),
        pytest.param({"nonce": "made-up"}, id="a nonce of its own"),
        pytest.param({"nonce": None}, id="no nonce"),
        pytest.param({"nonce": {"a": 1}}, id="nonce of no sense"),
        pytest.param({"sub": None}, id="nobody"),
        pytest.param({"sub": ""}, id="empty person"),
        pytest.param({"sub": "x" * 300}, id="a person too long"),
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


@pytest.mark.parametrize("missing", ["iss", "login_hint"])
def test_a_login_that_lacks_something_is_refused(lms: PlatformDouble, missing: str) -> None:
    asked = {"iss": lms.origin, "login_hint": "x", "client_id": lms.client_id, "checked": "1"}
    del asked[missing]

    assert Browser().get("/lti/login/", asked).status_code == 403


def test_in_a_frame_cookies_are_tried_before_anything_is_typed(
    lms: PlatformDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser()
    asked = {"iss": lms.origin, "login_hint": "x", "client_id": lms.client_id}

    page = browser.get("/lti/login/", asked, headers={"sec-fetch-dest": "iframe"})

    assert page.status_code == 200
    assert b'target="_blank"' in page.content
    # A hosted LMS's pages are not where its issuer is: any page may frame this one.
    assert "frame-ancestors 'self' https: " in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    # Pages do not stay in frames here, so a cookie that is kept there (an LMS on the same site) is
    # no reason to go on inside.
    assert browser.get("/lti/cookies/").json() == {"kept": False}
    monkeypatch.setattr(settings, "LTI_IN_FRAMES", True)
    assert browser.get("/lti/cookies/").json() == {"kept": True}
    assert Browser().get("/lti/cookies/").json() == {"kept": False}
    straight = browser.get("/lti/login/", asked, headers={"sec-fetch-dest": "document"})
    assert straight.status_code == 302


def test_pages_of_a_hosted_lms_are_where_its_launches_come_from(lms: PlatformDouble) -> None:
    browser = Browser()
    changed = {f"{CLAIM}launch_presentation": {"return_url": "https://school.lms.example/back?x"}}

    launch(lms, INSTRUCTOR | changed, browser)

    assert browser.session["lti-pages"] == [lms.origin, "https://school.lms.example"]
