"""Who is a stranger to an instructor is asked, and stays unknown until they say yes."""

import re
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client as Browser
from django.utils import timezone

from assessment.cohorts.forgetting import forget_expired
from assessment.cohorts.models import Cohort, Enrolment, PlaceOffer, User
from assessment.cohorts.models.place_offer import OFFERED_FOR
from tests.assessment.cohorts.conftest import browser_of
from tests.assessment.cohorts.test_people_list import confirm, hand_in
from tests.factories import enrol, make_cohort, make_user


@pytest.fixture
def stranger(db: None) -> User:  # noqa: ARG001 (the tables)
    """Return a learner of a cohort of somebody else."""
    user = make_user(
        "s.quist", first_name="Sam", last_name="Quist", email="sam@home.example", sis_id="S-77"
    )
    enrol(make_cohort(slug="spring", name="Spring of others"), user)
    return user


def shown(desk: Browser, address: str) -> str:
    """Return a page without the tokens that are new every time."""
    page = desk.get(address).content.decode()
    return re.sub(r'(csrfmiddlewaretoken" value=|nonce=|X-CSRFToken": )"[^"]*"', "", page)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("{username},,", id="username"),
        pytest.param("{USERNAME},,", id="username in other case"),
        pytest.param(",{sis_id},", id="SIS id"),
        pytest.param(",s-77,", id="SIS id in other case"),
        pytest.param("fresh,{sis_id},", id="a SIS id under another username"),
        pytest.param(",,{email}", id="e-mail address"),
        pytest.param("{username},S-1,", id="another SIS id"),
    ],
)
def test_a_look_is_the_same_whether_there_is_such_an_account(
    desk: Browser, stranger: User, row: str
) -> None:
    names = {
        "username": "s.quist",
        "USERNAME": "S.QUIST",
        "sis_id": "S-77",
        "email": stranger.email,
    }
    text = "username,sis_id,email\n" + row.format_map(names)

    address = hand_in(desk, text)
    with_account = shown(desk, address)
    User.objects.filter(pk=stranger.pk).update(username="x", sis_id="x", email="x@example.org")

    # The digest that goes back with the form stands there too.
    assert "1 person would be added" in with_account
    assert shown(desk, address).splitlines() == with_account.splitlines()


def test_a_stranger_is_asked_and_nothing_of_them_is_shown_before_they_join(
    desk: Browser, autumn: Cohort, stranger: User
) -> None:
    page = confirm(desk, hand_in(desk, "username,track\ns.quist,support\nnew-one,\n"))

    assert "1 person is added. 1 has an account already and is invited" in page
    assert "s.quist" in page
    for secret in ("Sam", "sam@home.example", "S-77"):
        assert secret not in page
    assert not autumn.enrolments.filter(user=stranger).exists()

    browser = browser_of(stranger)
    asked = browser.get("/sessions/").content.decode()
    assert "Join Autumn as learner?" in asked
    assert "sofia invites you" in asked
    offer = PlaceOffer.objects.get()
    joined = browser.post(f"/offers/{offer.pk}/", {"join": "1"}, follow=True).content.decode()

    assert "You are in Autumn now" in joined
    place = autumn.enrolments.get(user=stranger)
    assert (place.role, place.track, place.made_account) == ("learner", "support", False)
    assert "S-77" in desk.get("/cohorts/autumn/").content.decode()
    assert not PlaceOffer.objects.exists()


def test_who_declines_has_no_place_and_is_asked_no_more(
    desk: Browser, autumn: Cohort, stranger: User
) -> None:
    confirm(desk, hand_in(desk, "username\ns.quist\n"))
    browser = browser_of(stranger)

    page = browser.post(f"/offers/{PlaceOffer.objects.get().pk}/", follow=True).content.decode()

    assert "You are not in Autumn" in page
    assert "Join Autumn" not in page
    assert not autumn.enrolments.filter(user=stranger).exists()


