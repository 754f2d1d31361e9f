"""The service held against descriptions of it: our own, and the standard's where it is at hand.

Every check of schemathesis, in every phase; see ``tests.described``.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer
from schemathesis import Case

from assessment.grades.oneroster.discovery import document
from assessment.grades.oneroster.operations import (
    GRADEBOOK_OPERATIONS,
    ROSTERING_OPERATIONS,
    Operation,
)
from rubrics.models import Scale
from tests.assessment.grades.oneroster.conftest import BASE, ROSTER, Classroom, Lms, make_lms
from tests.described import ALL_CHECKS, PHASES, Run, run, with_values

# The standard's own file is not ours to ship; these tests hold without it (test_standard pins what
# it says), and run against it too where this names it.
_SHARED = Path(__file__).parents[5] / "shared" / "standards"
OFFICIAL = Path(
    os.environ.get("ONEROSTER_OPENAPI", _SHARED / "oneroster-gradebook-1.2-openapi.json")
)
_NOWHERE = "00000000-0000-4000-8000-000000000000"
# The collections whose objects an id of the address names, in both services' spellings.
_NAMED = {
    "class_id": "classes",
    "classSourcedId": "classes",
    "line_item_id": "lineItems",
    "lineItemSourcedId": "lineItems",
    "student_id": "students",
    "studentSourcedId": "students",
    "school_id": "schools",
    "schoolSourcedId": "schools",
    "academicSessionSourcedId": "terms",
    "term_id": "terms",
}

_ADDRESSES = {
    "assessmentLineItems": f"{BASE}assessmentLineItems",
    "assessmentResults": f"{BASE}assessmentResults",
    "categories": f"{BASE}categories",
    "lineItems": f"{BASE}lineItems",
    "results": f"{BASE}results",
    "scoreScales": f"{BASE}scoreScales",
} | {
    operation.path: f"{ROSTER}{operation.path}"
    for operation in ROSTERING_OPERATIONS
    if "/" not in operation.path
}


@pytest.fixture
def lms(live_server: LiveServer, classroom: Classroom) -> Lms:  # noqa: ARG001 (rows are committed)
    """Return an LMS of a class that has a scale of levels."""
    scale = Scale.objects.create(session=classroom.exercise.session)
    scale.levels.create(number=2, criterion="executes and explains")
    return make_lms(classroom.cohort)


def described(title: str, operations: Sequence[Operation]) -> dict[str, Any]:
    """Return our own description."""
    return document(title, "http://testserver", "http://testserver/oauth/token/", operations)


def existing(lms: Lms, paths: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    """Return an id that there is and one that there is not, by address and parameter."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in paths:
        for name in re.findall(r"{(\w+)}", path):
            collection = _NAMED.get(name, path.split("/")[1])
            (rows,) = lms.get(_ADDRESSES[collection]).json().values()
            found[path, name] = [rows[0]["sourcedId"], _NOWHERE]
    return found


def whole_objects(_context: object, case: "Case[Any]", _kwargs: object) -> None:
    """Ask for whole objects: a projection lacks members that its schema requires.

    What projections return is asserted below; a selection that does not fit is sent as it is.
    """
    query: Any = case.query
    if isinstance(query, dict) and _fits(query.get("fields")):
        del query["fields"]


def _fits(selection: object) -> bool:
    return isinstance(selection, list) and all(
        isinstance(name, str) and set(name.split(",")) <= _MEMBERS for name in selection
    )


def hold(
    live_server: LiveServer,
    lms: Lms,
    base: str,
    found: dict[str, Any],
    *,
    excused: str = "(?!)",
    **settings: Any,
) -> Run:
    """Run everything; nothing may fail but what is excused, and nothing may be left out."""
    seen = run(
        with_values(found, existing(lms, found["paths"])),
        base_url=live_server.url + base.rstrip("/"),
        headers=lms.headers,
        before_call=whole_objects,
        **settings,
    )
    failures = [each for each in seen.failures if not re.match(excused, each)]
    assert failures == [], "\n\n".join(failures[:10])
    assert len(seen.statuses) == sum(len(item) for item in found["paths"].values())
    assert seen.phases >= PHASES
    assert seen.checks == ALL_CHECKS
    return seen


OWN = {
    "gradebook": (BASE, described("Gradebook", GRADEBOOK_OPERATIONS)),
    "rostering": (ROSTER, described("Rostering", ROSTERING_OPERATIONS)),
}
_MEMBERS = {
    name for each in (*GRADEBOOK_OPERATIONS, *ROSTERING_OPERATIONS) for name in each.kind.members
}
# What our own description lets through is answered, or names an object that is not there.
_ANSWERED = {"positive_data_acceptance": {"expected-statuses": ["200", "404"]}}
# A few operations stand for those that run the same code, where every value of every parameter is
# tried one by one; the soak tries all of them.
_TRIED = "getAllResults getLineItem getResultsForClass putResult getAllUsers getClassesForUser"


