"""The guide in a real browser: every width, light and dark, and publishing without JavaScript."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

import exercises.content
from assessment.authoring.models import Publication
from exercises.models import Session
from tests.factories import enrol, make_cohort, make_user

pytestmark = [
    pytest.mark.browser,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
]

PACKAGE = Path(exercises.content.__path__[0]) / "applied-ai-advanced-11"


@pytest.fixture
def guide(live_server: LiveServer) -> str:  # noqa: ARG001 (rows must be committed)
    """Return the address of the bundled session's guide, which Sofia teaches."""
    call_command("import_session", str(PACKAGE), verbosity=0)
    session = Session.objects.get()
    enrol(make_cohort(session), make_user("sofia"), role="instructor")
    return reverse("session-guide", args=[session.slug])


def open_guide(page: Page, guide: str) -> None:
    page.goto(guide)
    page.get_by_label("Username").fill("sofia")
    page.get_by_label("Password").fill("secret")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


def violations(page: Page) -> list[str]:
    """Return what axe finds on a page."""
    return [each["id"] for each in Axe().run(page).response["violations"]]


def test_nothing_overflows_and_axe_finds_nothing(page: Page, guide: str) -> None:
    open_guide(page, guide)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wider) == 0, width
        assert violations(page) == [], width
    page.emulate_media(color_scheme="dark")
    assert violations(page) == [], "dark"


def test_publishing_takes_two_steps_and_no_javascript(
    chromium: Browser, live_server: LiveServer, guide: str
) -> None:
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    open_guide(page, guide)

    article = page.locator("#exercise-1")
    expect(article.get_by_role("button", name="Publish it")).to_be_hidden()
    article.get_by_text("Publish the solution of exercise 1").click()
    article.get_by_role("button", name="Publish it").click()

    expect(page.get_by_text("The solution is published:")).to_be_visible()
    expect(article.get_by_text("Learners read the solution since")).to_be_visible()
    published = Publication.objects.select_related("exercise")
    assert [each.exercise.key for each in published] == ["exercise-1"]
    context.close()
