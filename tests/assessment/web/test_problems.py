"""Every refusal of the API is a problem document, whoever refuses."""

from http import HTTPStatus

import pytest
from django.db import OperationalError, connection
from django.test import Client, RequestFactory

from assessment.web.problems import server_error
from tests.factories import bearer, enrol, make_cohort, make_exercise, make_user

pytestmark = pytest.mark.django_db

PROBLEM = "application/problem+json"


@pytest.mark.parametrize(
    "address",
    ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/", "/api/v1/nothing", "/api/v1/%FF/"],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_address_that_leads_nowhere(client: Client, method: str, address: str) -> None:
    answer = client.generic(method, address)

    assert (answer.status_code, answer["Content-Type"]) == (HTTPStatus.NOT_FOUND, PROBLEM)


def test_a_missing_slash_loses_neither_method_nor_query(client: Client) -> None:
    answer = client.post("/api/v1/grades?cohort=a%20b", {}, "application/json")

    assert answer.status_code == HTTPStatus.PERMANENT_REDIRECT
    assert answer["Location"] == "/api/v1/grades/?cohort=a%20b"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_a_method_that_is_not_offered(client: Client, method: str) -> None:
    headers = bearer(make_user(), "learn")

    answer = client.generic(method, "/api/v1/sessions/", headers=headers)

    assert (answer.status_code, answer["Content-Type"]) == (HTTPStatus.METHOD_NOT_ALLOWED, PROBLEM)
    assert answer["Allow"] == "GET, HEAD, OPTIONS"


def test_the_description_refuses_in_json_too(client: Client) -> None:
    answer = client.get("/api/schema/", headers={"Accept": "text/html"})

    assert (answer.status_code, answer["Content-Type"]) == (HTTPStatus.NOT_ACCEPTABLE, PROBLEM)
    assert answer.json()["status"] == HTTPStatus.NOT_ACCEPTABLE


def test_another_host_is_no_page_of_the_api(client: Client) -> None:
    answer = client.get("/api/v1/sessions/", headers={"Host": "elsewhere.example"})

    assert (answer.status_code, answer["Content-Type"]) == (HTTPStatus.BAD_REQUEST, PROBLEM)


def test_a_database_that_is_away_asks_to_come_again(client: Client) -> None:
    headers = bearer(make_user(), "learn")

    def away(*_statement: object) -> None:
        raise OperationalError

    with connection.execute_wrapper(away):
        answer = client.get("/api/v1/sessions/", headers=headers)

    assert (answer.status_code, answer["Content-Type"]) == (HTTPStatus.SERVICE_UNAVAILABLE, PROBLEM)
    assert answer["Retry-After"] == "5"


def test_what_breaks_is_a_problem_for_machines_and_a_page_for_people() -> None:
    machine = server_error(RequestFactory().get("/api/v1/sessions/"))
    person = server_error(RequestFactory().get("/sessions/"))

    assert (machine.status_code, machine["Content-Type"]) == (500, PROBLEM)
    assert (person.status_code, person["Content-Type"]) == (500, "text/html; charset=utf-8")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        pytest.param({"Accept": "text/html"}, HTTPStatus.NOT_ACCEPTABLE, id="no JSON wanted"),
        pytest.param(
            {"Content-Type": "text/plain"}, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, id="no JSON sent"
        ),
    ],
)
def test_media_types_are_negotiated(headers: dict[str, str], status: HTTPStatus) -> None:
    exercise = make_exercise()
    learner = enrol(make_cohort(exercise.session)).user

    answer = Client().generic(
        "POST",
        f"/api/v1/exercises/{exercise.slug}/submissions/",
        '{"answers": {"loss": "1"}}',
        headers.get("Content-Type", "application/json"),
        headers=bearer(learner, "learn") | headers,
    )

    assert (answer.status_code, answer["Content-Type"]) == (status, PROBLEM)
