"""Pages of the queue: a cursor over ids, which never tie."""

import re
from base64 import b64decode
from typing import Any, Final

from rest_framework.exceptions import ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

HIGHEST_LIMIT: Final = 200
_PLACE = re.compile(r"(?:o=[0-9]{1,4}&)?(?:r=1&)?p=[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NEXT = "https://firstbreak.example/api/v1/submissions/?cursor=cD0wMTkz"


class QueuePagination(CursorPagination):
    """Oldest first; ids begin with the time of arrival."""

    ordering = "id"
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = HIGHEST_LIMIT

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return where the page begins; a cursor that was not made here is refused."""
        encoded = request.query_params.get(self.cursor_query_param)
        if not encoded:
            return None
        try:
            place = b64decode(encoded, validate=True).decode("ascii")
        except ValueError:
            place = ""
        if not _PLACE.fullmatch(place):
            raise ValidationError({"cursor": "is no cursor of this list; leave it out"})
        return super().decode_cursor(request)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page; the framework's own words are those of OpenAPI 3.0."""
        address = {"type": ["string", "null"], "format": "uri", "example": _NEXT}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": address, "previous": address, "results": schema},
        }

    def get_schema_operation_parameters(self, view: object) -> list[dict[str, Any]]:  # noqa: ARG002 (DRF's signature)
        """Describe the cursor; the other parameters are those of the query."""
        return [
            {
                "name": self.cursor_query_param,
                "in": "query",
                "required": False,
                "description": "Of a page's `next` or `previous`.",
                "schema": {"type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$", "maxLength": 200},
            }
        ]
