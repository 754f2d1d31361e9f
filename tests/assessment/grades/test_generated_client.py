"""A typed client made from our own description follows the grades of the running service."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from django.test import Client as Browser
from pytest_django.live_server_helper import LiveServer

from assessment.review.releasing import withdraw
from tests.assessment.grades.conftest import Course, ask_token
from tests.factories import enrol

PACKAGE = "firstbreak_client"


@pytest.fixture
def package(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    client: Browser,
    live_server: LiveServer,  # noqa: ARG001 (rows are committed)
) -> Iterator[ModuleType]:
    """Return the generated package."""
    document = tmp_path / "openapi.json"
    headers = {"Accept": "application/vnd.oai.openapi+json"}
    document.write_bytes(client.get("/api/schema/", headers=headers).content)
    settings = tmp_path / "settings.yml"
    settings.write_text(json.dumps({"post_hooks": []}))
    program = Path(sys.executable).with_name("openapi-python-client")
    made = subprocess.run(
        [
            *(program, "generate", "--path", document, "--config", settings),
            *("--meta", "none", "--output-path", tmp_path / PACKAGE, "--fail-on-warning"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module(PACKAGE)
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_the_generated_client_follows_the_grades(
    package: ModuleType, course: Course, live_server: LiveServer
) -> None:
    for _ in range(3):
        course.release("4.5", "2.5", "0.5", learner=enrol(course.cohort))
    withdraw(course.release(), course.instructor)
    grades_list = importlib.import_module(f"{PACKAGE}.api.grades.grades_list")
    token = str(ask_token(course.lms)["access_token"])
    caller = package.AuthenticatedClient(base_url=live_server.url, token=token)

    rows, page = [], grades_list.sync(client=caller, limit=3)
    rows += page.results
    while page.sync is None:
        page = grades_list.sync(client=caller, limit=3, cursor=page.cursor)
        rows += page.results

    assert [row.status.value for row in rows] == ["released"] * 3 + ["withdrawn"]
    assert [row.points for row in rows[:3]] == ["7.5"] * 3
    assert not isinstance(rows[3].points, str)
    assert rows[0].learner.lti_user_ids == []
    assert grades_list.sync(client=caller, cursor=page.sync).results == []


def test_the_generated_client_reads_a_refusal(
    package: ModuleType, course: Course, live_server: LiveServer
) -> None:
    grades_list = importlib.import_module(f"{PACKAGE}.api.grades.grades_list")
    token = str(ask_token(course.lms)["access_token"])
    caller = package.AuthenticatedClient(base_url=live_server.url, token=token)

    problem = grades_list.sync(client=caller, cursor="nonsense")

    assert (problem.status, problem.type_) == (400, "about:blank")