@pytest.mark.usefixtures("autumn")
def test_an_offer_is_answered_by_the_person_and_withdrawn_by_the_cohorts_instructors(
    desk: Browser, stranger: User
) -> None:
    confirm(desk, hand_in(desk, "username\ns.quist\n"))
    offer = PlaceOffer.objects.get()
    foreign = browser_of(enrol(make_cohort(slug="other"), role="instructor").user)

    assert desk.post(f"/offers/{offer.pk}/", {"join": "1"}).status_code == HTTPStatus.NOT_FOUND
    for slug in ("autumn", "other"):
        answer = foreign.post(f"/cohorts/{slug}/offers/{offer.pk}/withdraw/")
        assert answer.status_code == HTTPStatus.NOT_FOUND

    page = desk.post(f"/cohorts/autumn/offers/{offer.pk}/withdraw/", follow=True).content.decode()
    assert "s.quist is no longer invited" in page
    late = browser_of(stranger).post(f"/offers/{offer.pk}/", {"join": "1"})
    assert late.status_code == HTTPStatus.NOT_FOUND


def test_the_same_stranger_is_asked_once_however_often_they_are_named(
    desk: Browser, autumn: Cohort, stranger: User
) -> None:
    for _again in range(2):
        confirm(desk, hand_in(desk, "username,sis_id\ns.quist,\n,s-77\n"))

    assert autumn.place_offers.get().user == stranger


def test_a_place_that_somebody_got_meanwhile_is_kept_as_it_is(
    desk: Browser, autumn: Cohort, stranger: User
) -> None:
    confirm(desk, hand_in(desk, "username,role\ns.quist,teacher\n"), instructors="1")
    confirm(desk, hand_in(desk, "username,role\ns.quist,teacher\n"), instructors="1")
    enrol(autumn, stranger)
    offer = PlaceOffer.objects.get()

    assert "Join Autumn" not in browser_of(stranger).get("/sessions/").content.decode()
    assert "Withdraw" not in desk.get("/cohorts/autumn/").content.decode()
    browser_of(stranger).post(f"/offers/{offer.pk}/", {"join": "1"})

    assert autumn.enrolments.get(user=stranger).role == "learner"


def test_an_offer_that_is_withdrawn_while_it_is_taken_is_no_place(
    autumn: Cohort, stranger: User
) -> None:
    offer = PlaceOffer.objects.create(
        cohort=autumn, user=stranger, role="learner", track="core", written="s.quist"
    )
    browser = browser_of(stranger)

    def withdraw(execute: Callable[..., object], sql: str, *rest: object) -> object:
        found = execute(sql, *rest)
        if sql.startswith("SELECT") and "placeoffer" in sql:
            PlaceOffer.objects.filter(pk=offer.pk).delete()
        return found

    with connection.execute_wrapper(withdraw):
        answer = browser.post(f"/offers/{offer.pk}/", {"join": "1"})

    assert answer.status_code == HTTPStatus.FOUND
    page = browser.get("/sessions/").content.decode()
    assert "You are invited to Autumn no longer" in page
    assert not autumn.enrolments.filter(user=stranger).exists()


def test_people_of_ones_own_cohorts_and_those_that_an_administrator_adds_are_not_asked(
    desk: Browser, autumn: Cohort, winter: Cohort, stranger: User, administrator: User
) -> None:
    left = enrol(winter, make_user("left"))
    Enrolment.objects.filter(pk=left.pk).update(left_at=timezone.now())

    assert "1 person is added" in confirm(desk, hand_in(desk, "username\nleft\n"))
    office = browser_of(administrator)
    assert "1 person is added" in confirm(office, hand_in(office, "sis_id\nS-77\n"))

    assert set(autumn.enrolments.learners()) == set(
        Enrolment.objects.filter(cohort=autumn, user__in=[left.user, stranger])
    )
    assert not PlaceOffer.objects.exists()


def test_strangers_are_named_instructors_no_more_than_people_who_are_not(
    desk: Browser,
    autumn: Cohort,
    stranger: User,  # noqa: ARG001 (is named)
) -> None:
    answers = [
        desk.post("/cohorts/autumn/instructors/", {"usernames": name, "sure": "1"})
        for name in ("s.quist", "nobody.")
    ]

    for answer, name in zip(answers, ("s.quist", "nobody."), strict=True):
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert f"No account that you can name has the username {name}" in answer.content.decode()
    assert autumn.enrolments.instructors().count() == 1


def test_what_nobody_answers_is_forgotten(autumn: Cohort, stranger: User) -> None:
    offer = PlaceOffer.objects.create(
        cohort=autumn, user=stranger, role="learner", track="core", written="s.quist"
    )
    forget_expired()
    assert PlaceOffer.objects.exists()

    PlaceOffer.objects.filter(pk=offer.pk).update(
        made_at=timezone.now() - OFFERED_FOR - timedelta(minutes=1)
    )
    forget_expired()

    assert not PlaceOffer.objects.exists()
