"""Wrong passwords are counted by name and address, and by address over all names."""

import re
from datetime import timedelta
from http import HTTPStatus

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.hashers import make_password
from django.test import Client as Browser
from django.utils import timezone
from pytest_django import Settings

from assessment.cohorts import signing_in
from assessment.cohorts.models import User
from tests.factories import make_user

pytestmark = pytest.mark.django_db

RIGHT = "secret"
SCHOOL, HOME = "192.0.2.1", "198.51.100.7"
SIGNED_IN, WRONG, LOCKED = HTTPStatus.FOUND, HTTPStatus.OK, HTTPStatus.TOO_MANY_REQUESTS


@pytest.fixture(autouse=True)
def proxy(settings: Settings) -> None:
    """Let a proxy say where each caller is: the demo of these tests answers to loopback alone."""
    settings.BEHIND_PROXY = True


def browser(at: str) -> Browser:
    return Browser(headers={"X-Forwarded-For": at})


def sign_in(name: str, password: str = RIGHT, *, at: str = SCHOOL) -> tuple[HTTPStatus, str]:
    """Try, from an address; return the status and the page."""
    form = {"username": name, "password": password}
    answer = browser(at).post("/sign-in/", form)
    return HTTPStatus(answer.status_code), answer.content.decode()


def status(name: str, password: str = RIGHT, *, at: str = SCHOOL) -> HTTPStatus:
    return sign_in(name, password, at=at)[0]


def make_people(count: int) -> list[str]:
    password = make_password("secret")
    people = [User(username=f"learner-{number}", password=password) for number in range(count)]
    return [each.username for each in User.objects.bulk_create(people)]


@pytest.fixture
def noisy(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return an address from which six passwords were tried on six names, and no more may be."""
    monkeypatch.setattr(signing_in, "TRIES_OF_AN_ADDRESS", 6)
    assert [status(f"name-{each}", "spring") for each in range(6)] == [*[WRONG] * 5, LOCKED]
    return SCHOOL


@pytest.mark.once
def test_a_school_of_300_signs_in_at_nine_from_one_address() -> None:
    names = make_people(300)
    hasty = names[::5]

    mistyped = [status(name, "sceret") for name in hasty]
    signed_in = [status(name) for name in names]

    assert set(mistyped) == {WRONG}
    assert set(signed_in) == {SIGNED_IN}


def test_after_one_password_on_many_names_not_even_a_right_one_is_looked_at(noisy: str) -> None:
    make_user("ada")
    assert status("name-7", "spring", at=noisy) is LOCKED

    found, page = sign_in("ada", at=noisy)

    assert found is LOCKED
    assert "many accounts" in page
    assert status("ada", at=HOME) is SIGNED_IN, "others are left alone"


def test_who_signed_in_from_there_lately_still_may_three_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_user("ada")
    assert status("ada") is SIGNED_IN
    monkeypatch.setattr(signing_in, "TRIES_OF_AN_ADDRESS", 3)
    for each in range(3):
        sign_in(f"name-{each}", "spring")

    assert [status("ada", "wrong"), status("ada", "wrong")] == [WRONG, WRONG]
    assert status("ada") is SIGNED_IN
    assert [status("ada", "wrong") for _ in range(3)] == [WRONG, WRONG, LOCKED]
    assert status("ada") is LOCKED


def test_the_page_says_how_long(noisy: str) -> None:
    AccessAttempt.objects.filter(username="name-0").update(
        attempt_time=timezone.now() - timedelta(minutes=6, seconds=30)
    )
    answer = browser(noisy).post("/sign-in/", {"username": "ada", "password": "x"})

    assert "Try again in 4 minutes" in answer.content.decode()
    assert 180 < int(answer["Retry-After"]) <= 210


def test_what_it_says_is_true_however_often_one_tries(settings: Settings) -> None:
    make_user("ada")
    for _ in range(8):
        sign_in("ada", "wrong")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=9, seconds=30))

    found, page = sign_in("ada", "wrong")

    assert found is LOCKED
    assert re.search(r"Try again in 1 minute;", page)
    settings.AXES_COOLOFF_TIME = timedelta(minutes=9)
    assert status("ada") is SIGNED_IN


def test_a_right_password_forgives_the_wrong_ones_of_its_own_name_alone() -> None:
    make_user("ada")
    for name in ("ada", "blaise"):
        for _ in range(7):
            sign_in(name, "wrong")

    assert status("ada") is SIGNED_IN

    assert status("ada", "wrong") is WRONG
    assert status("blaise", "wrong") is LOCKED


def test_a_household_with_a_million_ipv6_addresses_is_one() -> None:
    make_user("ada")

    tried = [status("ada", "wrong", at=f"2001:db8:1:2::{each:x}") for each in range(9)]

    assert tried == [*[WRONG] * 7, LOCKED, LOCKED]
    assert status("ada", at="2001:db8:1:3::1") is SIGNED_IN


def test_the_administrators_door_counts_with_the_others(noisy: str) -> None:
    form = {"username": "root", "password": "spring"}

    answer = browser(noisy).post("/admin/login/", form)

    assert answer.status_code == LOCKED
    assert "Retry-After" in answer
