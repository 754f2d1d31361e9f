"""A typed client made from our own description uses every operation of the running service."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.test import Client as Browser
from pytest_django.live_server_helper import LiveServer

from assessment.attempts import checking
from assessment.cohorts.tokens import issue_token
from assessment.review.releasing import withdraw
from tests.assessment.grades.conftest import Course, ask_token
from tests.factories import WRONG_SUM, enrol

PACKAGE = "firstbreak_client"
_HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the generated package in it."""
    made = tmp_path_factory.mktemp("client")
    document = made / "openapi.json"
    headers = {"Accept": "application/vnd.oai.openapi+json"}
    document.write_bytes(Browser().get("/api/schema/", headers=headers).content)
    settings = made / "settings.yml"
    settings.write_text(json.dumps({"post_hooks": []}))
    program = Path(sys.executable).with_name("openapi-python-client")
    finished = subprocess.run(
        [
            *(program, "generate", "--path", document, "--config", settings),
            *("--meta", "none", "--output-path", made / PACKAGE, "--fail-on-warning"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return made


@dataclass
class Generated:
    """The generated package, and its operations as whoever calls."""

    package: ModuleType
    url: str

    def caller(self, token: str) -> Any:  # noqa: ANN401 (generated)
        """Return a client of the service with this token."""
        return self.package.AuthenticatedClient(base_url=self.url, token=token)

    def call(self, operation: str, client: Any, *path: object, **rest: Any) -> Any:  # noqa: ANN401 (generated)
        """Call an operation (``grades.grades_list``); returns what it was read as."""
        self.called.add(operation)
        return importlib.import_module(f"{PACKAGE}.api.{operation}").sync(
            *path, client=client, **rest
        )

    @property
    def models(self) -> ModuleType:
        """The generated types."""
        return importlib.import_module(f"{PACKAGE}.models")

    def __post_init__(self) -> None:
        self.called: set[str] = set()

    def operations(self) -> set[str]:
        """Return every operation of the package."""
        folder = Path(str(self.package.__file__)).parent / "api"
        return {
            f"{each.parent.name}.{each.stem}"
            for each in folder.glob("*/*.py")
            if each.stem != "__init__"
        }


@pytest.fixture
def generated(
    folder: Path, monkeypatch: pytest.MonkeyPatch, live_server: LiveServer
) -> Iterator[Generated]:
    """Return the imported package."""
    monkeypatch.syspath_prepend(folder)
    yield Generated(importlib.import_module(PACKAGE), live_server.url)
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_the_generated_client_uses_every_operation(generated: Generated, course: Course) -> None:
    """A learner submits, an instructor reviews, an LMS follows: all by the generated client."""
    models = generated.models
    learner = generated.caller(issue_token(course.learner.user, scopes=["learn"], lifetime=_HOUR))
    instructor = generated.caller(issue_token(course.instructor, scopes=["teach"], lifetime=_HOUR))
    lms = generated.caller(str(ask_token(course.lms)["access_token"]))

    (listed,) = generated.call("sessions.sessions_list", learner)
    session = generated.call("sessions.sessions_retrieve", learner, listed.slug)
    (link,) = session.exercises
    exercise = generated.call("exercises.exercises_retrieve", learner, link.slug)
    assert [field.name for field in exercise.fields] == ["exp", "sum", "softmax", "loss"]
    assert exercise.attempts.left == 3

    typed = models.Answers.from_dict(
        {"answers": {name: parts["result"] for name, parts in WRONG_SUM.items()}}
    )
    sent = {"body": typed, "idempotency_key": "once"}
    stored = generated.call("exercises.submissions_create", learner, link.slug, **sent)
    again = generated.call("exercises.submissions_create", learner, link.slug, **sent)
    assert (stored.id, stored.state.value) == (again.id, "submitted")

    checking.check(stored.id)
    own = generated.call("submissions.submissions_retrieve", learner, stored.id)
    assert own.first_break.break_.value == "operation"
    assert own.first_break.cause == "sum_of_logits"
    assert own.points is None

    queue = generated.call(
        "submissions.submissions_list", instructor, state=models.SubmissionsListState.CHECKED
    )
    assert [row.id for row in queue.results] == [stored.id]
    assert generated.call("submissions.review_retrieve", instructor, stored.id) is None
    scoring = models.Scoring.from_dict(
        {"points": {"Traceable calculation": "4.5", "Limitation": None}, "break": "operation"}
    )
    review = generated.call(
        "submissions.review_create", instructor, stored.id, body=scoring, if_match='"0-1"'
    )
    assert (review.number, review.total) == (1, "4.5")
    late = generated.call(
        "submissions.review_create", instructor, stored.id, body=scoring, if_match='"0-1"'
    )
    assert (late.status, late.present.reviewer) == (412, course.instructor.username)
    held = generated.call("submissions.review_retrieve", instructor, stored.id)
    assert held.points.additional_properties == {"Traceable calculation": "4.5"}

    figures = generated.call("cohorts.cohort_breaks_retrieve", instructor, course.cohort.slug)
    assert figures.exercises[0].breaks.operation == 1

    grades = generated.call("grades.grades_list", lms, cohort=course.cohort.slug)
    assert (grades.results, grades.cursor) == ([], None)
    assert generated.called == generated.operations()


def test_the_generated_client_follows_the_grades(generated: Generated, course: Course) -> None:
    for _ in range(3):
        course.release("4.5", "2.5", "0.5", learner=enrol(course.cohort))
    withdraw(course.release(), course.instructor)
    lms = generated.caller(str(ask_token(course.lms)["access_token"]))

    def pull(**asked: object) -> Any:  # noqa: ANN401 (generated)
        return generated.call("grades.grades_list", lms, **asked)

    rows, page = [], pull(limit=3)
    rows += page.results
    while page.sync is None:
        page = pull(limit=3, cursor=page.cursor)
        rows += page.results

    assert [row.status.value for row in rows] == ["released"] * 3 + ["withdrawn"]
    assert [row.points for row in rows[:3]] == ["7.5"] * 3
    assert not isinstance(rows[3].points, str)
    assert rows[0].learner.lti_user_ids == []
    assert pull(cursor=page.sync).results == []


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        pytest.param({"cursor": "nonsense"}, 400, id="no cursor"),
        pytest.param({"cohort": "no-such"}, 404, id="no cohort of theirs"),
    ],
)
def test_the_generated_client_reads_a_refusal(
    generated: Generated, course: Course, asked: dict[str, str], status: int
) -> None:
    lms = generated.caller(str(ask_token(course.lms)["access_token"]))

    problem = generated.call("grades.grades_list", lms, **asked)

    assert (problem.status, problem.type_) == (status, "about:blank")
