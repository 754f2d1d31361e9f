"""What the OpenAPI document says of reviewing."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from assessment.attempts.api.parameters import SUBMISSION_ID
from assessment.review.api.serializers import (
    QueueQuerySerializer,
    QueueRowSerializer,
    ReviewSerializer,
    ScoringSerializer,
    StaleSerializer,
)
from assessment.web.problems import MEDIA_TYPE, OF_BODIES, problems

_ETAG = OpenApiParameter(
    "ETag",
    OpenApiTypes.STR,
    location=OpenApiParameter.HEADER,
    response=[200, 201, 204, 412, 428],
    description="The version that a save has to name in If-Match.",
)
_IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": '^"[0-9]{1,9}-[0-9]{1,9}(-[0-9a-f]{16})?"$'},
    location=OpenApiParameter.HEADER,
    required=True,
    description='The ETag that was read, such as "0-1" where there is no review yet.',
)
_SCORING = {
    "points": {"Traceable calculation": "4.5", "Limitation": "2"},
    "break": "operation",
    "level": 2,
    "note": "The sum takes the logits themselves.",
}
_REVIEW = {
    "submission": "01935a7e-8c00-7000-8000-000000000003",
    "number": 1,
    "rubric": 1,
    "reviewer": "sofia",
    **_SCORING,
    "total": "6.5",
    "maximum": "7",
    "missing": [],
    "saved_at": "2026-11-30T08:00:00Z",
}
_STALE = {
    "type": "about:blank",
    "title": "Precondition Failed",
    "status": 412,
    "detail": "emil saved version 1 meanwhile; read both and decide again.",
    "present": _REVIEW | {"reviewer": "emil"},
}

_ROW = {
    "id": "01935a7e-8c00-7000-8000-000000000003",
    "learner": "ada",
    "cohort": "autumn",
    "exercise": "applied-ai-advanced-11-exercise-1",
    "attempt": 1,
    "state": "checked",
    "submitted_at": "2026-11-30T08:00:00Z",
    "level": None,
    "suggested_break": "operation",
    "break": None,
}

QUEUE: dict[str, Any] = {
    "operation_id": "submissions_list",
    "summary": "The review queue",
    "parameters": [QueueQuerySerializer],
    "responses": {
        200: OpenApiResponse(
            QueueRowSerializer(many=True), examples=[OpenApiExample("One row", _ROW)]
        ),
        **problems(400, 404),
    },
}
READ_REVIEW: dict[str, Any] = {
    "operation_id": "review_retrieve",
    "summary": "The review that holds",
    "parameters": [SUBMISSION_ID, _ETAG],
    "responses": {
        200: OpenApiResponse(ReviewSerializer, examples=[OpenApiExample("A review", _REVIEW)]),
        204: OpenApiResponse(description="There is no review yet."),
        **problems(404),
    },
}
SAVE_REVIEW: dict[str, Any] = {
    "operation_id": "review_create",
    "summary": "Save the next review",
    "description": (
        "Every save is a new version; none is overwritten. 412 carries the present version: read "
        "it, decide again, and send its ETag."
    ),
    "parameters": [SUBMISSION_ID, _IF_MATCH, _ETAG],
    "request": ScoringSerializer,
    "examples": [OpenApiExample("All criteria scored", _SCORING, request_only=True)],
    "responses": {
        201: OpenApiResponse(ReviewSerializer, examples=[OpenApiExample("A review", _REVIEW)]),
        **problems(*OF_BODIES, 404, 409, 428),
        (412, MEDIA_TYPE): OpenApiResponse(
            StaleSerializer,
            description="Someone saved a newer version.",
            examples=[OpenApiExample("A newer version", _STALE)],
        ),
    },
}
