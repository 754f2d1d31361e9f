"""Deep linking: an instructor chooses, the platform gets links with columns, signed."""

import json
import re
from typing import Any

import jwt
import pytest
from django.test import Client as Browser
from jwcrypto.jwk import JWK

from assessment.cohorts.models import Cohort
from assessment.grades.models import Platform
from exercises.models import Exercise
from tests.assessment.grades.lti.conftest import INSTRUCTOR, launch
from tests.assessment.grades.lti.platform_double import CLAIM, ROLE, PlatformDouble
from tests.factories import make_exercise

pytestmark = pytest.mark.django_db

SETTINGS = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
ITEMS = "https://purl.imsglobal.org/spec/lti-dl/claim/content_items"
DATA = "https://purl.imsglobal.org/spec/lti-dl/claim/data"


def ask(lms: PlatformDouble, browser: Browser, **settings: Any) -> Any:  # noqa: ANN401 (the test client's response)
    """Launch as a platform that asks what to link to."""
    asked = {
        "deep_link_return_url": f"{lms.origin}/deep-link-return?course=1",
        "accept_types": ["link", "ltiResourceLink"],
        "accept_presentation_document_targets": ["iframe", "window"],
        "accept_multiple": True,
        "data": "state-of-the-lms",
    }
    claims = INSTRUCTOR | {
        f"{CLAIM}message_type": "LtiDeepLinkingRequest",
        SETTINGS: {name: value for name, value in (asked | settings).items() if value is not None},
    }
    return launch(lms, claims, browser)


def answer_of(lms: PlatformDouble, page: Any) -> dict[str, Any]:  # noqa: ANN401 (the test client's response)
    """Return the claims of the answer, checked as the platform checks them."""
    (token,) = re.findall(r'name="JWT"\s+value="([^"]+)"', page.content.decode())
    kid = jwt.get_unverified_header(token)["kid"]
    (key,) = [key for key in lms.tool_keys["keys"] if key["kid"] == kid]
    pem = JWK.from_json(json.dumps(key)).export_to_pem()
    found: dict[str, Any] = jwt.decode(token, pem, algorithms=["RS256"], audience=lms.origin)
    return found


def choose(browser: Browser, *exercises: Exercise) -> Any:  # noqa: ANN401 (the test client's response)
    """Choose exercises on the page."""
    return browser.post("/lti/deep-link/", {"exercises": [str(each.pk) for each in exercises]})


def test_the_links_carry_columns_with_their_maximum(lms: PlatformDouble) -> None:
    first = make_exercise()
    second = make_exercise(rubric={"a": "12.5", "b": "2.5"})
    unscored = make_exercise(rubric={"Unscored": "0"})
    browser = Browser()
    assert ask(lms, browser)["Location"] == "/lti/deep-link/"
    assert browser.get("/lti/deep-link/").status_code == 200

    page = choose(browser, first, second, unscored)

    assert f"form-action 'self' {lms.origin}" in page["Content-Security-Policy"]
    assert f'action="{lms.origin}/deep-link-return?course=1"' in page.content.decode()
    claims = answer_of(lms, page)
    assert (claims["iss"], claims[DATA]) == (lms.client_id, "state-of-the-lms")
    assert claims[f"{CLAIM}deployment_id"] == lms.deployment_id
    items = {item["custom"]["exercise"]: item for item in claims[ITEMS]}
    assert items[first.slug] == {
        "type": "ltiResourceLink",
        "title": first.title,
        "url": "http://testserver/lti/launch/",
        "custom": {"exercise": first.slug},
        "lineItem": {"scoreMaximum": 10, "label": first.title, "resourceId": first.slug},
    }
    assert items[second.slug]["lineItem"]["scoreMaximum"] == 15
    assert "lineItem" not in items[unscored.slug]
    assert first.session in Cohort.objects.get().sessions.all()


def test_a_question_is_answered_once(lms: PlatformDouble) -> None:
    exercise = make_exercise()
    browser = Browser()
    ask(lms, browser)

    assert choose(browser, exercise).status_code == 200
    assert choose(browser, exercise).status_code == 404


def test_an_lms_that_is_let_in_no_longer_gets_no_answer(lms: PlatformDouble) -> None:
    exercise = make_exercise()
    browser = Browser()
    ask(lms, browser)
    Platform.objects.update(is_active=False)

    page = choose(browser, exercise)

    assert b"not let in any more" in page.content
    assert b"JWT" not in page.content


def test_what_the_lms_did_not_give_is_not_given_back(lms: PlatformDouble) -> None:
    exercise = make_exercise()
    browser = Browser()
    ask(lms, browser, data=None, accept_multiple=["true"])

    assert DATA not in answer_of(lms, choose(browser, exercise))


def test_a_platform_that_takes_one_link_gets_one(lms: PlatformDouble) -> None:
    first, second = make_exercise(), make_exercise()
    browser = Browser()
    ask(lms, browser, accept_multiple=False)

    assert b"choose one exercise" in choose(browser, first, second).content
    assert len(answer_of(lms, choose(browser, first))[ITEMS]) == 1


def test_choosing_nothing_is_said_to_be_too_little(lms: PlatformDouble) -> None:
    browser = Browser()
    ask(lms, browser)

    assert b"Choose at least one exercise." in choose(browser).content


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"deep_link_return_url": None}, id="no address"),
        pytest.param({"deep_link_return_url": "javascript:alert(1)"}, id="a script"),
        pytest.param({"deep_link_return_url": "http://evil.example/"}, id="not https"),
        pytest.param({"accept_types": ["html"]}, id="no links to tools"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(
    lms: PlatformDouble, settings: dict[str, Any]
) -> None:
    browser = Browser()

    assert ask(lms, browser, **settings).status_code == 403
    assert browser.get("/lti/deep-link/").status_code in {302, 404}


def test_learners_choose_nothing(lms: PlatformDouble) -> None:
    launch(lms, INSTRUCTOR)
    browser = Browser()
    claims = {
        f"{CLAIM}message_type": "LtiDeepLinkingRequest",
        f"{CLAIM}roles": [f"{ROLE}Learner"],
        SETTINGS: {
            "deep_link_return_url": f"{lms.origin}/back",
            "accept_types": ["ltiResourceLink"],
            "accept_presentation_document_targets": ["iframe"],
        },
    }

    assert launch(lms, claims, browser).status_code == 403
