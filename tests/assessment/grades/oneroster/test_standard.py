"""The strict points of the standard: closed objects, headers, refusals, scopes, discovery."""

import re
from typing import Any

import jsonschema_rs
import pytest
from django.test import Client as Browser
from openapi_spec_validator import validate

from assessment.grades.oneroster import scopes
from assessment.grades.oneroster.operations import (
    GRADEBOOK_OPERATIONS,
    ROSTERING_OPERATIONS,
    Operation,
)
from rubrics.models import Scale
from tests.assessment.grades.oneroster.conftest import (
    BASE,
    ROSTER,
    Classroom,
    Lms,
    ask_token,
    make_lms,
)
from tests.factories import make_client, make_exercise

pytestmark = pytest.mark.django_db

OPERATIONS = [(BASE, each) for each in GRADEBOOK_OPERATIONS] + [
    (ROSTER, each) for each in ROSTERING_OPERATIONS
]
IDS = [f"{each.name}" for _, each in OPERATIONS]

# What the official gradebook description says of its objects, member by member (1EdTech, 1.2):
# these are facts of the standard that ``objects`` must keep to.
REQUIRED = {
    "category": {"title"},
    "lineItem": {"title", "assignDate", "dueDate", "class", "school", "category"},
    "result": {"lineItem", "student", "scoreStatus", "scoreDate"},
    "scoreScale": {"title", "type", "class", "scoreScaleValue"},
    "assessmentLineItem": {"title"},
    "assessmentResult": {"assessmentLineItem", "student", "scoreDate", "scoreStatus"},
}
ALLOWED = {
    "category": {"weight"},
    "lineItem": {
        "description",
        "gradingPeriod",
        "academicSession",
        "scoreScale",
        "resultValueMin",
        "resultValueMax",
        "learningObjectiveSet",
    },
    "result": {
        "class",
        "scoreScale",
        "score",
        "textScore",
        "comment",
        "learningObjectiveSet",
        "inProgress",
        "incomplete",
        "late",
        "missing",
    },
    "scoreScale": {"course"},
    "assessmentLineItem": {
        "description",
        "class",
        "parentAssessmentLineItem",
        "scoreScale",
        "resultValueMin",
        "resultValueMax",
        "learningObjectiveSet",
    },
    "assessmentResult": {
        "score",
        "textScore",
        "scoreScale",
        "scorePercentile",
        "comment",
        "learningObjectiveSet",
        "inProgress",
        "incomplete",
        "late",
        "missing",
    },
}
COMMON = {"sourcedId", "status", "dateLastModified"}


def address(base: str, operation: Operation, room: Classroom, lms: Lms) -> str:
    """Return an address of an operation that finds something."""
    ids = {
        "class_id": room.cohort.pk,
        "student_id": room.zero.user_id,
        "line_item_id": f"{room.cohort.pk}.{room.exercise.pk}",
        "user_id": room.zero.user_id,
        "school_id": lms.rows(f"{ROSTER}schools")[0]["sourcedId"],
        "term_id": lms.rows(f"{ROSTER}terms")[0]["sourcedId"],
    }
    if operation.name == "getClassesForTeacher":
        ids["user_id"] = room.instructor.user_id
    if operation.is_single:
        plural = operation.path.removesuffix("/{sourced_id}")
        ids["sourced_id"] = lms.rows(base + plural)[0]["sourcedId"]
    return base + operation.path.format(**ids)


@pytest.fixture
def room(classroom: Classroom) -> Classroom:
    """Return the class with a scale of levels, so that no collection is empty."""
    scale = Scale.objects.create(session=classroom.exercise.session)
    for number in range(4):
        scale.levels.create(number=number, criterion=f"what shows level {number}")
    return classroom


def test_the_objects_are_those_of_the_standard() -> None:
    kinds = {each.kind.singular: each.kind for each in GRADEBOOK_OPERATIONS}

    for name, kind in kinds.items():
        required = set(kind.schema["required"])
        assert required == COMMON | REQUIRED[name]
        assert set(kind.members) - required - {"metadata"} <= ALLOWED[name]
    assert set(kinds) == set(REQUIRED)


@pytest.mark.parametrize(("base", "operation"), OPERATIONS, ids=IDS)
def test_every_read_answers_with_closed_objects(
    base: str, operation: Operation, room: Classroom, lms: Lms
) -> None:
    response = lms.get(address(base, operation, room, lms))

    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "application/json"
    ((name, content),) = response.json().items()
    rows = [content] if operation.is_single else content
    assert name == (operation.kind.singular if operation.is_single else operation.kind.plural)
    assert rows
    validator = jsonschema_rs.Draft202012Validator(operation.kind.schema, validate_formats=True)
    assert [str(error) for row in rows for error in validator.iter_errors(row)] == []


