"""Calls an LMS's services with tokens that our key signs for."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from http import HTTPStatus
from time import monotonic
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

from django.core.cache import cache
from pylti1p3.assignments_grades import AssignmentsGradesService, TAssignmentsGradersData
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.grade import Grade as Score
from pylti1p3.lineitem import LineItem as LibraryLineItem
from pylti1p3.service_connector import ServiceConnector, TServiceConnectorResponse
from requests import (
    ConnectionError,  # noqa: A004 (requests' own)
    RequestException,
    Response,
    Timeout,
)
from requests.utils import parse_header_links

from assessment.grades.lti.addresses import PlatformSession
from assessment.grades.lti.configuration import registration_of
from assessment.grades.models import Context, LineItem, Platform

SCORE_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
RESULTS_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly"
LINE_ITEM_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
LINE_ITEMS_READ_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly"
ROSTER_SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"

GRADE_SCOPES = (SCORE_SCOPE, RESULTS_SCOPE, LINE_ITEM_SCOPE, LINE_ITEMS_READ_SCOPE)
MAX_PAGES = 500
LONGEST_LIST = 60.0  # seconds, for all pages of a list together
LONGEST_ERROR = 500
_ROSTER = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
_TOKEN_REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_LONGEST_TOKEN_LIFE = timedelta(hours=1).total_seconds()
# What calling an LMS raises: it refuses, does not answer, or answers what nobody can read.
FAILURES = (LtiException, RequestException, AssertionError, ValueError)


class TokenRefusedError(LtiServiceException):
    """The platform gives this tool no token: that is about all its courses, not one message.

    It passes: keys that the platform has not seen yet, a registration that is not switched on.
    """


class Connector(ServiceConnector):
    """Keeps tokens by registration: one issuer may have several, each with tokens of its own."""

    def __init__(self, platform: Platform) -> None:
        if not platform.is_active:
            raise LtiException("This LMS is not let in any more.")
        super().__init__(registration_of(platform), PlatformSession())
        self._platform = platform

    def get_access_token(self, scopes: Sequence[str]) -> str:
        """Return a token, asked for where none is kept."""
        try:
            token: object = super().get_access_token(scopes)
        except LtiServiceException as error:
            raise TokenRefusedError("No token was given.", error.response) from error
        except (KeyError, TypeError, RecursionError) as error:
            raise LtiException("The answer to the question for a token holds none.") from error
        if not isinstance(token, str):
            raise LtiException("The answer to the question for a token holds none.")
        return token

    def _key(self, scope_key: str) -> str:
        return f"lti-token:{self._platform.pk}:{scope_key}"

    def _get_cached_access_token(self, scope_key: str) -> str | None:
        return cast("str | None", cache.get(self._key(scope_key)))

    def _cache_access_token(self, scope_key: str, access_token: str, expires_in: object) -> None:
        """Keep a token for a little less than it lasts; some platforms write that as a text."""
        try:
            seconds = min(float(expires_in), _LONGEST_TOKEN_LIFE)  # type: ignore[arg-type]  # that is tried
        except (TypeError, ValueError):
            seconds = 0
        cache.set(self._key(scope_key), access_token, max(1, int(seconds) - 10))

    def make_service_request(  # noqa: PLR0913 (the library's own)
        self,
        scopes: Sequence[str],
        url: str,
        *,
        is_post: bool = False,
        data: str | None = None,
        content_type: str = "application/json",
        accept: str = "application/json",
        case_insensitive_headers: bool = False,
    ) -> TServiceConnectorResponse:
        """Call a service; where the token that was kept is refused, a fresh one decides.

        A platform that changed its keys knows none of the tokens that it gave out before. What it
        says to a message that it took is not looked at: it may be anything.
        """
        del case_insensitive_headers  # they always are
        headers = {"Accept": accept} | ({"Content-Type": content_type} if is_post else {})
        response = self._call(scopes, url, data, headers, is_post=is_post)
        if response.status_code in _TOKEN_REFUSED:
            cache.delete(self._key(self._scope_key(scopes)))
            response = self._call(scopes, url, data, headers, is_post=is_post)
        if not response.ok:
            raise LtiServiceException("There was an error making a service request.", response)
        if is_post and response.request.method != "POST":
            # A redirect asks for another page, a form to sign in say, and drops the message.
            raise LtiException(f"The LMS took nothing and led to {response.url}")
        return {
            "headers": response.headers,
            "body": None if is_post else _body(response),
            "next_page_url": _next_page(response),
        }

    def _call(
        self,
        scopes: Sequence[str],
        url: str,
        data: str | None,
        headers: dict[str, str],
        *,
        is_post: bool,
    ) -> Response:
        headers = headers | {"Authorization": f"Bearer {self.get_access_token(scopes)}"}
        method = "POST" if is_post else "GET"
        return self._requests_session.request(method, url, data=data, headers=headers)

    def get_paginated_data(  # type: ignore[override]  # the library types less
        self, scopes: Sequence[str], url: str | None, *args: Any, **kwargs: Any
    ) -> Iterator[TServiceConnectorResponse]:
        """Yield the pages of a list that ends: a page is followed once, and not for ever.

        Raises
        ------
        ValueError
            The list leads in a circle, has too many pages or takes too long.
        """
        followed: set[str] = set()
        deadline = monotonic() + LONGEST_LIST
        while url:
            if url in followed:
                message = "The LMS's list leads back to a page that it gave already."
                raise ValueError(message)
            if len(followed) == MAX_PAGES or monotonic() > deadline:
                message = f"The LMS's list does not end: {len(followed)} pages were read."
                raise ValueError(message)
            followed.add(url)
            page = self.make_service_request(scopes, url, *args, **kwargs)
            yield page
            url = page["next_page_url"]


def _body(response: Response) -> Any:  # noqa: ANN401 (JSON)
    try:
        return response.json()
    except RecursionError as error:
        raise LtiException("The LMS's answer is nested too deeply.") from error


def _next_page(response: Response) -> str | None:
    """Return where a list goes on, however the header is written.

    People on a page that is overlooked would be taken for people who left.
    """
    for link in parse_header_links(response.headers.get("Link", "")):
        if "next" in link.get("rel", "").lower().split():
            return urljoin(response.url, link["url"])
    return None


def told(error: Exception) -> str:
    """Return what went wrong in one bounded line, without the LMS's page."""
    if isinstance(error, LtiServiceException):
        text = f"HTTP {error.response.status_code} from {error.response.url}"
    elif isinstance(error, ConnectionError | Timeout) and error.request is not None:
        host = urlsplit(error.request.url or "").netloc
        text = f"{host} does not answer ({type(error).__name__})"
    else:
        text = f"{type(error).__name__}: {error}"
    return text[:LONGEST_ERROR]


