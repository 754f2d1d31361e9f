"""The headers of a page: how many there are, and where the other pages are."""

from django.http import HttpRequest, QueryDict

from assessment.grades.oneroster.queries import Query


def page_headers(request: HttpRequest, query: Query, total: int) -> dict[str, str]:
    """Return ``X-Total-Count`` and ``Link``; the last page has no ``next``.

    Clients read the links with simple patterns, so nothing stands after the quoted ``rel``.
    """
    last = max(total - 1, 0) // query.limit * query.limit
    offsets = {"first": 0, "last": last}
    if query.offset > 0:
        offsets["prev"] = max(min(query.offset - query.limit, last), 0)
    if query.offset + query.limit < total:
        offsets["next"] = query.offset + query.limit
    links = (
        f'<{_address(request, query.limit, offset)}>; rel="{rel}"'
        for rel, offset in offsets.items()
    )
    return {"X-Total-Count": str(total), "Link": ", ".join(links)}


def _address(request: HttpRequest, limit: int, offset: int) -> str:
    params: QueryDict = request.GET.copy()
    params["limit"], params["offset"] = str(limit), str(offset)
    return request.build_absolute_uri(f"{request.path}?{params.urlencode()}")
