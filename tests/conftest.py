"""Fixtures of all tests: the database, a real broker, real workers, a real browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.core.servers.basehttp import WSGIRequestHandler
from django.db import connection
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from assessment.attempts import sending
from tests import environment
from tests.queue import Broker, Worker

_SERVICES = Path(__file__).parent / "operations"
_PATIENCE = 30.0
_DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}


def pytest_configure() -> None:
    """Hash passwords quickly, and let each answer of the live server leave at once.

    What the hash is worth is not what these tests are about; and the test server writes headers and
    body apart, so that without this every answer waits 40 ms for the acknowledgement of the first.
    Nor does a busy machine decide what comes of a test: a broker and a browser may take their time
    (tests of how long that is ask processes of their own), and hypothesis draws the same examples
    in every run, with no time limit for any; --hypothesis-profile=default draws others.
    """
    hypothesis.settings.load_profile("ci")
    expect.set_options(timeout=_PATIENCE * 1000)
    caches: dict[str, Any] = settings.CACHES
    for limits in (caches["shared"]["OPTIONS"], settings.CELERY_BROKER_TRANSPORT_OPTIONS):
        limits.update(socket_connect_timeout=_PATIENCE, socket_timeout=_PATIENCE)
    WSGIRequestHandler.disable_nagle_algorithm = True
    # Each test client makes the middleware anew, and this one would look up every static file.
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.MD5PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]


def pytest_report_header() -> str:
    """Name the database at the top of the report."""
    return f"database: {environment.DATABASE}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what starts whole services, so that no process ends long after the other.

    On PostgreSQL leave out what is the same on every database: it has run on SQLite already.
    """
    items.sort(key=lambda item: not item.path.is_relative_to(_SERVICES))
    if environment.DATABASE == "sqlite":
        return
    kept = [item for item in items if _depends_on_the_database(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def _depends_on_the_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("once"):
        return False
    names = set(getattr(item, "fixturenames", ()))
    marked = any(item.get_closest_marker(name) for name in ("django_db", "database"))
    return marked or bool(names & _DATABASE_FIXTURES)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,  # noqa: ARG001 (it names each process's own)
) -> None:
    """Keep SQLite's test database in a file, so that workers and threads share it as in service."""
    if connection.vendor == "sqlite":
        file = Path(settings.VAR_DIR) / "test.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(file)


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    """Return a running Valkey on the port that the settings name; it can be stopped and started."""
    monkeypatch.setattr(sending, "PATIENCE_SECONDS", _PATIENCE)
    broker = Broker(os.environ["REDIS_URL"])
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def worker(transactional_db: None, broker: Broker) -> Iterator[Worker]:  # noqa: ARG001 (rows must be committed)
    """Return a running ``celery worker`` on the test's own database and broker."""
    worker = Worker()
    worker.start()
    yield worker
    worker.kill()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Return Debian's Chromium; without one the test is skipped, except in CI."""
    program = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if program is None:
        reason = "no Chromium on this machine (on Debian: apt-get install chromium)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    arguments = ["--disable-dev-shm-usage"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's sandbox refuses root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def browser_context(chromium: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    """Return a fresh browser profile whose addresses start at the live server."""
    context = chromium.new_context(
        base_url=live_server.url, viewport={"width": 1280, "height": 800}, locale="en-GB"
    )
    yield context
    context.close()


@pytest.fixture
def page(browser_context: BrowserContext) -> Page:
    """Return an empty page of that profile."""
    return browser_context.new_page()
