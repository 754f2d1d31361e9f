"""Calls an LMS's services with tokens that our key signs for."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from math import floor
from typing import Any, cast
from urllib.parse import urlsplit

from django.core.cache import cache
from pylti1p3.assignments_grades import AssignmentsGradesService, TAssignmentsGradersData
from pylti1p3.exception import LtiServiceException
from pylti1p3.grade import Grade as Score
from pylti1p3.lineitem import LineItem as LibraryLineItem
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.service_connector import ServiceConnector, TServiceConnectorResponse
from requests import ConnectionError, Timeout  # noqa: A004 (requests' own)

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
LONGEST_ERROR = 500
_TOKEN_REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}


class TokenRefusedError(LtiServiceException):
    """The platform gives this tool no token: that is about all its courses, not one message.

    It passes: keys that the platform has not seen yet, a registration that is not switched on.
    """


class Connector(ServiceConnector):
    """Keeps tokens by registration: one issuer may have several, each with tokens of its own."""

    def __init__(self, platform: Platform) -> None:
        super().__init__(registration_of(platform), PlatformSession())
        self._platform = platform

    def get_access_token(self, scopes: Sequence[str]) -> str:
        """Return a token, asked for where none is kept."""
        try:
            return super().get_access_token(scopes)
        except LtiServiceException as error:
            raise TokenRefusedError("No token was given.", error.response) from error

    def _key(self, scope_key: str) -> str:
        return f"lti-token:{self._platform.pk}:{scope_key}"

    def _get_cached_access_token(self, scope_key: str) -> str | None:
        return cast("str | None", cache.get(self._key(scope_key)))

    def _cache_access_token(self, scope_key: str, access_token: str, expires_in: float) -> None:
        cache.set(self._key(scope_key), access_token, max(1, floor(expires_in) - 10))

    def make_service_request(
        self, scopes: Sequence[str], *args: Any, **kwargs: Any
    ) -> TServiceConnectorResponse:
        """Call a service; where the token that was kept is refused, a fresh one decides.

        A platform that changed its keys knows none of the tokens that it gave out before.
        """
        try:
            return super().make_service_request(scopes, *args, **kwargs)
        except TokenRefusedError:
            raise
        except LtiServiceException as error:
            if error.response.status_code not in _TOKEN_REFUSED:
                raise
            cache.delete(self._key(self._scope_key(sorted(scopes))))
            return super().make_service_request(scopes, *args, **kwargs)


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
    yield from (dict(found) for found in service.get_lineitems())


def read_members(context: Context) -> list[dict[str, Any]]:
    """Return everyone in a course, all pages of it."""
    connector = Connector(context.deployment.platform)
    service = NamesRolesProvisioningService(
        connector, {"context_memberships_url": context.memberships_url}
    )
    members: list[dict[str, Any]] = []
    url: str | None = context.memberships_url
    for _ in range(MAX_PAGES):
        page, url = service.get_members_page(url)
        members += [dict(member) for member in page]
        if not url:
            return members
    message = f"The roster of {context} has more than {MAX_PAGES} pages."
    raise ValueError(message)


def _grades(context: Context, scopes: list[str]) -> TAssignmentsGradersData:
    """Return what the library wants to know, asking for the scopes that are needed only."""
    data = {"scope": scopes, "lineitems": context.line_items_url}
    return cast("TAssignmentsGradersData", data)
