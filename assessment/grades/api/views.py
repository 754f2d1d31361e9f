"""The list of released grades that other systems follow."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from assessment.cohorts.permissions import HasScope, cohorts_in_reach
from assessment.grades.api import schema
from assessment.grades.api.cursors import (
    Place,
    caught_up,
    decode,
    last_change,
    reach_of,
    refuse_stale,
)
from assessment.grades.api.filters import Filters, read_filters
from assessment.grades.api.rows import as_json, read_rows, sequence_of
from assessment.review.models import Grade
from assessment.web.caching import conditional


class MayReadGrades(HasScope):
    """A client with the scope, or a person; which rows follows from their cohorts."""


@conditional
class GradeList(APIView):
    """Released and withdrawn grades in the order in which they changed."""

    permission_classes = [MayReadGrades]
    scopes: ClassVar = {"GET": "grades:read"}

    @extend_schema(**schema.GRADES)
    def get(self, request: Request) -> Response:
        """Return one page, and where the next one or the next pull begins."""
        filters = read_filters(request.query_params)
        last = last_change()
        place, cohorts = self._place(request, filters, last)
        rows = read_rows(cohorts=cohorts, after=place.after, limit=filters.limit + 1)
        is_last = len(rows) <= filters.limit
        rows = rows[: filters.limit]
        after = sequence_of(rows[-1]) if rows else place.after
        if is_last:
            after = caught_up(after, last)
        token = Place(after=after, cohort=place.cohort, reach=place.reach).encode()
        page: dict[str, Any] = {
            "results": list(as_json(rows)),
            "next": None if is_last else _next_page(request, token, filters.limit),
            "cursor": None if is_last else token,
            "sync": token if is_last else None,
        }
        return Response(page)

    def _place(self, request: Request, filters: Filters, last: int) -> tuple[Place, list[Any]]:
        """Return where the page begins and the cohorts it covers, or refuse."""
        asked = decode(filters.cursor) if filters.cursor else None
        cohort = filters.cohort or (asked.cohort if asked else "")
        within = dict(cohorts_in_reach(request).values_list("slug", "pk"))
        if not within:
            raise PermissionDenied("No cohort is within reach of this caller.")
        if cohort and cohort not in within:
            raise NotFound("No such cohort is within reach of this caller.")
        cohorts = [within[cohort]] if cohort else list(within.values())
        reach = reach_of(cohorts)
        if asked:
            refuse_stale(asked, cohort=filters.cohort, reach=reach, last=last)
        after = max(asked.after if asked else 0, _before(filters))
        return Place(after=after, cohort=cohort, reach=reach), cohorts


def _before(filters: Filters) -> int:
    """Return the last number of the sequence before a time; changes bear times in their order."""
    if filters.updated_since is None:
        return 0
    earlier = Grade.objects.filter(updated_at__lt=filters.updated_since)
    found = earlier.order_by("-updated_at", "-sequence").values_list("sequence", flat=True)
    return found.first() or 0


def _next_page(request: Request, token: str, limit: int) -> str:
    return request.build_absolute_uri(f"{request.path}?cursor={token}&limit={limit}")
