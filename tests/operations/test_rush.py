"""Three hundred learners submit within a minute, and an instructor looks on."""

import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.operations.rush import SLUG, Learner, Person, Seen
from tests.operations.service import Service, run_command
from tests.ports import free_port
from tests.postgres import Postgres

pytestmark = pytest.mark.soak

LEARNERS = 300
MINUTE = float(os.environ.get("RUSH_SECONDS", "60"))
PATIENCE = 60.0
INSTRUCTOR_PAGES = {
    "instructor: queue": "/review/",
    "instructor: breaks": f"/breaks/{SLUG}/",
    "instructor: release": f"/review/release/{SLUG}/",
}


@pytest.fixture(params=["sqlite", "postgresql"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Service, Any]]:
    """Return a running service on that database, and the class that is signed in."""
    server = Postgres() if request.param == "postgresql" else None
    if server:
        server.start()
    database = {"DATABASE_URL": server.url} if server else {}
    data = tmp_path / "var"
    served = Service(data, free_port(), **database)
    try:
        served.wait_until_it_answers()
        code = f"from tests.operations.rush import enrol; enrol({LEARNERS})"
        made = run_command("shell", "-v", "0", "-c", code, data=data, DEMO="1", **database)
        assert made.returncode == 0, made.stderr
        yield served, json.loads(made.stdout.splitlines()[-1])
    finally:
        served.end(signal.SIGTERM)
        if server:
            server.stop()


def test_a_class_submits_within_a_minute(
    service: tuple[Service, Any], request: pytest.FixtureRequest
) -> None:
    served, told = service
    seen, over = Seen(), threading.Event()

    def look_on() -> None:
        instructor = Person(served.port, told["instructor"], seen)
        while not over.is_set():
            for kind, path in INSTRUCTOR_PAGES.items():
                instructor.open(kind, path)
            over.wait(1)

    def learn(number: int, session: str, wait: float) -> None:
        time.sleep(wait)
        learner = Learner(served.port, session, seen, number=number)
        try:
            learner.work(told["exercise"], patience=PATIENCE)
        except OSError as error:
            seen.fail(f"learner {number}: {error!r}")

    chance = random.Random(300)
    onlooker = threading.Thread(target=look_on)
    onlooker.start()
    learners = [
        threading.Thread(target=learn, args=(number, session, chance.uniform(0, MINUTE)))
        for number, session in enumerate(told["learners"])
    ]
    began = time.monotonic()
    for learner in learners:
        learner.start()
    for learner in learners:
        learner.join()
    lasted = time.monotonic() - began
    over.set()
    onlooker.join()

    head = f"\n{request.node.callspec.id}: {LEARNERS} learners, all done after {lasted:.0f} s\n"
    columns = f"{'':<28}{'count':>7}{'p50':>9}{'p95':>9}{'longest':>9}\n"
    sys.stdout.write(head + columns + "\n".join(seen.table()) + "\n")
    logs = served.logs()
    assert seen.failures == [], logs
    assert seen.checked == LEARNERS
    assert "locked" not in logs
    assert "Traceback" not in logs, logs
    assert seen.percentile("submit", 0.95) < 5
    assert seen.percentile("from submit to feedback", 0.95) < 15
