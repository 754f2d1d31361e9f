"""The OpenAPI document is complete, valid, and true of the running service."""

import copy
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from django.core.management import call_command
from django.test import Client as Browser
from openapi_spec_validator import validate
from pytest_django.live_server_helper import LiveServer

from assessment.review.releasing import release
from exercises.models import Exercise
from tests.described import ALL_CHECKS, PHASES, closed, run, with_values
from tests.factories import (
    WRONG_SUM,
    bearer,
    enrol,
    make_cohort,
    make_exercise,
    make_review,
    make_submission,
    make_user,
)

API = "/api/v1/"

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
# What is right in form is accepted, or names something that is not there.
_ACCEPTED = {"positive_data_acceptance": {"expected-statuses": ["200", "201", "204", "304", "404"]}}
# What the form of a request cannot tell beforehand, by operation.
_SETTINGS = [
    {
        "include-operation-id": "submissions_create",
        # 422: the generator used the same key for other answers before.
        "checks": {"positive_data_acceptance": {"expected-statuses": ["201", "404", "422"]}},
    },
    {
        "include-operation-id": "review_create",
        "checks": {
            # 412: the version that If-Match names is no longer the present one.
            "positive_data_acceptance": {"expected-statuses": ["201", "404", "412"]},
            # 412: nor is what is no version at all, which is the standard's word for If-Match.
            "negative_data_rejection": {"expected-statuses": ["400", "404", "405", "412", "428"]},
            # 428 is the status that was made for it (RFC 6585).
            "missing_required_header": {"expected-statuses": ["428", "404"]},
        },
    },
]
# What every criterion here can give.
_BELOW_TWO = {
    "anyOf": [
        {"type": "string", "pattern": r"^[01](\.[0-9]{1,4})?$"},
        {"type": "number", "enum": [0, 0.25, 1, 2.5]},
        {"type": "null"},
    ]
}


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
    assert client.options("/api/docs/").status_code == HTTPStatus.METHOD_NOT_ALLOWED


@dataclass
class Service:
    """A running service with something behind every address, and someone who may do everything."""

    url: str
    headers: dict[str, str]
    document: dict[str, Any]
    values: dict[tuple[str, str], list[str]]


@pytest.fixture
def service(live_server: LiveServer, document: Any) -> Service:  # noqa: ANN401 (JSON)
    """Return a service whose caller learns in one cohort and teaches another."""
    exercise = make_exercise(attempts=1000)
    exercise.current.fields.update(max_length=10_000)  # type: ignore[union-attr]  # it has one
    learning, teaching = make_cohort(exercise.session), make_cohort(exercise.session)
    person, another = make_user(), enrol(teaching)
    enrol(learning, person)
    enrol(teaching, person, role="instructor")
    released = make_submission(enrol(teaching), exercise)
    make_review(released, person)
    release([released], person)
    waiting = make_submission(another, exercise, answers=WRONG_SUM)
    headers = bearer(person, "learn", "teach", "grades:read")

    def cursor(address: str, member: str) -> str:
        page = Browser().get(address, headers=headers).json()
        found = page[member] or ""
        return parse_qs(urlsplit(found).query)["cursor"][0] if found.startswith("http") else found

    submissions = f"{API}submissions/"
    values = {
        (f"{API}sessions/", "slug"): [exercise.session.slug, "made-up"],
        (f"{API}exercises/", "slug"): [exercise.slug, "made-up"],
        (f"{API}cohorts/", "slug"): [teaching.slug, "made-up"],
        (f"{API}submissions/{{", "submission_id"): [str(waiting.pk), str(UUID(int=7))],
        (API, "cohort"): ["", learning.slug, teaching.slug],
        (f"{API}grades/", "cursor"): ["", cursor(f"{API}grades/", "sync")],
        (submissions, "cursor"): ["", cursor(f"{submissions}?limit=1", "next")],
        (submissions, "exercise"): ["", exercise.slug],
        (submissions, "If-Match"): ['"0-1"', '"1-1"'],
    }
    return Service(live_server.url, headers, for_exercise(document, exercise), values)


def for_exercise(document: dict[str, Any], exercise: Exercise) -> dict[str, Any]:
    """Return the document as it is for one exercise: its fields, its criteria and their points."""
    found = copy.deepcopy(document)
    schemas = found["components"]["schemas"]
    version = exercise.current
    assert version is not None
    answers = schemas["Answers"]["properties"]["answers"]
    names = version.fields.values_list("name", flat=True)
    answers["properties"] = dict.fromkeys(names, answers["additionalProperties"])
    answers["additionalProperties"] = False
    criteria = version.rubrics.get().criteria.all()
    points = schemas["Scoring"]["properties"]["points"]
    points["properties"] = {each.title: _BELOW_TWO for each in criteria}
    points["additionalProperties"] = False
    return found


def assert_as_described(service: Service, examples: int) -> None:
    """Send what fits and what does not, alone and one after the other."""
    found = run(
        closed(with_values(service.document, service.values)),
        base_url=service.url,
        headers=service.headers,
        checks=_ACCEPTED,
        operations=_SETTINGS,
        examples=examples,
    )

    assert found.failures == [], "\n\n".join(found.failures[:10])
    assert len(found.statuses) == sum(map(len, OPERATIONS.values()))
    assert found.without(200, 201, 204) == []
    assert found.phases >= PHASES
    assert found.checks == ALL_CHECKS


def test_the_service_does_what_the_document_says(service: Service) -> None:
    assert_as_described(service, examples=3)


@pytest.mark.soak
def test_the_service_does_what_the_document_says_a_hundred_times(service: Service) -> None:
    assert_as_described(service, examples=100)
