"""Whoever has a link has the account: who gets one, for whom, and how long it lives."""

import csv
import io
import logging
from datetime import datetime, timedelta
from http import HTTPStatus

import pytest
from django.core.management import call_command
from django.test import Client as Browser
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from assessment.cohorts.inviting import SignInLinks, invite
from assessment.cohorts.models import Cohort, Enrolment, Invitation, User
from assessment.config.redacting import WithoutLinks
from tests.assessment.cohorts.conftest import browser_of
from tests.factories import enrol, make_cohort, make_user

PASSWORD = "quiet-gradient-41"
NEW = {"new_password1": PASSWORD, "new_password2": PASSWORD}


def made_for(cohort: Cohort, username: str = "ada", role: str = "learner") -> Enrolment:
    """Return a place whose account was made for it and has no password, as a list makes them."""
    user = User(username=username, email=f"{username}@example.org")
    user.set_unusable_password()
    user.save()
    return Enrolment.objects.create(cohort=cohort, user=user, role=role, made_account=True)


def ask_for_link(browser: Browser, place: Enrolment) -> int:
    return browser.post(f"/cohorts/{place.cohort.slug}/people/{place.pk}/link/").status_code


def link_of(user: User) -> str:
    (path,) = invite([user], by=None, way=Invitation.Way.COMMAND).values()
    return path


def opens(path: str) -> bool:
    """Return whether a link still leads to the form."""
    page = Browser().get(path, follow=True).content.decode()
    assert ("Set the password and sign in" in page) != ("This link no longer works" in page)
    return "Set the password and sign in" in page


def test_a_link_leads_to_a_password_and_the_sessions(desk: Browser, autumn: Cohort) -> None:
    place = made_for(autumn)
    page = desk.post(f"/cohorts/autumn/people/{place.pk}/link/")
    link = page.context["link"]
    assert link in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert link not in desk.get(f"/cohorts/autumn/people/{place.pk}/").content.decode()
    learner = Browser()

    form = learner.get(link, follow=True)
    arrived = learner.post(form.redirect_chain[-1][0], NEW, follow=True)

    assert arrived.redirect_chain[-1][0] == "/sessions/"
    assert autumn.sessions.get().title in arrived.content.decode()
    signed_in = Browser().post("/sign-in/", {"username": "ada", "password": PASSWORD})
    assert signed_in.status_code == HTTPStatus.FOUND


def test_the_page_of_a_link_keeps_it_from_others(autumn: Cohort) -> None:
    browser = Browser()
    path = link_of(made_for(autumn).user)

    first = browser.get(path)
    form = browser.get(first.headers["Location"])

    token = path.split("/")[-2]
    assert token not in first.headers["Location"]
    assert token not in form.content.decode()
    for response in (first, form):
        assert response.headers["Referrer-Policy"] == "strict-origin"
        assert "no-store" in response.headers["Cache-Control"]


def test_looking_at_a_link_uses_nothing_up(autumn: Cohort) -> None:
    user = made_for(autumn).user
    path = link_of(user)

    for _ in range(3):
        assert opens(path)
        Browser().head(path)

    user.refresh_from_db()
    assert not user.has_usable_password()


def test_a_link_is_dead_after_use(autumn: Cohort) -> None:
    path = link_of(made_for(autumn).user)
    browser = Browser()
    form = browser.get(path).headers["Location"]
    browser.post(form, NEW)

    assert not opens(path)
    other = {"new_password1": "another-one-42", "new_password2": "another-one-42"}
    again = Browser()
    again.get(path)
    again.post(form, other)
    assert User.objects.get(username="ada").check_password(PASSWORD)


