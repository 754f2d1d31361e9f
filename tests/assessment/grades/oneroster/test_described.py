"""The service held against descriptions of it: our own, and the standard's where it is at hand."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from pytest_django.live_server_helper import LiveServer
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from assessment.grades.oneroster.discovery import document
from assessment.grades.oneroster.operations import GRADEBOOK_OPERATIONS, ROSTERING_OPERATIONS
from rubrics.models import Scale
from tests.assessment.grades.oneroster.conftest import BASE, ROSTER, Classroom, Lms, make_lms

# The standard's own file is not ours to ship; these tests hold without it (test_standard pins what
# it says), and run against it too where this names it.
_SHARED = Path(__file__).parents[5] / "shared" / "standards"
OFFICIAL = Path(
    os.environ.get("ONEROSTER_OPENAPI", _SHARED / "oneroster-gradebook-1.2-openapi.json")
)

_EXAMPLES = settings(
    max_examples=int(os.environ.get("DESCRIBED_EXAMPLES", "6")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
# Texts that the description leaves open (filter, sort, ids, fields) have a grammar of their own, so
# most of what fits the description is refused; and writes, which it describes, are not offered.
load_all_checks()
_EXCLUDED: list[Any] = [CHECKS.get_one("positive_data_acceptance")]


@pytest.fixture
def described(live_server: LiveServer, classroom: Classroom) -> tuple[LiveServer, Lms]:
    """Return a running service with a class, a scale of levels, and an LMS's token."""
    scale = Scale.objects.create(session=classroom.exercise.session)
    scale.levels.create(number=2, criterion="executes and explains")
    return live_server, make_lms(classroom.cohort)


def _documents() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return each description with the address of its service."""
    told = ("http://testserver", "http://testserver/oauth/token/")
    found = {
        "own gradebook": (BASE, document("Gradebook", *told, GRADEBOOK_OPERATIONS)),
        "own rostering": (ROSTER, document("Rostering", *told, ROSTERING_OPERATIONS)),
    }
    if OFFICIAL.exists():
        found["official gradebook"] = (BASE, json.loads(OFFICIAL.read_text(encoding="utf-8")))
    return found


DOCUMENTS = _documents()


def _operations(found: dict[str, Any], mode: GenerationMode) -> Iterator[tuple[str, str]]:
    """Yield path and method; only what takes more than ids of any form can be asked wrongly."""
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            takes = {parameter["in"] for parameter in operation.get("parameters", ())}
            if mode is GenerationMode.POSITIVE or "query" in takes or "requestBody" in operation:
                yield path, method


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_service_is_as_described(
    described: tuple[LiveServer, Lms], name: str, mode: GenerationMode
) -> None:
    live_server, lms = described
    base, found = DOCUMENTS[name]
    schema = schemathesis.openapi.from_dict(found)
    schema.config.update(base_url=live_server.url + base.rstrip("/"))

    for path, method in _operations(found, mode):

        @_EXAMPLES
        @given(case=schema[path][method].as_strategy(generation_mode=mode))
        def hold(case: "schemathesis.Case[Any]") -> None:
            if isinstance(case.query, dict):
                # A projection lacks members that the whole object must have.
                case.query.pop("fields", None)
            case.call_and_validate(headers=lms.headers, excluded_checks=_EXCLUDED)

        hold()