def skimmed(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the settings that leave all other operations to the other three phases."""
    names = [each["operationId"] for item in found["paths"].values() for each in item.values()]
    return [
        {"include-operation-id": name, "phases": {"coverage": {"enabled": False}}}
        for name in names
        if name not in _TRIED.split()
    ]


@pytest.mark.parametrize("name", ["gradebook", pytest.param("rostering", marks=pytest.mark.once)])
def test_the_service_is_as_it_describes_itself(
    live_server: LiveServer, lms: Lms, name: str
) -> None:
    base, found = OWN[name]

    seen = hold(
        live_server, lms, base, found, checks=_ANSWERED, operations=skimmed(found), examples=1
    )

    assert seen.without(200) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", OWN)
def test_the_service_is_as_it_describes_itself_in_every_value(
    live_server: LiveServer, lms: Lms, name: str
) -> None:
    base, found = OWN[name]

    seen = hold(live_server, lms, base, found, checks=_ANSWERED, operations=[], examples=30)

    assert seen.without(200) == []


@pytest.mark.parametrize("name", OWN)
def test_a_projection_has_what_was_asked_for_and_nothing_else(lms: Lms, name: str) -> None:
    base, found = OWN[name]
    ids = existing(lms, found["paths"])

    for operation in GRADEBOOK_OPERATIONS if base == BASE else ROSTERING_OPERATIONS:
        path = "/" + operation.path
        for (of, parameter), (value, _nowhere) in ids.items():
            if of == "/" + operation.path:
                path = path.replace(f"{{{parameter}}}", value)
        whole, *_rest = _objects(lms, base, path, operation)
        members = list(whole) if operation.name in _TRIED.split() else ["sourcedId"]
        for member in members:
            projected, *_rest = _objects(lms, base, f"{path}?fields={member}", operation)
            assert projected == {member: whole[member]}, (path, member)


def _objects(lms: Lms, base: str, path: str, operation: Operation) -> list[dict[str, Any]]:
    answer = lms.get(base.rstrip("/") + path)
    assert answer.status_code == 200, (path, answer.content)
    (found,) = answer.json().values()
    return [found] if operation.is_single else list(found)


# The standard's file says "string" of filters, selections and orders, which have a grammar, and
# lists 400 for those that have not got it; it gives integers no upper bound. Its writes are not
# offered by a provider to read from: 405 with the body that it describes for any other refusal.
_OFFICIAL_SETTINGS = [
    {
        "include-method": "GET",
        "checks": {"positive_data_acceptance": {"expected-statuses": ["200", "400", "404"]}},
    },
    {
        "exclude-method": "GET",
        "checks": {"positive_data_acceptance": {"expected-statuses": ["405"]}},
    },
]


def official() -> dict[str, Any]:
    """Return the standard's own file."""
    if not OFFICIAL.exists():
        pytest.skip("the standard's file is not here; ONEROSTER_OPENAPI names it")
    # Its links look for limit and offset in the path, where no operation of it has them.
    text = re.sub(
        r"\$request\.path\.(limit|offset)",
        r"$request.query.\1",
        OFFICIAL.read_text(encoding="utf-8"),
    )
    found: dict[str, Any] = json.loads(text)
    return found


# ``Allow`` names what there is, so it lacks those writes; nothing more may be wrong with it.
_NO_WRITES = (
    r"coverage: Allow header mismatch: `Allow: (GET, HEAD, )?OPTIONS` does not match the schema\. "
    r"Missing documented methods: (DELETE, PUT|POST)\n"
)


def assert_as_the_standard_says(
    live_server: LiveServer, lms: Lms, found: dict[str, Any], **settings: Any
) -> None:
    """Run everything against the standard's file; all reads are answered, all writes refused."""
    seen = hold(live_server, lms, BASE, found, excused=_NO_WRITES, **settings)

    writes = sorted(name for name in seen.statuses if not name.startswith("GET "))
    assert seen.without(200) == writes
    assert [name for name in writes if set(seen.statuses[name]) != {405}] == []


@pytest.mark.once
def test_the_service_is_as_the_standard_describes_it(live_server: LiveServer, lms: Lms) -> None:
    found = official()
    settings = [*_OFFICIAL_SETTINGS, *skimmed(found)]

    assert_as_the_standard_says(live_server, lms, found, operations=settings, examples=1)


@pytest.mark.soak
def test_the_service_is_as_the_standard_describes_it_in_every_value(
    live_server: LiveServer, lms: Lms
) -> None:
    found = official()

    assert_as_the_standard_says(live_server, lms, found, operations=_OFFICIAL_SETTINGS, examples=30)
