"""Inside an LMS's page, in a real browser: cookies are tried before anything is typed."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.grades.lti.frames import SESSION_KEY, follow_launches
from assessment.grades.models import Platform


class Framing(BaseHTTPRequestHandler):
    """An LMS's page that shows the tool in a frame, and its authentication page."""

    tool = ""

    def do_GET(self) -> None:
        """Answer with the frame, or with what the tool's redirect leads to."""
        body = f'<iframe src="{self.tool}" width="600" height="400"></iframe>'
        if self.path.startswith("/auth"):
            body = "<p>the LMS asks who you are</p>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def lms_page(live_server: LiveServer) -> Iterator[str]:
    """Return the address of an LMS on another site that frames the tool's login."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Framing)
    origin = f"http://127.0.0.1:{server.server_address[1]}"
    Framing.tool = f"{live_server.url}/lti/login/?iss={origin}&login_hint=x&client_id=c"
    Platform.objects.create(
        name="LMS",
        issuer=origin,
        client_id="c",
        auth_login_url=f"{origin}/auth",
        auth_token_url=f"{origin}/token",
        key_set_url=f"{origin}/jwks",
    )
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"{origin}/"
    server.shutdown()
    server.server_close()


@pytest.mark.browser
@pytest.mark.once
def test_where_cookies_are_blocked_the_way_on_is_a_window_of_its_own(
    page: Page, lms_page: str, live_server: LiveServer
) -> None:
    page.goto(lms_page)
    framed = page.frame_locator("iframe")

    link = framed.get_by_role("link", name="Open in a window of its own")
    expect(link).to_be_visible()
    with page.expect_popup() as opened:
        link.click()

    expect(opened.value.get_by_text("the LMS asks who you are")).to_be_visible()
    cookies = page.context.cookies(live_server.url)
    assert any("state-" in str(cookie.get("name")) for cookie in cookies)


@pytest.mark.browser
@pytest.mark.once
@pytest.mark.usefixtures("lms_page")
def test_outside_a_frame_the_launch_goes_straight_on(page: Page) -> None:
    page.goto(Framing.tool)

    expect(page.get_by_text("the LMS asks who you are")).to_be_visible()


def _page(session: dict[str, list[str]]) -> HttpResponse:
    request = HttpRequest()
    request.session = session  # type: ignore[assignment]  # a mapping is all that is read
    return follow_launches(lambda _request: HttpResponse())(request)


def test_pages_of_a_launched_session_are_framed_only_where_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(MiddlewareNotUsed):
        follow_launches(lambda _request: HttpResponse())
    monkeypatch.setattr(settings, "LTI_IN_FRAMES", True)

    launched, other = (
        _page({SESSION_KEY: ["https://lms.example", "https://sso.example"]}),
        _page({}),
    )

    sources = {"frame-ancestors": ["'self'", "https://lms.example", "https://sso.example"]}
    assert getattr(launched, "_csp_replace", None) == sources
    assert not hasattr(other, "_csp_replace")