def send_score(line_item: LineItem, score: Score) -> None:
    """Post one score to a column.

    Raises
    ------
    LtiException, RequestException
        The LMS refused or cannot be reached.
    """
    context = line_item.context
    connector = Connector(context.deployment.platform)
    service = AssignmentsGradesService(connector, _grades(context, [SCORE_SCOPE]))
    service.put_grade(score, LibraryLineItem({"id": line_item.url}))


def read_results(line_item: LineItem) -> Iterator[dict[str, Any]]:
    """Yield what an LMS holds in a column."""
    context = line_item.context
    connector = Connector(context.deployment.platform)
    service = AssignmentsGradesService(connector, _grades(context, [RESULTS_SCOPE]))
    for result in service.get_grades(LibraryLineItem({"id": line_item.url})):
        if isinstance(result, dict):
            yield result


def read_line_items(context: Context) -> Iterator[dict[str, Any]]:
    """Yield the columns of a course that belong to this tool."""
    connector = Connector(context.deployment.platform)
    granted = [
        scope for scope in (LINE_ITEM_SCOPE, LINE_ITEMS_READ_SCOPE) if scope in context.scopes
    ]
    service = AssignmentsGradesService(connector, _grades(context, granted[:1]))
    found: Any
    for found in service.get_lineitems():
        if isinstance(found, dict):
            yield found


def read_members(context: Context) -> list[dict[str, Any]]:
    """Return everyone in a course, all pages of it."""
    if not context.memberships_url:
        raise LtiException("The LMS gave no address of its list of people.")
    connector = Connector(context.deployment.platform)
    members: list[dict[str, Any]] = []
    for page in connector.get_paginated_data(
        [ROSTER_SCOPE], context.memberships_url, accept=_ROSTER
    ):
        body = page["body"]
        found = body.get("members") if isinstance(body, dict) else None
        if not isinstance(found, list):
            raise LtiException("The LMS's answer holds no list of people.")
        members += [member for member in found if isinstance(member, dict)]
    return members


def _grades(context: Context, scopes: list[str]) -> TAssignmentsGradersData:
    """Return what the library wants to know, asking for the scopes that are needed only."""
    data = {"scope": scopes, "lineitems": context.line_items_url}
    return cast("TAssignmentsGradersData", data)