@pytest.mark.parametrize(("days", "alive"), [(6.9, True), (7.1, False)])
def test_a_link_lives_for_seven_days(
    autumn: Cohort, monkeypatch: pytest.MonkeyPatch, days: float, *, alive: bool
) -> None:
    path = link_of(made_for(autumn).user)

    later = datetime.now() + timedelta(days=days)  # noqa: DTZ005 (as the generator's own clock)
    monkeypatch.setattr(SignInLinks, "_now", lambda _self: later)

    assert opens(path) is alive


def test_a_weak_password_is_refused_and_the_link_stays(autumn: Cohort) -> None:
    user = made_for(autumn).user
    path = link_of(user)
    browser = Browser()
    form = browser.get(path).headers["Location"]

    page = browser.post(form, {"new_password1": "12345", "new_password2": "12345"})

    assert "too short" in page.content.decode()
    assert opens(path)


@pytest.mark.parametrize(
    "path", ["/link/x/y/", "/link/MQ/set-password/", "/link/%F0%9F/x-y/", "/forgotten/MQ/a-b/"]
)
@pytest.mark.django_db
def test_what_is_no_link_says_so(path: str) -> None:
    assert "This link no longer works" in Browser().get(path).content.decode()
    assert Browser().post(path, NEW).status_code == HTTPStatus.OK


def test_a_link_made_for_a_learner_opens_no_instructors_account(autumn: Cohort) -> None:
    place = made_for(autumn)
    path = link_of(place.user)
    enrol(make_cohort(), place.user, role="instructor")

    assert not opens(path)


@pytest.mark.parametrize("field", ["is_superuser", "is_staff"])
def test_a_link_dies_when_its_person_is_made_an_administrator(autumn: Cohort, field: str) -> None:
    user = made_for(autumn).user
    path = link_of(user)
    User.objects.filter(pk=user.pk).update(**{field: True})

    assert not opens(path)


def test_a_link_dies_with_signing_in_and_with_closing_the_account(autumn: Cohort) -> None:
    ada, bo = made_for(autumn).user, made_for(autumn, "bo").user
    paths = link_of(ada), link_of(bo)
    User.objects.filter(pk=ada.pk).update(last_login=timezone.now())
    User.objects.filter(pk=bo.pk).update(is_active=False)

    assert [opens(path) for path in paths] == [False, False]


def test_the_making_is_written_down_for_administrators(
    desk: Browser, autumn: Cohort, instructor: User, administrator: User
) -> None:
    place = made_for(autumn)
    ask_for_link(desk, place)

    record = Invitation.objects.get()
    assert (record.user, record.made_by, record.way) == (place.user, instructor, "shown")
    listed = browser_of(administrator).get("/admin/cohorts/invitation/").content.decode()
    assert "shown on a page" in listed


def test_an_instructor_makes_none_for_accounts_that_are_not_theirs(
    desk: Browser, autumn: Cohort, instructor: User, administrator: User
) -> None:
    spring = make_cohort(slug="spring")
    both = made_for(autumn, "in-both")
    enrol(spring, both.user)
    left = made_for(autumn, "once-elsewhere")
    enrol(spring, left.user)
    Enrolment.objects.filter(user=left.user, cohort=spring).update(left_at=timezone.now())
    teaches = made_for(autumn, "teaches-elsewhere")
    enrol(spring, teaches.user, role="assistant")
    staff = made_for(autumn, "staff")
    User.objects.filter(pk=staff.user_id).update(is_staff=True)
    places = {
        "an administrator whom they enrolled": enrol(autumn, administrator),
        "an account that was there before": enrol(autumn, make_user("there-before")),
        "themselves": autumn.enrolments.get(user=instructor),
        "another instructor": made_for(autumn, "co-teacher", role="instructor"),
        "an assistant": made_for(autumn, "helper", role="assistant"),
        "a learner of another cohort": both,
        "a former learner of another cohort": left,
        "an assistant elsewhere": teaches,
        "staff": staff,
    }

    found = {who: ask_for_link(desk, place) for who, place in places.items()}

    assert found == dict.fromkeys(places, HTTPStatus.NOT_FOUND)
    assert not Invitation.objects.exists()


