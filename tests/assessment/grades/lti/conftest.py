"""A platform double that is registered, and browsers that launch from it."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client as Browser

from assessment.grades.models import Platform
from tests.assessment.grades.lti.platform_double import CLAIM, ROLE, PlatformDouble

INSTRUCTOR: dict[str, Any] = {"sub": "lms-teacher", f"{CLAIM}roles": [f"{ROLE}Instructor"]}


@pytest.fixture
def lms(db: None) -> Iterator[PlatformDouble]:  # noqa: ARG001 (rows are made)
    """Return a platform that is registered, with one deployment let in."""
    cache.clear()
    with PlatformDouble().serving() as double:
        platform = register(double)
        platform.deployments.create(deployment_id=double.deployment_id)
        double.tool_keys = Browser().get("/lti/keys/").json()
        yield double
    cache.clear()


def register(double: PlatformDouble, **fields: Any) -> Platform:
    """Register a double by hand."""
    defaults: dict[str, Any] = {
        "name": "Double",
        "issuer": double.origin,
        "client_id": double.client_id,
        "auth_login_url": f"{double.origin}/auth",
        "auth_token_url": f"{double.origin}/token",
        "key_set_url": f"{double.origin}/jwks",
    }
    return Platform.objects.create(**defaults | fields)


def begin(double: PlatformDouble, browser: Browser, **changed: str) -> str:
    """Begin a launch; return the address that the browser is sent to."""
    asked = {
        "iss": double.origin,
        "login_hint": "hint",
        "target_link_uri": "http://testserver/lti/launch/",
        "client_id": double.client_id,
        "checked": "1",
    }
    response = browser.get("/lti/login/", asked | changed)
    assert response.status_code == 302, response.content
    return str(response["Location"])


def asked_for(address: str) -> dict[str, str]:
    """Return what the tool asks the platform for in the address of a redirect."""
    return dict(parse_qsl(urlsplit(address).query))


def launch(
    double: PlatformDouble,
    changed: Mapping[str, Any] | None = None,
    browser: Browser | None = None,
) -> Any:  # noqa: ANN401 (the test client's response)
    """Launch from beginning to end, a learner unless the claims are changed."""
    browser = browser or Browser()
    form = double.token(begin(double, browser), changed)
    return browser.post("/lti/launch/", form)


def signed_in(browser: Browser) -> bool:
    """Return whether the browser is signed in."""
    return "_auth_user_id" in browser.session
