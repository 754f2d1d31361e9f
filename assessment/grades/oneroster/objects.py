"""The closed objects of OneRoster 1.2 that this provider serves, member by member.

One declaration serves three ends: filters and selections are checked against it, the discovery
document is written from it, and the tests hold every answer against it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
DATE: Schema = {"type": "string", "format": "date"}
TIME: Schema = {"type": "string", "format": "date-time"}
# The standard writes truth as text.
FLAG: Schema = {"type": "string", "enum": ["true", "false"]}
OPEN: Schema = {"type": "object", "additionalProperties": True}

_EXTENSION = {"type": "string", "pattern": r"^ext:[a-zA-Z0-9.\-_]+$"}


def choice(*names: str, extensible: bool = False) -> Schema:
    """Return a vocabulary; an extensible one also takes ``ext:`` names."""
    names_alone: Schema = {"type": "string", "enum": list(names)}
    return {"anyOf": [names_alone, _EXTENSION]} if extensible else names_alone


def closed(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """Return an object that has these members and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def reference(kind: str) -> Schema:
    """Return a GUIDRef: where the object is, its id and its type."""
    members = {"href": {"type": "string", "format": "uri"}, "sourcedId": STRING}
    return closed({**members, "type": {"type": "string", "enum": [kind]}})


def many(schema: Schema, least: int = 0) -> Schema:
    """Return a list."""
    return {"type": "array", "items": schema, "minItems": least}


_COMMON = {
    "sourcedId": STRING,
    "status": choice("active", "tobedeleted"),
    "dateLastModified": TIME,
}


@dataclass(frozen=True)
class ObjectType:
    """One of the standard's objects, under its names for one and for many."""

    singular: str
    plural: str
    required: Mapping[str, Schema]
    optional: Mapping[str, Schema] = field(default_factory=dict)

    @cached_property
    def schema(self) -> Schema:
        """The closed JSON schema."""
        return closed({**_COMMON, **self.required}, {"metadata": OPEN, **self.optional})

    @cached_property
    def members(self) -> Mapping[str, Schema]:
        """Every member by name."""
        members: Mapping[str, Schema] = self.schema["properties"]
        return members

    @cached_property
    def paths(self) -> Mapping[str, Schema]:
        """Every single value by its dotted path: what a filter or a sort may name."""
        return dict(_paths("", self.members))


def _paths(prefix: str, members: Mapping[str, Schema]) -> list[tuple[str, Schema]]:
    found: list[tuple[str, Schema]] = []
    for name, schema in members.items():
        inner = schema.get("items", schema)
        if "properties" in inner:
            found += _paths(f"{prefix}{name}.", inner["properties"])
        elif inner is not OPEN:
            found.append((f"{prefix}{name}", inner))
    return found


CATEGORY = ObjectType("category", "categories", {"title": STRING}, {"weight": NUMBER})

LINE_ITEM = ObjectType(
    "lineItem",
    "lineItems",
    {
        "title": STRING,
        "assignDate": TIME,
        "dueDate": TIME,
        "class": reference("class"),
        "school": reference("org"),
        "category": reference("category"),
    },
    {
        "description": STRING,
        "gradingPeriod": reference("academicSession"),
        "academicSession": reference("academicSession"),
        "scoreScale": reference("scoreScale"),
        "resultValueMin": NUMBER,
        "resultValueMax": NUMBER,
    },
)

_SCORE_STATUS = choice(
    "exempt", "fully graded", "not submitted", "partially graded", "submitted", extensible=True
)

RESULT = ObjectType(
    "result",
    "results",
    {
        "lineItem": reference("lineItem"),
        "student": reference("user"),
        "scoreStatus": _SCORE_STATUS,
        "scoreDate": DATE,
    },
    {
        "class": reference("class"),
        "scoreScale": reference("scoreScale"),
        "score": NUMBER,
        "textScore": STRING,
        "comment": STRING,
        "inProgress": FLAG,
        "incomplete": FLAG,
        "late": FLAG,
        "missing": FLAG,
    },
)

SCORE_SCALE = ObjectType(
    "scoreScale",
    "scoreScales",
    {
        "title": STRING,
        "type": STRING,
        "class": reference("class"),
        "scoreScaleValue": many(closed({"itemValueLHS": STRING, "itemValueRHS": STRING}), least=1),
    },
    {"course": reference("course")},
)

ASSESSMENT_LINE_ITEM = ObjectType(
    "assessmentLineItem",
    "assessmentLineItems",
    {"title": STRING},
    {
        "parentAssessmentLineItem": reference("assessmentLineItem"),
        "resultValueMin": NUMBER,
        "resultValueMax": NUMBER,
    },
)

ASSESSMENT_RESULT = ObjectType(
    "assessmentResult",
    "assessmentResults",
    {
        "assessmentLineItem": reference("assessmentLineItem"),
        "student": reference("user"),
        "scoreDate": DATE,
        "scoreStatus": _SCORE_STATUS,
    },
    {"score": NUMBER},
)

ORG = ObjectType(
    "org",
    "orgs",
    {
        "name": STRING,
        "type": choice(
            "department", "district", "local", "national", "school", "state", extensible=True
        ),
        "identifier": STRING,
    },
)

ACADEMIC_SESSION = ObjectType(
    "academicSession",
    "academicSessions",
    {
        "title": STRING,
        "startDate": DATE,
        "endDate": DATE,
        "type": choice("gradingPeriod", "semester", "schoolYear", "term", extensible=True),
        "schoolYear": STRING,
    },
    {
        "parent": reference("academicSession"),
        "children": many(reference("academicSession")),
    },
)

COURSE = ObjectType(
    "course",
    "courses",
    {"title": STRING, "org": reference("org")},
    {"courseCode": STRING},
)

CLASS = ObjectType(
    "class",
    "classes",
    {
        "title": STRING,
        "course": reference("course"),
        "school": reference("org"),
        "terms": many(reference("academicSession"), least=1),
    },
    {"classCode": STRING, "classType": choice("homeroom", "scheduled", extensible=True)},
)

USER = ObjectType(
    "user",
    "users",
    {
        "enabledUser": FLAG,
        "givenName": STRING,
        "familyName": STRING,
        "roles": many(
            closed(
                {
                    "roleType": choice("primary", "secondary"),
                    "role": choice("aide", "student", "teacher", extensible=True),
                    "org": reference("org"),
                }
            ),
            least=1,
        ),
    },
    {
        "username": STRING,
        "userIds": many(closed({"type": STRING, "identifier": STRING})),
        "identifier": STRING,
        "email": STRING,
        "primaryOrg": reference("org"),
    },
)

ENROLLMENT = ObjectType(
    "enrollment",
    "enrollments",
    {
        "user": reference("user"),
        "class": reference("class"),
        "school": reference("org"),
        "role": choice("administrator", "proctor", "student", "teacher", extensible=True),
    },
    {"primary": FLAG, "beginDate": DATE, "endDate": DATE},
)
