"""The OpenAPI document is complete, valid, and true of the running service."""

import json
from http import HTTPStatus
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.test import Client as Browser
from hypothesis import HealthCheck, given, settings
from openapi_spec_validator import validate
from pytest_django.live_server_helper import LiveServer
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from tests.assessment.review.conftest import Desk, desk  # noqa: F401 (a fixture)
from tests.factories import bearer

OPERATIONS = {
    "/api/v1/cohorts/{slug}/breaks/": {"get"},
    "/api/v1/exercises/{slug}/": {"get"},
    "/api/v1/exercises/{slug}/submissions/": {"post"},
    "/api/v1/grades/": {"get"},
    "/api/v1/sessions/": {"get"},
    "/api/v1/sessions/{slug}/": {"get"},
    "/api/v1/submissions/": {"get"},
    "/api/v1/submissions/{submission_id}/": {"get"},
    "/api/v1/submissions/{submission_id}/review/": {"get", "post"},
}

_EXAMPLES = 12
# Any text is a slug to the description, so nothing that does not fit can be made from it.
_NOTHING_MISFITS = {"/api/v1/cohorts/{slug}/breaks/"}
_CASES = [
    pytest.param(path, method, mode, id=f"{method} {path} {mode.value}")
    for path, methods in OPERATIONS.items()
    for method in sorted(methods)
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    if mode is GenerationMode.POSITIVE or path not in _NOTHING_MISFITS
]


@pytest.fixture
def document(client: Browser) -> Any:  # noqa: ANN401 (JSON)
    """Return the document as it is served."""
    answer = client.get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert answer.status_code == HTTPStatus.OK
    return json.loads(answer.content)


def test_the_generator_has_nothing_to_complain_of(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn")

    assert "openapi: 3.1" in capsys.readouterr().out


@pytest.mark.django_db
def test_the_document_is_valid_and_names_every_operation(document: Any) -> None:  # noqa: ANN401 (JSON)
    validate(document)

    methods = {"get", "post", "put", "patch", "delete"}
    found = {path: methods & set(item) for path, item in document["paths"].items()}
    assert found == OPERATIONS


@pytest.mark.django_db
def test_every_operation_says_who_may_and_shows_an_example(document: Any) -> None:  # noqa: ANN401 (JSON)
    for path, item in document["paths"].items():
        for method, operation in item.items():
            assert operation["security"], (path, method)
            assert {"401", "403"} <= set(operation["responses"]), (path, method)
            bodies = [
                content
                for status, response in operation["responses"].items()
                if status in {"200", "201"}
                for content in response.get("content", {}).values()
            ]
            assert any("examples" in body or "example" in body for body in bodies), (path, method)


@pytest.mark.django_db
def test_the_readable_page_needs_no_other_site(client: Browser) -> None:
    page = client.get("/api/docs/").content.decode()

    assert "http://" not in page.replace("http://testserver", "")
    assert "https://" not in page


@pytest.mark.parametrize(("path", "method", "mode"), _CASES)
def test_the_service_does_what_the_document_says(
    live_server: LiveServer,
    desk: Desk,  # noqa: F811 (the fixture)
    document: Any,  # noqa: ANN401 (JSON)
    path: str,
    method: str,
    mode: GenerationMode,
) -> None:
    """Send what fits, or what does not; the service answers as it says it does."""
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=live_server.url)
    headers = bearer(desk.instructor, "learn", "teach", "grades:read")
    # Slugs, ids, cursors and versions fit the description and name nothing, so most are refused.
    excluded: Any = [CHECKS.get_one("positive_data_acceptance")]

    @settings(
        max_examples=_EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(schema[path][method].as_strategy(mode))
    def hold(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(headers=headers, excluded_checks=excluded)

    hold()
