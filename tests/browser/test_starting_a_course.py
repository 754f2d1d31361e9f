"""From an administrator's first sign-in to a learner's: real pages, a real browser."""

import csv
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from assessment.authoring.importing import import_package
from assessment.cohorts.models import Cohort
from exercises.documents.package import read_package
from tests.factories import make_user

CONTENT = Path(__file__).resolve().parents[2] / "exercises" / "content" / "applied-ai-advanced-11"
PEOPLE = (
    "E-mail\tFirst name\tLast name\tStudent ID\n"
    "ada@example.org\tAda\tQuist\tS-1\n"
    "bo@example.org\tBo\tFeng\tS-2\n"
    "\tNobody\tAtAll\t\n"
    "zoe@example.org\tZoé\tÓ Sé\tS-3\n"
)


def axe_finds_nothing(page: Page) -> None:
    """Look at the page as axe does."""
    page.wait_for_load_state()
    found = Axe().run(page)
    assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"


def sign_in(page: Page, username: str, password: str) -> None:
    """Sign in by the form."""
    page.goto("/sign-in/")
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


def choose_password(page: Page, link: str, password: str) -> None:
    """Open a link and choose a password on its page."""
    page.goto(link)
    axe_finds_nothing(page)
    page.get_by_label("New password", exact=True).fill(password)
    page.get_by_label("New password confirmation").fill(password)
    page.get_by_role("button", name="Set the password and sign in").click()
    expect(page.get_by_text("You are signed in.")).to_be_visible()


@pytest.mark.browser
@pytest.mark.once
def test_from_an_empty_service_to_a_learners_session(
    transactional_db: None,  # noqa: ARG001 (the server sees the rows)
    page: Page,
    browser_context: BrowserContext,
) -> None:
    import_package(read_package(CONTENT))
    make_user("root", is_staff=True, is_superuser=True)
    browser, base = browser_context.browser, page
    assert browser is not None

    link = the_administrator_makes_a_cohort_and_its_instructor(base)
    origin = link.split("/link/")[0]
    desk = browser.new_context(base_url=origin, locale="en-GB").new_page()
    learner = browser.new_context(base_url=origin, locale="en-GB").new_page()
    try:
        choose_password(desk, link, "quiet-gradient-41")
        links = the_instructor_adds_three_people(desk)
        choose_password(learner, links["ada@example.org"], "loud-gradient-42")
        the_learner_sees_the_session(learner, links["ada@example.org"])
    finally:
        desk.context.close()
        learner.context.close()


def the_administrator_makes_a_cohort_and_its_instructor(page: Page) -> str:
    """Return the instructor's link."""
    sign_in(page, "root", "secret")
    axe_finds_nothing(page)
    page.get_by_role("navigation").get_by_role("link", name="Cohorts").click()
    axe_finds_nothing(page)
    page.get_by_label("Name", exact=True).fill("Autumn group")
    page.get_by_label("Short name for addresses").fill("autumn")
    page.get_by_label("Time zone").fill("Europe/Paris")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Make the cohort").click()
    expect(page.get_by_text("Nobody is here yet")).to_be_visible()
    axe_finds_nothing(page)
    page.get_by_role("link", name="Add people").click()
    page.get_by_label("Or lines pasted").fill("username,given_name,role\npia,Pia,instructor")
    page.get_by_role("button", name="Look at it").click()
    page.get_by_label("becomes an instructor").check()
    axe_finds_nothing(page)
    page.get_by_role("button", name="Add 1 person").click()
    page.get_by_role("link", name="Pia").click()
    page.get_by_role("button", name="Make a sign-in link").click()
    axe_finds_nothing(page)
    return page.get_by_role("textbox", name="Sign-in link").input_value()


def the_instructor_adds_three_people(page: Page) -> dict[str, str]:
    """Return the links of the people, by username, as the saved file holds them."""
    page.get_by_role("link", name="Cohorts").click()
    page.get_by_role("link", name="Autumn group").click()
    page.get_by_role("link", name="Add people").click()
    axe_finds_nothing(page)
    page.get_by_label("Or lines pasted").fill(PEOPLE)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_text("3 people would be added")).to_be_visible()
    expect(page.get_by_text("The row has no username")).to_be_visible()
    axe_finds_nothing(page)
    assert Cohort.objects.get().enrolments.count() == 1
    page.get_by_role("button", name="Add 3 people").click()
    expect(page.get_by_text("3 people are added.")).to_be_visible()
    axe_finds_nothing(page)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    with page.expect_download() as saved:
        page.get_by_role("button", name="Make links and save them as a file").click()
    with saved.value.path().open(encoding="utf-8-sig", newline="") as file:
        return {row["username"]: row["link"] for row in csv.DictReader(file)}


def the_learner_sees_the_session(page: Page, link: str) -> None:
    """Open the session, then find that the link is used up."""
    axe_finds_nothing(page)
    page.get_by_role("link", name="Training at scale, from loss to checkpoint").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Training at scale, from loss to checkpoint"
    )
    assert page.goto("/cohorts/autumn/").status == 404  # type: ignore[union-attr]  # it was asked
    page.goto(link)
    expect(page.get_by_text("This link no longer works").first).to_be_visible()
    axe_finds_nothing(page)
    page.goto("/password/")
    axe_finds_nothing(page)
