"""What the OpenAPI document says of the grades list."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from assessment.grades.api.filters import DEFAULT_LIMIT, HIGHEST_LIMIT
from assessment.review.models import Grade
from assessment.web.parameters import COHORT, EXACT, LONGEST_VALUE
from assessment.web.problems import problems

# The times that every calendar has: no leap second, no offset beyond a day.
INSTANT = r"^(19|20)\d\d-\d\d-\d\d[Tt][0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-][01]\d:[0-5]\d)$"
NONE_SAID = {"type": "string", "maxLength": 0}


class GradeLearnerSerializer(serializers.Serializer[Any]):
    """Whose grade it is, under every name that another system may know them by."""

    id = serializers.UUIDField()
    username = serializers.CharField()
    sis_id = serializers.CharField(allow_null=True)
    lti_user_ids = serializers.ListField(child=serializers.CharField())


class GradeExerciseSerializer(serializers.Serializer[Any]):
    """What was graded."""

    slug = serializers.SlugField()
    title = serializers.CharField()


class GradeSerializer(serializers.Serializer[Any]):
    """One grade; ``points`` is absent from a withdrawn one."""

    id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=Grade.Status.choices)
    learner = GradeLearnerSerializer()
    cohort = serializers.SlugField()
    session = serializers.SlugField()
    exercise = GradeExerciseSerializer()
    attempt = serializers.IntegerField(min_value=1)
    points = serializers.RegexField(EXACT, required=False, help_text="An exact decimal: 7.5")
    maximum = serializers.RegexField(EXACT, help_text="An exact decimal: 10")
    level = serializers.IntegerField(min_value=0, max_value=3, allow_null=True)
    released_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class GradePageSerializer(serializers.Serializer[Any]):
    """One page; the last one has no ``next`` and carries ``sync``."""

    results = GradeSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)
    sync = serializers.CharField(allow_null=True)


_EXAMPLE = {
    "results": [
        {
            "id": "01935a7e-8c00-7000-8000-000000000001",
            "status": "released",
            "learner": {
                "id": "01935a7e-8c00-7000-8000-000000000002",
                "username": "ada",
                "sis_id": "S-1815",
                "lti_user_ids": [],
            },
            "cohort": "autumn",
            "session": "course-advanced-11",
            "exercise": {"slug": "course-advanced-11-exercise-1", "title": "Trace the loss"},
            "attempt": 1,
            "points": "7.5",
            "maximum": "10",
            "level": 2,
            "released_at": "2026-11-30T08:00:00.000001Z",
            "updated_at": "2026-11-30T08:00:00.000001Z",
        }
    ],
    "next": None,
    "cursor": None,
    "sync": "eyJhZnRlciI6MSwiY29ob3J0IjoiIiwicmVhY2giOiIzYjZkZTQ4YjE3YjVmMGU5In0",
}

GRADES: dict[str, Any] = {
    "operation_id": "grades_list",
    "summary": "Released grades, in the order in which they changed",
    "description": (
        "Follow `cursor` (or `next`) to the last page, keep its `sync` token, and begin the next "
        "pull with `?cursor=<sync>`: nothing is missed, and a grade comes again only when it "
        "changed. A withdrawn grade comes as a row with `status` `withdrawn` and no `points`. "
        "`updated_since` is for a first look: it is inclusive, and unlike the sync token it can "
        "miss a release that was being committed at that very instant. 410 asks for a new start "
        "without a cursor."
    ),
    "parameters": [
        COHORT,
        OpenApiParameter(
            "updated_since",
            {"anyOf": [{"type": "string", "format": "date-time", "pattern": INSTANT}, NONE_SAID]},
            description="A time with its offset; escape + as %2B, or write Z.",
        ),
        OpenApiParameter(
            "cursor",
            {"type": "string", "pattern": "^[A-Za-z0-9_-]*$", "maxLength": LONGEST_VALUE},
            description="A page's `cursor`, or a pull's `sync` token.",
        ),
        OpenApiParameter(
            "limit",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": HIGHEST_LIMIT,
                "default": DEFAULT_LIMIT,
            },
        ),
    ],
    "responses": {
        200: OpenApiResponse(
            GradePageSerializer,
            examples=[OpenApiExample("A last page", value=_EXAMPLE)],
        ),
        **problems(400, 404, 410),
    },
}
