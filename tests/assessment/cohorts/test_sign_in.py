from http import HTTPStatus

import pytest
from django.conf import settings
from django.test import Client

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
