"""Pages of the queue: a cursor over ids, which never tie."""

from typing import Final
from uuid import UUID

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

HIGHEST_LIMIT: Final = 200


class QueuePagination(CursorPagination):
    """Oldest first; ids begin with the time of arrival."""

    ordering = "id"
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = HIGHEST_LIMIT

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return where the page begins; a place that is no id was not made here."""
        cursor = super().decode_cursor(request)
        if cursor and cursor.position is not None:
            try:
                UUID(str(cursor.position))
            except ValueError as error:
                raise NotFound(self.invalid_cursor_message) from error
        return cursor
