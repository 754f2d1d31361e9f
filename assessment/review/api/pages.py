"""Pages of the queue: a cursor over ids, which never tie."""

from typing import Final

from rest_framework.pagination import CursorPagination

HIGHEST_LIMIT: Final = 200


class QueuePagination(CursorPagination):
    """Oldest first; ids begin with the time of arrival."""

    ordering = "id"
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = HIGHEST_LIMIT
