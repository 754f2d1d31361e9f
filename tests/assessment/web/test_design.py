"""The design page in a real browser: nothing for axe, nothing refused, nothing cut off."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

pytestmark = [
    pytest.mark.browser,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
]

MODES = [
    pytest.param(mode, width, id=f"{mode} {width}")
    for mode in ("light", "dark")
    for width in (320, 768, 1280)
]


@pytest.fixture
def design(
    request: pytest.FixtureRequest, chromium: Browser, live_server: LiveServer
) -> Iterator[tuple[Page, list[str]]]:
    """Return the design page in one mode and width, and what the browser complained about."""
    mode, width = request.param
    context = chromium.new_context(
        base_url=live_server.url, viewport={"width": width, "height": 900}, color_scheme=mode
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(reverse("web:design"))
    page.wait_for_load_state("networkidle")
    yield page, complaints
    context.close()


@pytest.mark.parametrize(
    "design", [pytest.param(p.values, id=str(p.id)) for p in MODES], indirect=True
)
def test_the_design_page_is_sound(design: tuple[Page, list[str]]) -> None:
    page, complaints = design

    found = Axe().run(page)
    too_wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")

    assert [violation["id"] for violation in found.response["violations"]] == []
    assert complaints == []
    assert too_wide <= 0
    assert page.locator("[style]").count() == 0
    assert page.locator("style, script:not([src])").count() == 0


@pytest.mark.parametrize("design", [pytest.param(("light", 1280), id="light 1280")], indirect=True)
def test_what_is_pressed_is_large_enough(design: tuple[Page, list[str]]) -> None:
    page, _ = design

    small = page.eval_on_selector_all(
        "main :is(button, input, select, textarea, summary, a.button)",
        """found => found.map(e => e.getBoundingClientRect()).filter(r => r.width && r.height
           && (r.width < 24 || r.height < 24)).length""",
    )

    assert small == 0


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_the_colour_choice_holds_on_the_next_page(
    chromium: Browser, live_server: LiveServer, *, script: bool
) -> None:
    context = chromium.new_context(
        base_url=live_server.url, color_scheme="light", java_script_enabled=script
    )
    page = context.new_page()
    page.goto(reverse("web:design"))

    page.locator("details.account > summary").click()
    with page.expect_response("**/theme/"):
        page.get_by_role("button", name="Dark", exact=True).click()
    page.goto(reverse("web:design"))

    assert page.locator("html").get_attribute("data-theme") == "dark"
    context.close()
