"""The instructor's pages of grades in a real browser: deadlines, points, gradebooks, ids."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.assessment.grades.conftest import Course
from tests.factories import enrol, make_submission, make_user

pytestmark = [
    pytest.mark.browser,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
]

PHONE, DESKTOP = 320, 1280


@pytest.fixture
def scriptless(chromium: Browser, live_server: LiveServer) -> Iterator[Page]:
    """Return an empty page that runs no script of the service."""
    context = chromium.new_context(
        base_url=live_server.url, java_script_enabled=False, locale="en-GB"
    )
    yield context.new_page()
    context.close()


def sign_in(page: Page, course: Course, where: str) -> None:
    """Sign in as the instructor and go to a page of the cohort."""
    page.goto(f"/files/{course.cohort.slug}/{where}")
    page.get_by_label("Username").fill(course.instructor.username)
    page.get_by_label("Password").fill("secret")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


def is_sound(page: Page) -> None:
    """See whether the page overflows on a desk and a phone, and look at it as axe does."""
    page.wait_for_load_state()
    for width in (DESKTOP, PHONE):
        page.set_viewport_size({"width": width, "height": 900})
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, f"{page.url} is {over} px wider than {width}"
    found = Axe().run(page)
    assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"


def test_deadlines_are_set_and_learners_excused_without_a_script(
    scriptless: Page, course: Course
) -> None:
    page = scriptless
    sign_in(page, course, "deadlines/")
    page.get_by_role("link", name="Trace the loss").click()
    page.get_by_label("Given").fill("2026-12-01T09:00")
    page.get_by_label("Due").fill("2026-12-03T23:59")
    page.get_by_role("button", name="Save the dates").click()
    expect(page.get_by_text("Given 1 December 2026, 09:00 UTC, due").first).to_be_visible()

    page.get_by_label("Learner").select_option(label="ada (ada)")
    page.get_by_label("Reason").fill("Ill")
    page.get_by_role("button", name="Excuse the learner").click()
    page.get_by_role("button", name="No longer excuse ada").click()

    expect(page.get_by_text("Nobody is excused.")).to_be_visible()
    expect(page.get_by_text("ada is no longer excused").last).to_be_visible()


def test_the_pages_of_deadlines_are_sound(page: Page, course: Course) -> None:
    sign_in(page, course, "deadlines/")
    is_sound(page)
    page.get_by_role("link", name="Trace the loss").click()
    page.get_by_label("Due").fill("2020-12-03T23:59")
    page.get_by_role("button", name="Save the dates").click()
    expect(page.get_by_text("due after it was given").first).to_be_visible()
    is_sound(page)


def test_points_are_handed_in_looked_at_saved_and_taken_back(
    page: Page, course: Course, tmp_path: Path
) -> None:
    make_submission(course.learner, course.exercise)
    sign_in(page, course, "")
    is_sound(page)
    with page.expect_download() as saved:
        page.get_by_role("link", name="semicolons (points)").click()
    sheet = tmp_path / "points.csv"
    text = Path(saved.value.path()).read_text(encoding="utf-8-sig")
    sheet.write_text(text.replace(";;5;", ";4,5;5;") + ";grace;;;;x;1;;Limitation;1;;0\n")

    page.get_by_label("Points (CSV)").set_input_files(sheet)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_text("Traceable calculation: – → 4.5")).to_be_visible()
    expect(page.get_by_text("Nobody here has username grace.")).to_be_visible()
    is_sound(page)
    page.get_by_role("button", name="Save 1 review").click()
    expect(page.get_by_text("1 review saved.")).to_be_visible()
    is_sound(page)
    page.get_by_role("button", name="Take the points back").click()

    expect(page.get_by_text("1 attempt has its former points again.")).to_be_visible()
    is_sound(page)


def test_a_report_of_gradebooks_shows_what_is_asked_for(
    page: Page, course: Course, tmp_path: Path
) -> None:
    for name in ("bea", "cleo"):
        course.release("1", "0", "0", learner=enrol(course.cohort, make_user(name)))
    course.release("5", "2.5", "0")
    gradebook = tmp_path / "canvas.csv"
    gradebook.write_text(
        "Student,SIS Login ID,Trace the loss (12)\n    Points Possible,,10\n"
        "Ada,ada,7.5\nBea,bea,2\nGrace,grace,3\n"
    )
    sign_in(page, course, "reconcile/")
    is_sound(page)
    page.get_by_label("gradebook (CSV)").set_input_files(gradebook)
    page.get_by_role("button", name="Compare").click()

    rows = page.locator("tbody tr:visible")
    expect(page.get_by_text("The gradebooks do not agree: of 3 grades")).to_be_visible()
    expect(rows).to_have_count(4)
    is_sound(page)
    page.get_by_label("only here (1)").check()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("cleo")


def test_the_pages_of_ids_are_sound(page: Page, course: Course) -> None:
    enrol(course.cohort, make_user("bea", sis_id="S-2"))
    sign_in(page, course, "people/")
    is_sound(page)
    page.get_by_role("link", name="bea").click()
    page.get_by_label("Number of the school").fill("S-1815")
    page.get_by_role("button", name="Save the number").click()

    expect(page.get_by_text("ada has this number").first).to_be_visible()
    is_sound(page)
