"""Completes the OpenAPI document with what holds of every operation: conditional reads, headers."""

from collections.abc import Iterator
from typing import Any

_ETAG = {
    "description": "The version of this answer.",
    "schema": {"type": "string", "pattern": '^(W/)?"[^"]*"$'},
}
_RETRY_AFTER = {
    "description": "The seconds until the next minute of calls.",
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
        responses["429"]["headers"] = {"Retry-After": _RETRY_AFTER}
        for status, response in responses.items():
            response["description"] = response["description"] or _SAID.get(status, "")
    return result


_SAID = {"200": "As asked for.", "201": "Stored."}


def _operations(result: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in result["paths"].values():
        yield from path.items()
