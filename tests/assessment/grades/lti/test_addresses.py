"""Calls of platforms: which addresses, how far redirects lead, how long and large answers are."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest
import requests
from django.conf import settings

from assessment.grades.lti import addresses
from assessment.grades.lti.addresses import AddressRefusedError, PlatformSession, is_callable

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def answering(answer: Answer) -> Iterator[str]:
    """Answer every read as told, on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


def leading_to(target: str, body: bytes = b"") -> Answer:
    """Return an answer that is a redirect."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://lms.example", True),
        ("https://LMS.example:8443/a?b=c;d", True),
        ("https://[2001:db8::1]:8443/", True),
        ("https://xn--lms-yla.example/", True),
        ("http://127.0.0.1:8000/", True),
        ("http://lms.example/", False),
        ("https://lms.example;script-src *", False),
        ("https://lms.example;x/", False),
        ("https://lms.example,evil.example/", False),
        ("https://lms.example *.evil.example/", False),
        ("https://lms.example\t.evil.example/", False),
        ("https://lms.example\n/", False),
        ("https://'self'/", False),
        ("https://*/", False),
        ("https://*.example/", False),
        ("https://lms.example:x/", False),
        ("https://user@lms.example/", False),
        ("https://user:word@lms.example/", False),
        ("https://[::1", False),
        ("https://é.example/", False),
        ("https:///path", False),
        ("https://", False),
        ("javascript://lms.example/", False),
        ("", False),
    ],
)
def test_addresses_are_https_with_a_plain_host(url: str, wanted: bool) -> None:
    assert is_callable(url) is wanted


def test_outside_the_demo_nothing_is_called_without_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DEMO", False)

    assert not is_callable("http://127.0.0.1:8000/")


def test_a_name_that_leads_inside_is_left_before_a_word_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "DEMO", False)
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"https://localhost:{server.getsockname()[1]}/"

        with pytest.raises(AddressRefusedError, match=r"127\.0\.0\.1.*LTI_LOCAL_HOSTS"):
            PlatformSession().get(url)

        reached, _address = server.accept()
        with reached:
            assert reached.recv(1) == b""


def test_a_host_inside_is_called_where_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DEMO", False)
    monkeypatch.setattr(settings, "LTI_LOCAL_HOSTS", {"localhost"})
    with answering(leading_to("/")) as url, pytest.raises(requests.exceptions.SSLError):
        PlatformSession().get(url.replace("http://127.0.0.1", "https://localhost"))


@pytest.mark.parametrize(
    "target", ["http://lms.example/", "file:///etc/passwd", "https://a;b/", "http://10.0.0.1/"]
)
def test_redirects_are_held_to_the_same_rule(target: str) -> None:
    with answering(leading_to(target)) as url, pytest.raises(requests.RequestException):
        PlatformSession().get(url)


def test_redirects_end() -> None:
    with answering(leading_to("/")) as url, pytest.raises(requests.TooManyRedirects):
        PlatformSession().get(url)


def test_a_huge_answer_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "LARGEST_ANSWER", 1000)
    with (
        answering(leading_to("/", b"x" * 1001)) as url,
        pytest.raises(requests.RequestException, match="more than 1000 bytes"),
    ):
        PlatformSession().get(url)


def test_a_slow_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "LONGEST_ANSWER", 0.1)
    given_up, came_to_its_end = Event(), Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        for _ in range(1000):
            handler.wfile.write(b"x")
            if given_up.wait(0.05):
                return
        came_to_its_end.set()

    with answering(drip) as url:
        with pytest.raises(requests.RequestException, match="took more than"):
            PlatformSession().get(url)
        assert not came_to_its_end.is_set()
        given_up.set()


def test_an_answer_that_breaks_off_is_a_failure_to_reach_it() -> None:
    def break_off(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b"x")

    with answering(break_off) as url, pytest.raises(requests.RequestException, match="broke off"):
        PlatformSession().get(url)
