"""The discovery documents: OpenAPI 3.0, written from the table of operations."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from assessment.grades.oneroster import scopes
from assessment.grades.oneroster.filters import MAX_LENGTH
from assessment.grades.oneroster.objects import STRING, ObjectType, Schema, choice, closed, many
from assessment.grades.oneroster.operations import (
    GRADEBOOK_OPERATIONS,
    ROSTERING_OPERATIONS,
    Operation,
)
from assessment.grades.oneroster.references import GRADEBOOK, ROSTERING

# The binding and the certification guide spell the file's name differently; both are served.
GRADEBOOK_FILES = (
    "onerosterv1p2gradebookservice_openapi3_v1p0.json",
    "imsorv1p2_gradebook_openapi3_v1p0.json",
)
ROSTERING_FILES = (
    "onerosterv1p2rostersservice_openapi3_v1p0.json",
    "imsorv1p2_rostering_openapi3_v1p0.json",
)

_STATUS: Schema = closed(
    {
        "imsx_codeMajor": choice("success", "processing", "failure", "unsupported"),
        "imsx_severity": choice("status", "warning", "error"),
    },
    {
        "imsx_description": STRING,
        "imsx_CodeMinor": closed(
            {
                "imsx_codeMinorField": many(
                    closed(
                        {
                            "imsx_codeMinorFieldName": STRING,
                            "imsx_codeMinorFieldValue": choice(
                                "fullsuccess",
                                "invalid_filter_field",
                                "invalid_selection_field",
                                "invaliddata",
                                "unauthorisedrequest",
                                "internal_server_error",
                                "server_busy",
                                "deletefailure",
                                "unknownobject",
                                "forbidden",
                            ),
                        }
                    ),
                    least=1,
                )
            }
        ),
    },
)
_REFUSALS = {
    "400": "The filter, the selection or another parameter cannot be used.",
    "401": "The token is missing or no longer holds.",
    "403": "The token lacks the scope.",
    "404": "There is no such object for this client.",
    "429": "Too many requests; Retry-After says when to come again.",
    "503": "The database is busy or away; Retry-After says when to come again.",
    "default": "Any other refusal.",
}
_LARGEST = 2**31 - 1
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_ID: Schema = {"type": "string", "pattern": f"^{_UUID}([.]{_UUID})?$"}
_COMPARED = "(=|!=|>|>=|<|<=)"
_DAY = (
    "(19|20)[0-9]{2}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
    "|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
)
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])"
# What a value of each type looks like between its quotes; a quote inside a text is doubled.
_TEXT = r"([^'\x00]|'')*"
_VALUES = {"number": "-?[0-9]{1,9}([.][0-9]{1,4})?", "date": _DAY, "date-time": f"{_DAY}T{_TIME}"}


# Members of these kinds that rows of the database are neither ordered nor filtered by.
_UNASKED = {"user": ("roles.", "userIds.", "primaryOrg."), "enrollment": ("school.",)}


def _parameters(kind: ObjectType) -> list[Schema]:
    """Return what a collection can be asked: by its members, so that what fits is answered."""
    whole = {"type": "integer", "format": "int32", "maximum": _LARGEST}
    return [
        _in_query("limit", whole | {"minimum": 1, "default": 100}),
        _in_query("offset", whole | {"minimum": 0, "default": 0}),
        _in_query("sort", choice(*_asked(kind))),
        _in_query("orderBy", choice("asc", "desc")),
        _in_query(
            "filter",
            {"type": "string", "pattern": _filter_pattern(kind), "maxLength": MAX_LENGTH},
            "field OP 'value', at most two of them joined by AND or OR.",
        ),
        _fields(kind),
    ]


def _fields(kind: ObjectType) -> Schema:
    names = {"type": "array", "items": choice(*kind.members), "minItems": 1, "uniqueItems": True}
    return _in_query("fields", names, "Members to return, repeated or joined by commas.")


def _in_query(name: str, schema: Schema, description: str = "") -> Schema:
    found = {"name": name, "in": "query", "schema": schema}
    return found | ({"description": description} if description else {})


def _asked(kind: ObjectType) -> dict[str, Schema]:
    unasked = _UNASKED.get(kind.singular, ())
    return {path: schema for path, schema in kind.paths.items() if not path.startswith(unasked)}


def _filter_pattern(kind: ObjectType) -> str:
    by_type: dict[str, list[str]] = {}
    for path, schema in _asked(kind).items():
        typed = schema.get("format", schema.get("type"))
        by_type.setdefault(typed if typed in _VALUES else "", []).append(path)
    clauses = [
        f"({_any(paths)}){_COMPARED}'{_VALUES[typed]}'"
        if typed
        else f"({_any(paths)})({_COMPARED[1:-1]}|~)'{_TEXT}'"
        for typed, paths in by_type.items()
    ]
    clause = f"({'|'.join(clauses)})"
    return f"^{clause}( (AND|OR) {clause})?$"


def _any(paths: Iterable[str]) -> str:
    return "|".join(path.replace(".", "[.]") for path in paths)


def document(
    title: str, server: str, token_url: str, operations: Sequence[Operation]
) -> dict[str, Any]:
    """Return the OpenAPI document of one service."""
    kinds = {operation.kind.singular: operation.kind for operation in operations}
    schemas: dict[str, Schema] = {"imsx_StatusInfo": _STATUS}
    for name, kind in kinds.items():
        schemas[name] = kind.schema
        schemas[f"{name}Single"] = closed({name: _schema(name)})
        schemas[f"{name}Set"] = closed({kind.plural: many(_schema(name))})
    granted = {scope for operation in operations for scope in operation.scopes}
    flow = {
        "tokenUrl": token_url,
        "scopes": {scope: str(scopes.DESCRIPTIONS[scope]) for scope in sorted(granted)},
    }
    return {
        "openapi": "3.0.3",
        "info": {"title": title, "version": "1.2"},
        "servers": [{"url": server}],
        "paths": {_path(each): {"get": _operation(each)} for each in operations},
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "OAuth2CC": {"type": "oauth2", "flows": {"clientCredentials": flow}}
            },
        },
    }


def _schema(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _path(operation: Operation) -> str:
    return "/" + operation.path


def _operation(operation: Operation) -> dict[str, Any]:
    ids = [
        {"name": name, "in": "path", "required": True, "schema": _ID}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    kind = operation.kind
    asked = [_fields(kind)] if operation.is_single else _parameters(kind)
    refusals = {
        status: {"description": text, "content": _json(_schema("imsx_StatusInfo"))}
        for status, text in _REFUSALS.items()
    }
    return {
        "operationId": operation.name,
        "parameters": ids + asked,
        "security": [{"OAuth2CC": [scope]} for scope in operation.scopes],
        "responses": {"200": _success(kind, single=operation.is_single), **refusals},
    }


def _success(kind: ObjectType, *, single: bool) -> dict[str, Any]:
    if single:
        schema = _schema(f"{kind.singular}Single")
        return {"description": "The object.", "content": _json(schema)}
    headers = {
        "X-Total-Count": {"schema": {"type": "integer"}},
        "Link": {"description": "first, prev, next and last, by RFC 8288.", "schema": STRING},
    }
    schema = _schema(f"{kind.singular}Set")
    return {"description": "A page.", "headers": headers, "content": _json(schema)}


def _json(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


@require_safe
def gradebook_document(request: HttpRequest) -> JsonResponse:
    """Return the discovery document of the gradebook service."""
    return _served(request, "OneRoster 1.2 Gradebook, read side", GRADEBOOK, GRADEBOOK_OPERATIONS)


@require_safe
def rostering_document(request: HttpRequest) -> JsonResponse:
    """Return the discovery document of the rostering service."""
    return _served(request, "OneRoster 1.2 Rostering, in part", ROSTERING, ROSTERING_OPERATIONS)


def _served(
    request: HttpRequest, title: str, base: str, operations: Sequence[Operation]
) -> JsonResponse:
    server = request.build_absolute_uri(base)
    token_url = request.build_absolute_uri(reverse("oauth-token"))
    return JsonResponse(document(title, server, token_url, operations))