def references_in(value: object) -> list[dict[str, str]]:
    """Return every GUIDRef in an answer."""
    if isinstance(value, list):
        return [found for each in value for found in references_in(each)]
    if not isinstance(value, dict):
        return []
    own = [value] if "href" in value else []
    return own + [found for each in value.values() for found in references_in(each)]


@pytest.mark.parametrize(("base", "operation"), OPERATIONS, ids=IDS)
def test_every_reference_opens_at_its_address(
    base: str, operation: Operation, room: Classroom, lms: Lms
) -> None:
    found = references_in(lms.get(address(base, operation, room, lms)).json())

    for href, kind, key in {(each["href"], each["type"], each["sourcedId"]) for each in found}:
        assert href.startswith("http://testserver/ims/oneroster/")
        ((name, content),) = lms.get(href.removeprefix("http://testserver")).json().items()
        assert (name, content["sourcedId"]) == (kind, key)


@pytest.mark.parametrize(("base", "operation"), OPERATIONS, ids=IDS)
def test_every_read_asks_for_a_token_and_its_scope(
    base: str, operation: Operation, room: Classroom, lms: Lms
) -> None:
    path = address(base, operation, room, lms)

    refused = Lms({}).get(path)
    assert refused.status_code == 401
    assert refused["WWW-Authenticate"].startswith("Bearer")
    assert minor(refused) == "unauthorisedrequest"
    assert Lms({"Authorization": "Bearer nonsense"}).get(path).status_code == 401
    for granted in (*lms_scopes(), "grades:read"):
        allowed = granted in operation.scopes
        response = make_lms(room.cohort, granted=(granted,)).get(path)
        assert response.status_code == (200 if allowed else 403)
        assert allowed or minor(response) == "forbidden"


def lms_scopes() -> tuple[str, ...]:
    """Return the scopes of the standard that are served."""
    return (
        scopes.GRADEBOOK,
        scopes.GRADEBOOK_CORE,
        scopes.ASSESSMENT,
        scopes.ROSTER,
        scopes.ROSTER_CORE,
    )


def minor(response: Any) -> str:  # noqa: ANN401 (the test client's own response)
    """Return the code minor of a refusal, whose form is checked."""
    body = response.json()
    assert set(body) == {
        "imsx_codeMajor",
        "imsx_severity",
        "imsx_description",
        "imsx_CodeMinor",
    }
    assert body["imsx_severity"] == "error"
    (field,) = body["imsx_CodeMinor"]["imsx_codeMinorField"]
    assert field["imsx_codeMinorFieldName"] == "TargetEndSystem"
    return str(field["imsx_codeMinorFieldValue"])


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        pytest.param("limit=0", 400, "invaliddata", id="no rows"),
        pytest.param("limit=", 400, "invaliddata", id="empty limit"),
        pytest.param("limit=-1", 400, "invaliddata", id="negative"),
        pytest.param("limit=1.5", 400, "invaliddata", id="half a row"),
        pytest.param("limit=٣", 400, "invaliddata", id="other digits"),
        pytest.param("limit=99999999999", 400, "invaliddata", id="beyond 32 bits"),
        pytest.param("limit=1&limit=2", 400, "invaliddata", id="twice"),
        pytest.param("offset=-1", 400, "invaliddata", id="before the first"),
        pytest.param("sort=colour", 400, "invaliddata", id="no such field to sort by"),
        pytest.param("orderBy=up", 400, "invaliddata", id="no such order"),
        pytest.param("filter=", 400, "invalid_filter_field", id="empty filter"),
        pytest.param("filter=colour%3D'red'", 400, "invalid_filter_field", id="no such field"),
        pytest.param("filter=score~'1'", 400, "invalid_filter_field", id="no part of a number"),
        pytest.param("fields=", 400, "invalid_selection_field", id="empty selection"),
        pytest.param("fields=colour", 400, "invalid_selection_field", id="no such member"),
        pytest.param("limit=2147483647", 200, "", id="as many as there are"),
        pytest.param("offset=2147483647", 200, "", id="beyond the last"),
        pytest.param("colour=red", 200, "", id="a parameter of somebody else"),
    ],
)
def test_parameters(lms: Lms, query: str, status: int, said: str) -> None:
    response = lms.get(f"{BASE}results?{query}")

    assert response.status_code == status
    assert not said or (minor(response) == said or query == "filter=")


@pytest.mark.parametrize(
    "query", ["fields=sourcedId&fields=score", "fields=sourcedId,score", "fields=sourcedId%2Cscore"]
)
def test_fields_are_read_in_both_spellings(lms: Lms, query: str) -> None:
    rows = lms.get(f"{BASE}results?{query}").json()["results"]

    assert {frozenset(row) for row in rows} == {
        frozenset({"sourcedId"}),
        frozenset({"sourcedId", "score"}),
    }


