from http import HTTPStatus

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from assessment.cohorts.models import User
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_demo_mode_names_its_accounts(client: Client) -> None:
    page = client.get("/sign-in/").content.decode()

    for username in settings.DEMO_ACCOUNTS:
        assert username in page
    assert settings.DEMO_PASSWORD in page


def test_outside_demo_mode_no_account_is_named(
    client: Client, settings: pytest.FixtureRequest
) -> None:
    password = settings.DEMO_PASSWORD  # type: ignore[attr-defined]
    settings.DEMO = False  # type: ignore[attr-defined]

    page = client.get("/sign-in/").content.decode()

    assert password not in page
    assert "Demo accounts" not in page


def test_signing_in_leads_where_one_wanted_to_go(client: Client) -> None:
    make_user("ada")

    answer = client.post(
        "/sign-in/?next=/sessions/",
        {"username": "ada", "password": "secret", "next": "/sessions/"},
    )

    assert (answer.status_code, answer.headers["Location"]) == (HTTPStatus.FOUND, "/sessions/")


def test_never_to_another_site(client: Client) -> None:
    make_user("ada")

    answer = client.post(
        "/sign-in/",
        {"username": "ada", "password": "secret", "next": "https://elsewhere.example/"},
    )

    assert answer.headers["Location"] == "/"


def test_a_wrong_password_says_so_and_keeps_the_name(client: Client) -> None:
    make_user("ada")

    page = client.post("/sign-in/", {"username": "ada", "password": "wrong"}).content.decode()

    assert "correct username and password" in page
    assert 'value="ada"' in page


def test_many_wrong_passwords_rest_the_account(client: Client) -> None:
    make_user("ada")
    for _try in range(8):
        answer = client.post("/sign-in/", {"username": "ada", "password": "wrong"})

    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert "Too many tries" in answer.content.decode()


def test_signing_out(client: Client) -> None:
    client.force_login(make_user())

    client.post("/sign-out/")

    assert client.get("/").status_code == HTTPStatus.FOUND


def test_an_account_that_is_closed_is_out_at_its_next_click(client: Client) -> None:
    person = make_user()
    client.force_login(person)
    assert client.get("/sessions/").status_code == HTTPStatus.OK

    User.objects.filter(pk=person.pk).update(is_active=False)

    assert client.get("/sessions/").status_code == HTTPStatus.FOUND
    assert client.get("/api/v1/sessions/").status_code == HTTPStatus.UNAUTHORIZED


def fail(client: Client, forwarded: str) -> HTTPStatus:
    """Try a wrong password, as a caller whose proxy says so."""
    form = {"username": "ada", "password": "wrong"}
    answer = client.post("/sign-in/", form, headers={"X-Forwarded-For": forwarded})
    return HTTPStatus(answer.status_code)


@pytest.mark.parametrize(
    ("behind", "forwarded", "last"),
    [
        pytest.param(False, "10.0.0.{}", HTTPStatus.TOO_MANY_REQUESTS, id="no proxy: never read"),
        pytest.param(True, "10.0.0.{}, 192.0.2.7", HTTPStatus.TOO_MANY_REQUESTS, id="one caller"),
        pytest.param(True, "192.0.2.7, 10.0.0.{}", HTTPStatus.OK, id="many callers of one proxy"),
        pytest.param(True, "nonsense {}", HTTPStatus.TOO_MANY_REQUESTS, id="no address at all"),
    ],
)
def test_tries_are_counted_where_they_come_from(
    client: Client, settings: Settings, behind: bool, forwarded: str, last: HTTPStatus
) -> None:
    settings.BEHIND_PROXY = behind
    make_user("ada")

    answers = [fail(client, forwarded.format(number)) for number in range(9)]

    assert answers[-1] is last


@pytest.mark.parametrize("door", ["/sign-in/", "/admin/login/"])
def test_a_name_longer_than_any_is_an_unknown_one(client: Client, door: str) -> None:
    answer = client.post(door, {"username": "a" * 10_000, "password": "secret"})

    assert answer.status_code == HTTPStatus.OK
    assert AccessAttempt.objects.get().username == "a" * 255
