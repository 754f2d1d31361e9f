"""A learner's whole way through an exercise, in a real browser, on a real worker."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.management import call_command
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

import exercises.content
from assessment.attempts.models import Submission
from assessment.cohorts.models import Enrolment
from exercises.models import Session
from tests.factories import enrol, make_cohort, make_user
from tests.waiting import eventually

pytestmark = [
    pytest.mark.browser,
    pytest.mark.once,
    pytest.mark.queue,
    pytest.mark.usefixtures("worker"),
    pytest.mark.django_db(transaction=True),
]

PACKAGE = Path(exercises.content.__path__[0]) / "applied-ai-advanced-11"
# The right chain of the variation, with a slip in the last line.
TYPED = {
    "exp": "[11.023; 2.718; 1]",
    "sum": "14,741",
    "softmax": "0.7478 0.1844 0.0678",
    "loss": "0.126",
}


@pytest.fixture
def ada(live_server: LiveServer) -> Enrolment:  # noqa: ARG001 (rows must be committed)
    call_command("import_session", str(PACKAGE), verbosity=0)
    return enrol(make_cohort(Session.objects.get()), make_user("ada"))


def sign_in(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill("secret")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


def open_exercise(page: Page) -> None:
    page.get_by_role("link", name=re.compile("Exercise 1")).click()


def predict(page: Page) -> None:
    page.get_by_label("it falls").check()
    page.get_by_label("Value").fill("0.3")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Store the prediction").click()


def fill(page: Page) -> None:
    for name, text in TYPED.items():
        page.locator(f"[name='{name}.result']").fill(text)
    page.locator("[name='exp.data']").fill("z = [2.4, 1, 0]")
    page.locator("[name='exp.operation']").fill("e^z")
    page.locator("[name='exp.interpretation']").fill("one for each class")
    page.get_by_label("Data and shapes").fill("three logits, (V)")
    page.get_by_label("Two sentences").fill("The loss falls.")
    page.get_by_label("One check").fill("the shares add up to 1")
    page.get_by_label("One limitation").fill("one position only")


def faults_of(page: Page) -> list[str]:
    page.wait_for_load_state()
    found = Axe().run(page)
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found.response["violations"]]


def test_from_the_prompt_to_the_first_break(page: Page, ada: Enrolment) -> None:
    sign_in(page)
    assert faults_of(page) == []
    open_exercise(page)
    assert faults_of(page) == []
    expect(page.locator("main math").first).to_be_visible()
    expect(page.get_by_text("2.4")).to_have_count(0)

    predict(page)
    expect(page.get_by_text("[2.4, 1, 0]")).to_be_visible()
    page.locator("[name='sum.result']").press_sequentially("14,741")
    expect(page.locator("#read-sum")).to_contain_text("can mean")
    page.locator("[name='sum.result']").fill("14.741")
    expect(page.locator("#read-sum")).to_contain_text("read as 14.741")
    expect(page.locator("#saved")).to_contain_text("Draft saved")

    fill(page)
    page.locator("[name='sum.result']").fill("14.741")
    assert faults_of(page) == []
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page).to_have_url(re.compile("/submissions/"))
    expect(page.locator(".first-break")).to_contain_text("Cross-entropy")
    expect(page.locator("#announcer")).to_have_text(re.compile("The chain first breaks at"))
    expect(page.get_by_text("0.291")).to_have_count(0)
    expect(page.locator("#history")).to_contain_text("Checked")
    assert faults_of(page) == []
    assert Submission.objects.get().enrolment == ada


@pytest.mark.usefixtures("ada")
def test_without_javascript(chromium: Browser, live_server: LiveServer) -> None:
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    sign_in(page)
    open_exercise(page)
    predict(page)
    page.locator("[name='loss.result']").fill("0.291")
    page.get_by_role("button", name="Save as a draft").click()
    expect(page.get_by_text("Draft saved.")).to_be_visible()
    expect(page.locator("[name='loss.result']")).to_have_value("0.291")

    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("your answer shows no")).to_be_visible()
    page.get_by_role("button", name="Submit it as it is").click()

    def is_checked_when_looked_at_again() -> bool:
        if not page.locator(".first-break").count():
            page.get_by_role("link", name="Look again now").click()
        return bool(page.locator(".first-break").count())

    assert eventually(is_checked_when_looked_at_again)
    expect(page.locator(".first-break")).to_contain_text("Exponentials")
    context.close()


@pytest.mark.usefixtures("ada")
def test_a_double_click_submits_once(page: Page) -> None:
    sign_in(page)
    open_exercise(page)
    predict(page)
    fill(page)

    page.get_by_role("button", name="Submit", exact=True).dblclick()

    expect(page).to_have_url(re.compile("/submissions/"))
    assert Submission.objects.count() == 1


@pytest.mark.usefixtures("ada")
def test_the_keyboard_alone_is_enough(page: Page) -> None:
    sign_in(page)
    open_exercise(page)
    page.get_by_label("it falls").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Continue").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Store the prediction").focus()
    page.keyboard.press("Enter")

    page.locator("[name='exp.data']").focus()
    page.keyboard.type("z")
    for _step in range(2):
        page.keyboard.press("Tab")
    page.keyboard.type("[11.023; 2.718; 1]")

    expect(page.locator("[name='exp.result']")).to_have_value("[11.023; 2.718; 1]")
    expect(page.locator("#read-exp")).to_contain_text("read as")
