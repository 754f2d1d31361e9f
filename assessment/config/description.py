"""The OpenAPI document: its settings, and what holds of every operation."""

from collections.abc import Iterator
from typing import Any

SETTINGS: dict[str, Any] = {
    "TITLE": "Firstbreak",
    "VERSION": "1",
    "DESCRIPTION": (
        "Sessions and exercises, submissions and their reviews, released grades.\n\n"
        "Send a bearer token in the `Authorization` header, never in the address; the browser's "
        "session works too, and its writes need the `X-CSRFToken` header. Errors are problem "
        "documents (RFC 9457). Every read carries an `ETag`: send it back in `If-None-Match` and "
        "an unchanged answer is 304 without a body. 429 says in `Retry-After` when to come again. "
        "Times are UTC, points exact decimals as strings. Answers may gain members; parameters "
        "and bodies that name unknown ones are refused."
    ),
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "assessment.config.description.complete",
    ],
    # Names for vocabularies that several members share.
    "ENUM_NAME_OVERRIDES": {
        "GradeStatusEnum": "assessment.review.models.Grade.Status",
        "StepStatusEnum": "assessment.attempts.api.serializers.STATUSES",
        "ChainBreakEnum": "assessment.attempts.api.serializers.BREAKS",
        "ReviewBreakEnum": "assessment.review.api.serializers.TAGS",
        "ElementEnum": "assessment.attempts.api.serializers.ELEMENTS",
    },
}
_ETAG = {
    "description": "The version of this answer.",
    "schema": {"type": "string", "pattern": '^(W/)?"[^"]*"$'},
}
_RETRY_AFTER = {
    "description": "The seconds until it is worth trying again.",
    "required": True,
    "schema": {"type": "integer", "minimum": 0},
}
_CHALLENGE = {
    "description": "The way to sign in, and what was wrong with the token.",
    "required": True,
    "schema": {"type": "string"},
}
_IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "An ETag that was read: unchanged answers are 304.",
    "schema": {"type": "string"},
}


def complete(result: dict[str, Any], **_context: object) -> dict[str, Any]:
    """Add headers, 304 and descriptions; a hook of drf-spectacular."""
    for method, operation in _operations(result):
        responses = operation["responses"]
        if method == "get":
            operation["parameters"] = [*operation.get("parameters", []), _IF_NONE_MATCH]
            responses["304"] = {
                "description": "Unchanged since that ETag.",
                "headers": {"ETag": _ETAG},
            }
            responses["200"].setdefault("headers", {})["ETag"] = _ETAG | {"required": True}
            operation["responses"] = dict(sorted(responses.items()))
        responses["401"]["headers"] = {"WWW-Authenticate": _CHALLENGE}
        for status in ("429", "503"):
            responses[status]["headers"] = {"Retry-After": _RETRY_AFTER}
        for status, response in responses.items():
            response["description"] = response["description"] or _SAID.get(status, "")
    return result


_SAID = {"200": "As asked for.", "201": "Stored."}


def _operations(result: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in result["paths"].values():
        yield from path.items()
