"""The main job, from a signed-in learner to a grade in the LMS: real pages, worker and broker."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client as Browser
from playwright.sync_api import BrowserContext, Locator, Page, expect

from assessment.attempts.models import Submission
from assessment.authoring.importing import import_package
from assessment.cohorts.models import Cohort
from assessment.review.models import Grade
from exercises.documents.package import read_package
from tests.factories import (
    bearer,
    enrol,
    make_cohort,
    make_review,
    make_submission,
    make_user,
)
from tests.queue import Worker

CONTENT = Path(__file__).resolve().parents[2] / "exercises" / "content" / "applied-ai-advanced-11"
# Exact values on the changed logits [2.4, 1, 0]; none of them may reach a learner.
EXPECTED = ("14.74", "14,74", "0.747", "0.748", "0.184", "0.0678", "0.068", "0.290", "0.291")
# The sum of the logits themselves, carried on correctly.
TYPED = {
    "exp": ("z = [2.4, 1, 0]", "e^z", "[11.023; 2.718; 1]"),
    "sum": ("exp", "", "3.4"),
    "softmax": ("exp, sum", "exp / sum", "[3.242; 0.799; 0.294]"),
    "loss": ("softmax, target 0", "", "-1.176"),
}


@pytest.fixture
def cohort(transactional_db: None) -> Cohort:  # noqa: ARG001 (other processes see the rows)
    """Return a cohort of the bundled session with a learner, a neighbour and an instructor."""
    session = import_package(read_package(CONTENT)).session
    cohort = make_cohort(session, slug="autumn", name="Autumn", time_zone="Europe/Paris")
    enrol(cohort, make_user("ada", sis_id="S-1815"))
    enrol(cohort, make_user("sofia"), role="instructor")
    return cohort


def sign_in(page: Page, username: str) -> None:
    """Sign in by the form."""
    page.goto("/sign-in/")
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill("secret")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


def table_row(page: Page, header: str) -> Locator:
    """Return the rows of tables that begin with this header."""
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=header))


def axe_finds_nothing(page: Page) -> None:
    """Look at the page as axe does."""
    page.wait_for_load_state()
    found = Axe().run(page)
    assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"


def shows_no_expected_value(page: Page) -> None:
    """Search everything that was sent to the browser."""
    html = page.content()
    assert not [value for value in EXPECTED if value in html], page.url


@pytest.mark.browser
@pytest.mark.queue
def test_from_a_prediction_to_a_grade_in_the_lms(
    cohort: Cohort,
    worker: Worker,  # noqa: ARG001 (it checks)
    page: Page,
    browser_context: BrowserContext,
) -> None:
    learner_answers(page)
    instructor = browser_context.browser
    assert instructor is not None
    desk = instructor.new_context(base_url=page.url.split("/submissions")[0], locale="en-GB")
    try:
        reviewer_releases(desk.new_page())
    finally:
        desk.close()
    the_lms_gets_exactly_that_grade(cohort)
    the_learner_sees_points_and_note(page)


def learner_answers(page: Page) -> None:
    """Sign in, read, predict, fill the trace with one known mistake, submit, read the feedback."""
    sign_in(page, "ada")
    axe_finds_nothing(page)
    page.get_by_role("link", name="Sessions").first.click()
    page.get_by_role("main").get_by_role("link").first.click()
    axe_finds_nothing(page)
    page.get_by_role("link", name="Exercise 1").first.click()

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.locator("math").count() > 0, "the prompt's formulas are typeset"
    assert "2.4" not in page.content(), "the variation waits for the prediction"
    assert page.locator("input[name='exp.result']").count() == 0
    axe_finds_nothing(page)
    page.get_by_label("it falls").check()
    page.get_by_role("button", name="Continue").click()
    assert "2.4" not in page.content()
    axe_finds_nothing(page)
    page.get_by_role("button", name="Store the prediction").click()

    expect(page.get_by_text("[2.4, 1, 0]").first).to_be_visible()
    axe_finds_nothing(page)
    for step, (data, operation, result) in TYPED.items():
        page.locator(f"input[name='{step}.data']").fill(data)
        page.locator(f"input[name='{step}.operation']").fill(operation)
        page.locator(f"input[name='{step}.result']").fill(result)
        page.locator(f"textarea[name='{step}.interpretation']").fill("It follows from above.")
    for name in ("data", "interpretation", "check", "limitation"):
        page.locator(f"textarea[name='{name}']").fill("Three logits, one target; a toy case.")
    shows_no_expected_value(page)
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/submissions/**")

    page.evaluate("window.sameDocument = true")
    first = page.get_by_role("heading", name="The chain first breaks at: Sum of the exponentials")
    expect(first).to_be_visible()
    assert page.evaluate("window.sameDocument"), "the feedback came without a reload"
    expect(page.get_by_text("the logits were summed, not their exponentials").first).to_be_visible()
    expect(table_row(page, "Softmax")).to_contain_text("Carried forward")
    shows_no_expected_value(page)
    axe_finds_nothing(page)


def reviewer_releases(page: Page) -> None:
    """Open the submission, score it, tag its break, release it."""
    sign_in(page, "sofia")
    page.get_by_role("link", name="Review").click()
    axe_finds_nothing(page)
    page.get_by_role("link", name="ada").click()
    expect(page.get_by_text("a suggestion; it counts once you tag it")).to_be_visible()
    expect(table_row(page, "Sum of the exponentials").last).to_contain_text("14.7415")
    axe_finds_nothing(page)
    page.get_by_role("button", name="Fill in the proposed points").click()
    assert Grade.objects.count() == 0
    fields = page.locator("input[name^='points-']")
    for number in range(fields.count()):
        if not fields.nth(number).input_value():
            fields.nth(number).fill("0,5")
    page.get_by_role("heading", name="Scoring").click()
    page.keyboard.press("3")
    expect(page.get_by_label("3 · Operation")).to_be_checked()
    page.locator("input[name='level'][value='2']").check()
    page.get_by_label("Note").fill("Add the exponentials, not the logits.")
    page.get_by_role("button", name="Save the review").click()
    expect(page.get_by_text("Saved as version 1.")).to_be_visible()
    axe_finds_nothing(page)
    page.get_by_role("link", name="Release the grade…").click()
    axe_finds_nothing(page)
    page.get_by_role("button", name="Release the grade").click()
    expect(page.get_by_text("The grade is released.")).to_be_visible()
    axe_finds_nothing(page)
    page.get_by_role("link", name="Breaks").click()
    expect(page.get_by_text("Tagged 1, not yet tagged 0, n = 1.").first).to_be_visible()
    axe_finds_nothing(page)
    page.locator("svg a").nth(2).click()
    expect(table_row(page, "ada")).to_be_visible()
    page.goto("/lms/clients/")
    axe_finds_nothing(page)


def the_lms_gets_exactly_that_grade(cohort: Cohort) -> None:
    """Read the list with a token, beside a reviewed grade that nobody has released."""
    submission = Submission.objects.get()
    instructor = cohort.enrolments.instructors().get().user
    neighbour = make_submission(enrol(cohort), submission.exercise)
    make_review(neighbour, instructor)

    answer = Browser().get("/api/v1/grades/", headers=bearer(instructor, "grades:read"))

    (row,) = answer.json()["results"]
    grade = Grade.objects.get()
    assert row["id"] == str(grade.pk)
    assert row["learner"]["username"] == "ada"
    assert row["points"] == f"{grade.points.normalize():f}"
    assert row["maximum"] == "10"
    assert row["level"] == 2


def the_learner_sees_points_and_note(page: Page) -> None:
    """Come back to the submission after the release."""
    page.reload()
    expect(page.get_by_text("Add the exponentials, not the logits.")).to_be_visible()
    shows_no_expected_value(page)
    axe_finds_nothing(page)