def test_pages_are_linked_and_the_last_has_no_next(lms: Lms, classroom: Classroom) -> None:
    for _ in range(4):
        make_exercise(classroom.exercise.session)

    links = {}
    for offset in (0, 4, 16):
        response = lms.get("lineItems", {"limit": 2, "offset": offset, "filter": "status='active'"})
        assert response["X-Total-Count"] == "5"
        found = re.findall(r'<([^>]+)>; rel="(\w+)"', response["Link"])
        links[offset] = {rel: re.findall(r"offset=(\d+)", url)[0] for url, rel in found}

    assert links == {
        0: {"first": "0", "last": "4", "next": "2"},
        4: {"first": "0", "last": "4", "prev": "2"},
        16: {"first": "0", "last": "4", "prev": "4"},
    }
    assert "filter=status%3D%27active%27" in response["Link"]


@pytest.mark.parametrize("method", ["put", "post", "delete", "patch"])
@pytest.mark.parametrize(
    "path",
    [
        "lineItems/x",
        "results/x",
        "classes/x/lineItems",
        "lineItems/x/results",
        "assessmentResults/x",
    ],
)
def test_writes_are_unsupported(lms: Lms, method: str, path: str) -> None:
    def send(headers: dict[str, str]) -> Any:  # noqa: ANN401 (the test client's own response)
        return getattr(Browser(), method)(BASE + path, headers=headers)

    response = send(lms.headers)

    assert response.status_code == 405
    assert set(response["Allow"].split(", ")) <= {"GET", "HEAD", "OPTIONS"}
    assert response.json()["imsx_codeMajor"] == "unsupported"
    assert send({}).status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        f"{BASE}nothing",
        f"{BASE}classes/x/results",
        f"{BASE}lineItems/",
        f"{BASE}results/a%2Fb",
        f"{ROSTER}users/x",
        f"{ROSTER}terms/x/gradingPeriods",
        f"{ROSTER}teachers/x/classes",
        "/ims/oneroster/resources/v1p2/resources",
    ],
)
def test_what_is_not_there_is_unknown_in_the_standards_form(lms: Lms, path: str) -> None:
    response = lms.get(path)

    assert response.status_code == 404
    assert minor(response) == "unknownobject"


def test_nested_collections_are_those_of_the_address(lms: Lms, classroom: Classroom) -> None:
    other = make_exercise(classroom.exercise.session)
    item = f"{classroom.cohort.pk}.{other.pk}"

    of_item = lms.rows(f"classes/{classroom.cohort.pk}/lineItems/{item}/results")
    of_student = lms.rows(
        f"classes/{classroom.cohort.pk}/students/{classroom.zero.user_id}/results"
    )

    assert {row["lineItem"]["sourcedId"] for row in of_item} == {item}
    assert len(of_item) == 4
    assert {row["student"]["sourcedId"] for row in of_student} == {str(classroom.zero.user_id)}
    assert len(of_student) == 2
    teacher = classroom.instructor.user_id
    strange = lms.get(f"classes/{classroom.cohort.pk}/students/{teacher}/results")
    assert strange.status_code == 404


def test_a_token_asked_without_a_scope_has_all_of_the_client(classroom: Classroom) -> None:
    client = make_client(classroom.cohort, scopes=(scopes.GRADEBOOK_CORE, scopes.ROSTER_CORE))

    assert ask_token(client).json()["scope"].split() == [scopes.GRADEBOOK_CORE, scopes.ROSTER_CORE]
    asked = ask_token(client, scopes.ROSTER_CORE)
    assert asked.json()["scope"] == scopes.ROSTER_CORE
    refused = ask_token(client, scopes.GRADEBOOK)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_scope")


@pytest.mark.parametrize(
    ("path", "operations"),
    [
        (f"{BASE}discovery/onerosterv1p2gradebookservice_openapi3_v1p0.json", GRADEBOOK_OPERATIONS),
        (f"{BASE}discovery/imsorv1p2_gradebook_openapi3_v1p0.json", GRADEBOOK_OPERATIONS),
        (f"{ROSTER}discovery/onerosterv1p2rostersservice_openapi3_v1p0.json", ROSTERING_OPERATIONS),
    ],
)
def test_discovery_documents_are_open_to_all_and_valid(
    path: str, operations: list[Operation]
) -> None:
    document = Browser().get(path).json()

    validate(document)
    assert len(document["paths"]) == len(operations)
    flow = document["components"]["securitySchemes"]["OAuth2CC"]["flows"]["clientCredentials"]
    assert flow["tokenUrl"] == "http://testserver/oauth/token/"
