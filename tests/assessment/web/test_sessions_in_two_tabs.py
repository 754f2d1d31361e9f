"""Signing in again in another tab does not lose the work in the first."""

from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
]

SignIn = Callable[[str], None]


@pytest.fixture
def sign_in(browser_context: BrowserContext, transactional_db: None) -> SignIn:  # noqa: ARG001 (rows must be committed)
    """Return a way to sign in, in another tab, as somebody who exists from then on."""

    def as_(name: str) -> None:
        people = get_user_model().objects
        if not people.filter(username=name).exists():
            people.create_user(username=name, password="a long enough phrase")
        tab = browser_context.new_page()
        tab.goto(reverse("sign-in"))
        tab.get_by_label("Username").fill(name)
        tab.get_by_label("Password").fill("a long enough phrase")
        tab.locator("main").get_by_role("button", name="Sign in").click()
        tab.wait_for_url(lambda url: "sign-in" not in url)
        tab.close()

    return as_


def sign_out(tab: Page) -> None:
    tab.locator("details.account > summary").click()
    tab.get_by_role("button", name="Sign out").click()


def test_the_same_person_goes_on(page: Page, sign_in: SignIn) -> None:
    sign_in("ada")
    page.goto(reverse("web:design"))
    page.context.clear_cookies()
    sign_in("ada")

    sign_out(page)

    page.wait_for_url("**" + reverse("sign-in"))


def test_another_person_is_stopped_and_told(page: Page, sign_in: SignIn) -> None:
    sign_in("ada")
    page.goto(reverse("web:design"))
    page.get_by_label("What does the value say?").first.fill("Half an hour of thought")
    page.context.clear_cookies()
    sign_in("grace")

    sign_out(page)

    page.get_by_role("alert").filter(has_text="another account").wait_for()
    kept = page.get_by_label("What does the value say?").first
    assert kept.input_value() == "Half an hour of thought"
    assert page.url.endswith(reverse("web:design"))


def test_nobody_is_told_who_somebody_else_is(client: Client) -> None:
    ada = get_user_model().objects.create_user(username="ada")

    assert client.get(reverse("web:signed-in-as")).json() == {"user": ""}
    client.force_login(ada)
    answer = client.get(reverse("web:signed-in-as"))

    assert answer.json() == {"user": str(ada.pk)}
    assert "no-store" in answer["Cache-Control"]


def test_going_back_after_signing_out_shows_nothing(page: Page, sign_in: SignIn) -> None:
    sign_in("ada")
    page.goto(reverse("sessions"))
    kept = "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
    page.evaluate(kept)
    expect(page.locator("body")).to_be_visible()
    page.context.clear_cookies()

    page.evaluate(kept)

    page.wait_for_url(f"**{reverse('sign-in')}?next=**")
