"""A minute of releases by several processes, and a client that pulls meanwhile over a socket."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Event
from urllib.parse import urlencode

import psycopg
import pytest

from tests.benchmarks.web import Caller, Web, production
from tests.operations.service import ROOT
from tests.postgres import Postgres
from tests.queue import Broker

pytestmark = pytest.mark.soak

SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))
WRITERS = 4
PER_SECOND = 80
LEARNERS = 300
BETWEEN_PULLS = 0.02
URL = "/api/v1/grades/"
ONEROSTER = "/ims/oneroster/gradebook/v1p2/results"


@pytest.fixture
def service(tmp_path: Path, broker: Broker) -> Iterator[dict[str, str]]:
    """Return the environment of a service on a PostgreSQL of its own."""
    server = Postgres()
    server.start()
    broker.wipe()
    yield production(tmp_path, DATABASE_URL=server.url)
    server.stop()


def in_a_process(environment: dict[str, str], call: str) -> "subprocess.Popen[str]":
    """Call a function of ``changing`` in a process of its own."""
    code = f"from tests.assessment.grades import changing; changing.{call}"
    return subprocess.Popen(
        [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )


def said_by(process: "subprocess.Popen[str]") -> object:
    """Return what a process printed last, once it has ended well."""
    said, _nothing = process.communicate(timeout=SECONDS + 120)
    assert process.returncode == 0
    return json.loads(said.splitlines()[-1])


def caller(port: int, client_id: object) -> Caller:
    """Return a caller with a token of the LMS."""
    form = {
        "grant_type": "client_credentials",
        "client_id": client_id,
        "client_secret": "client-secret",
    }
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = Caller(port, kind).call("POST", "/oauth/token/", urlencode(form).encode())
    return Caller(port, {"Authorization": f"Bearer {json.loads(answer.body)['access_token']}"})


class Mirror:
    """An LMS's copy of the grades, kept by cursors and sync tokens alone."""

    def __init__(self, port: int, client_id: object, limit: int = 40) -> None:
        self.rows: dict[str, tuple[str, str | None, str]] = {}
        # How often each state of each grade came.
        self.told: Counter[tuple[str, str]] = Counter()
        self.pulls = 0
        self._sync = ""
        self._limit = limit
        self._caller = caller(port, client_id)

    def pull(self) -> None:
        """Follow the cursors to the last page and keep its token."""
        cursor = self._sync
        while True:
            query = {"limit": self._limit} | ({"cursor": cursor} if cursor else {})
            answer = self._caller.get(f"{URL}?{urlencode(query)}")
            assert answer.status == 200, answer.body
            page = json.loads(answer.body)
            for row in page["results"]:
                self.rows[row["id"]] = (row["status"], row.get("points"), row["updated_at"])
                self.told[row["id"], row["updated_at"]] += 1
            if page["sync"]:
                self._sync = page["sync"]
                self.pulls += 1
                return
            cursor = page["cursor"]


class Follower:
    """An LMS's copy of the results, kept by OneRoster's pages and the latest date it was shown."""

    def __init__(self, port: int, client_id: object, limit: int = 40) -> None:
        self.rows: dict[str, dict[str, object]] = {}
        self.pulls = 0
        self._since = "1970-01-01T00:00:00Z"
        self._limit = limit
        self._caller = caller(port, client_id)

    def pull(self) -> None:
        """Read all pages of what changed since the latest date of the pulls before."""
        query = {"limit": self._limit, "filter": f"dateLastModified>'{self._since}'"}
        for offset in count(step=self._limit):
            answer = self._caller.get(f"{ONEROSTER}?{urlencode(query | {'offset': offset})}")
            assert answer.status == 200, answer.body
            page = json.loads(answer.body)["results"]
            for row in page:
                self._since = max(self._since, row.pop("dateLastModified"))
                self.rows[row["sourcedId"]] = row
            if len(page) < self._limit:
                self.pulls += 1
                return

    def follow(self, ended: Event) -> None:
        """Pull again and again, and once more in the end."""
        while not ended.wait(BETWEEN_PULLS):
            self.pull()
        self.pull()


def kept(address: str) -> dict[str, tuple[str, str | None]]:
    """Return what the database itself holds."""
    with psycopg.connect(address) as connection:
        rows = connection.execute(
            "SELECT id::text, status, trim_scale(points)::text FROM review_grade"
        ).fetchall()
    return {pk: (status, points if status == "released" else None) for pk, status, points in rows}


def test_a_client_that_follows_for_a_minute_holds_what_the_database_holds(
    service: dict[str, str], tmp_path: Path
) -> None:
    client_id = said_by(in_a_process(service, f"prepare({LEARNERS})"))
    ended = Event()
    with Web(service, tmp_path) as web, ThreadPoolExecutor(1) as pool:
        mirror, follower = Mirror(web.port, client_id), Follower(web.port, client_id)
        following = pool.submit(follower.follow, ended)
        until, pause = time.time() + SECONDS, WRITERS / PER_SECOND
        writers = [
            in_a_process(service, f"change({seed}, {until}, {pause})") for seed in range(WRITERS)
        ]
        try:
            while any(writer.poll() is None for writer in writers):
                mirror.pull()
                time.sleep(BETWEEN_PULLS)
        finally:
            ended.set()
        changes: Counter[str] = Counter()
        for writer in writers:
            changes.update(said_by(writer))  # type: ignore[call-overload]  # JSON: a dictionary of counts
        mirror.pull()
        following.result()
        afresh = Mirror(web.port, client_id, limit=1000)
        afresh.pull()
        whole = Follower(web.port, client_id, limit=1000)
        whole.pull()
        log = web.said()

    pulls = f"{mirror.pulls} pulls, {follower.pulls} by OneRoster"
    print(dict(changes), pulls, f"{sum(mirror.told.values())} rows")  # noqa: T201 (how hard it was)
    assert changes["released"] + changes["withdrawn"] > 10 * SECONDS, "too few to prove anything"
    assert {pk: row[:2] for pk, row in mirror.rows.items()} == kept(service["DATABASE_URL"])
    assert mirror.rows == afresh.rows
    assert follower.rows == whole.rows
    assert set(mirror.told.values()) == {1}, "nothing came twice that had not changed"
    assert "Traceback" not in log