def test_enrolling_an_account_gives_no_power_over_it(desk: Browser, autumn: Cohort) -> None:
    professor = make_user("future-professor")
    response = desk.post("/cohorts/autumn/people/add/", {"pasted": "username\nfuture-professor"})
    look = response.headers["Location"]
    desk.post(look, {"seen": desk.get(look).context["digest"]})
    offer = professor.place_offers.get()
    browser_of(professor).post(f"/offers/{offer.pk}/", {"join": "1"})

    place = autumn.enrolments.get(user=professor)

    assert ask_for_link(desk, place) == HTTPStatus.NOT_FOUND
    saved = desk.post("/cohorts/autumn/people/links/", {"way": "file"}, follow=True)
    assert "nobody here who waits" in saved.content.decode()


def test_an_administrator_makes_one_for_anybody(
    autumn: Cohort, instructor: User, administrator: User
) -> None:
    browser = browser_of(administrator)
    place = autumn.enrolments.get(user=instructor)

    assert ask_for_link(browser, place) == HTTPStatus.OK


@pytest.mark.parametrize("role", ["assistant", "learner"])
def test_others_of_the_cohort_make_none(autumn: Cohort, role: str) -> None:
    browser = browser_of(enrol(autumn, role=role).user)

    assert ask_for_link(browser, made_for(autumn)) == HTTPStatus.NOT_FOUND
    assert browser.post("/cohorts/autumn/people/links/").status_code == HTTPStatus.NOT_FOUND


def test_links_are_saved_as_a_file_for_those_who_never_signed_in(
    desk: Browser, autumn: Cohort
) -> None:
    made_for(autumn)
    known = made_for(autumn, "bo").user
    User.objects.filter(pk=known.pk).update(last_login=timezone.now())

    response = desk.post("/cohorts/autumn/people/links/", {"way": "file"})

    assert "no-store" in response.headers["Cache-Control"]
    text = response.getvalue().decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["username"], row["email"]) == ("ada", "ada@example.org")
    assert opens(row["link"].removeprefix("http://testserver"))
    assert Invitation.objects.get().way == "file"
    assert "A link was made for 1 of them already" in desk.get("/cohorts/autumn/").content.decode()


def test_300_links_are_made_in_few_queries(
    desk: Browser, autumn: Cohort, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    users = User.objects.bulk_create(User(username=f"u{n}", password="!") for n in range(300))
    Enrolment.objects.bulk_create(
        Enrolment(cohort=autumn, user=user, made_account=True) for user in users
    )

    with django_assert_max_num_queries(15):
        response = desk.post("/cohorts/autumn/people/links/", {"way": "file"})
        text = response.getvalue().decode()

    assert text.count("/link/") == 300


def test_a_form_sent_while_someone_else_is_signed_in_says_so(desk: Browser, autumn: Cohort) -> None:
    page = desk.get(link_of(made_for(autumn).user), follow=True).content.decode()

    assert "signed in as sofia" in page


def test_the_command_prints_a_link_and_writes_it_down(
    autumn: Cohort, capsys: pytest.CaptureFixture[str]
) -> None:
    made_for(autumn)

    call_command("sign_in_link", "ada", "--origin", "https://course.example.org/")

    link = capsys.readouterr().out.strip()
    assert opens(link.removeprefix("https://course.example.org"))
    assert Invitation.objects.get().way == "command"


def test_no_line_of_the_log_holds_a_link(autumn: Cohort, caplog: pytest.LogCaptureFixture) -> None:
    path = link_of(made_for(autumn).user)
    caplog.handler.addFilter(WithoutLinks())

    with caplog.at_level(logging.DEBUG):
        Browser().put(path)
        Browser(enforce_csrf_checks=True).post(path, NEW)

    assert "Method Not Allowed" in caplog.text
    assert path.split("/")[-2] not in caplog.text
