"""The dashboard's figures by program."""

from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from assessment.cohorts.permissions import HasScope, IsPerson, person_of
from assessment.dashboard.api.serializers import CohortFiguresSerializer
from assessment.dashboard.figures import breaks_of
from assessment.review.queue import cohorts_of
from assessment.web.caching import conditional
from assessment.web.parameters import LONGEST_COHORT, slug_in_path
from assessment.web.problems import problems

_EXAMPLE = {
    "cohort": "autumn",
    "learners": 24,
    "exercises": [
        {
            "exercise": {"slug": "course-advanced-11-exercise-1", "title": "Trace the loss"},
            "n": 24,
            "tagged": 20,
            "untagged": 4,
            "breaks": {
                "vocabulary": 2,
                "shapes": 4,
                "operation": 9,
                "interpretation": 2,
                "claim_scope": 1,
            },
            "none": 1,
            "cannot_tell": 1,
            "levels": {"0": 3, "1": 8, "2": 7, "3": 2},
            "without_level": 4,
            "alarms": ["operation"],
        }
    ],
}


@conditional
class CohortBreaks(APIView):
    """Breaks and levels of a cohort by exercise."""

    permission_classes = [HasScope, IsPerson]
    scopes: ClassVar = {"GET": "teach"}

    @extend_schema(
        operation_id="cohort_breaks_retrieve",
        summary="Breaks and levels by exercise",
        parameters=[slug_in_path(LONGEST_COHORT, "The slug of a cohort.")],
        responses={
            200: OpenApiResponse(
                CohortFiguresSerializer, examples=[OpenApiExample("One exercise", _EXAMPLE)]
            ),
            **problems(404),
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the figures that the dashboard draws."""
        cohort = get_object_or_404(cohorts_of(person_of(request)), slug=slug)
        return Response(CohortFiguresSerializer(breaks_of(cohort)).data)
