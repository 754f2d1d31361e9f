"""The addresses of the standard: one view for collections, one for single objects."""

import json
import logging
from collections.abc import Iterator, Sequence
from datetime import datetime
from http import HTTPStatus
from itertools import chain, islice
from math import ceil
from typing import Any
from uuid import UUID

from django.db import OperationalError
from django.http import (
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    QueryDict,
    StreamingHttpResponse,
)
from django.utils import timezone
from rest_framework import exceptions
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.views import APIView

from assessment.cohorts.authentication import HeaderTokenAuthentication
from assessment.cohorts.models import AccessToken
from assessment.cohorts.permissions import cohorts_in_reach
from assessment.cohorts.throttling import ClientThrottle
from assessment.grades.oneroster import errors
from assessment.grades.oneroster.collections import Collection
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.operations import Operation
from assessment.grades.oneroster.paging import page_headers
from assessment.grades.oneroster.pulls import dated, pulled_as_of
from assessment.grades.oneroster.queries import Query, read_fields, read_query
from assessment.grades.oneroster.reach import Reach
from assessment.grades.oneroster.references import References, read_uuid
from assessment.web.problems import AGAIN_AFTER

log = logging.getLogger(__name__)

_READS = ("GET", "HEAD", "OPTIONS")


class UnreadBody(BaseParser):
    """Takes any body and reads none of it: nothing is written here."""

    media_type = "*/*"

    def parse(self, *args: object, **kwargs: object) -> QueryDict:  # noqa: ARG002 (DRF's signature)
        """Return an empty form."""
        return QueryDict()


class OneRosterView(APIView):
    """What all addresses share: tokens, scopes, throttles and the standard's refusals."""

    authentication_classes = [HeaderTokenAuthentication]
    permission_classes: list[Any] = []
    throttle_classes = [ClientThrottle]
    parser_classes = [UnreadBody]
    schema = None
    http_method_names = [method.lower() for method in _READS]

    operation: Operation | None = None

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Ask for a token, and for the scope of a read; writes are refused for everyone."""
        super().initial(request, *args, **kwargs)
        if not isinstance(request.auth, AccessToken):
            raise errors.UnauthorisedError("Send a bearer token in the Authorization header.")
        if request.method not in _READS:
            raise errors.UnsupportedError(
                "This provider is pull only: read what you need, and write in your own gradebook."
            )
        scopes = self.operation.scopes if self.operation else ()
        if scopes and not any(request.auth.allow_scopes([scope]) for scope in scopes):
            raise errors.ForbiddenError(f"The token needs one of the scopes {', '.join(scopes)}.")

    def handle_exception(self, error: Exception) -> Any:  # noqa: ANN401 (DRF's signature)
        """Answer every refusal in the standard's form."""
        refusal = _refusal(error)
        response = JsonResponse(refusal.body, status=refusal.status)
        if refusal.status == HTTPStatus.UNAUTHORIZED:
            response["WWW-Authenticate"] = 'Bearer realm="api"'
        if refusal.status == HTTPStatus.METHOD_NOT_ALLOWED:
            response["Allow"] = ", ".join(self.allowed_methods)
        wait = getattr(error, "wait", None)
        if isinstance(refusal, errors.UnavailableError):
            response["Retry-After"] = AGAIN_AFTER
        elif isinstance(refusal, errors.ServerBusyError) and wait:
            response["Retry-After"] = str(ceil(wait))
        return response

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (DRF's signature)
        """Keep people's grades out of every cache."""
        response = super().finalize_response(*args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    @property
    def routed(self) -> Operation:
        """The operation of this address."""
        assert self.operation is not None, "routed from the table of operations"  # noqa: S101
        return self.operation

    def collection(self, request: Request, ids: dict[str, str], as_of: datetime) -> Collection:
        """Return the collection of this address, within the caller's cohorts, as of a time."""
        references = References(request.build_absolute_uri("/").rstrip("/"))
        return self.routed.source(_narrowed(request, ids, as_of), references, ids)


class CollectionView(OneRosterView):
    """A page of a collection."""

    def get(self, request: Request, **ids: str) -> HttpResponseBase:
        """Return the page that the query asks for; a large one is streamed."""
        query = read_query(request.GET, self.routed.kind)
        as_of = pulled_as_of(request, query)
        collection = self.collection(request, ids, as_of)
        page = collection.page(query)
        headers = page_headers(request._request, query, page.total)  # noqa: SLF001 (DRF's way to the request below)
        parts = iter(page.parts)
        # The first parts are made at once, so that what goes wrong is still told as a refusal.
        begun = list(islice(parts, 2))
        body = _written(collection.kind.plural, chain(begun, parts), query, as_of)
        if len(begun) > 1:
            return StreamingHttpResponse(body, content_type=errors.MEDIA_TYPE, headers=headers)
        return HttpResponse(b"".join(body), content_type=errors.MEDIA_TYPE, headers=headers)


class ObjectView(OneRosterView):
    """A single object."""

    def get(self, request: Request, sourced_id: str, **ids: str) -> HttpResponseBase:
        """Return the object, deleted or not."""
        collection = self.collection(request, ids, timezone.now())
        fields = read_fields(request.GET, collection.kind)
        row = collection.one(sourced_id)
        if row is None:
            raise errors.UnknownObjectError(
                f"There is no {collection.kind.singular} {sourced_id[:100]} for this client."
            )
        return JsonResponse({collection.kind.singular: Query(fields=fields).project(row)})


class NotOfferedView(OneRosterView):
    """An operation of the standard that this provider does not have: it only writes."""

    http_method_names = ["options"]


class UnknownAddressView(OneRosterView):
    """Any other address below the standard's root."""

    def get(self, request: Request) -> HttpResponse:
        """Say so."""
        raise errors.UnknownObjectError(f"There is nothing at {request.path[:200]}.")


def _narrowed(request: Request, ids: dict[str, str], as_of: datetime) -> Reach:
    """Return the caller's cohorts, or the one that the address names."""
    reach = Reach(cohorts_in_reach(request), as_of)
    if "class_id" not in ids:
        return reach
    class_id = read_uuid(ids["class_id"])
    only: Reach | None = reach.only(class_id) if isinstance(class_id, UUID) else None
    if only is None:
        raise errors.UnknownObjectError(f"There is no class {ids['class_id'][:100]}.")
    return only


def _written(
    name: str, parts: Iterator[Sequence[Row]], query: Query, as_of: datetime
) -> Iterator[bytes]:
    yield f'{{"{name}":['.encode()
    comma = ""
    for part in parts:
        if part:
            rows = _encode([query.project(row) for row in dated(part, as_of)])
            yield (comma + rows[1:-1]).encode()
            comma = ","
    yield b"]}"


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _refusal(error: Exception) -> errors.OneRosterError:
    """Return the standard's refusal for whatever went wrong."""
    if isinstance(error, errors.OneRosterError):
        return error
    if isinstance(error, (exceptions.NotAuthenticated, exceptions.AuthenticationFailed)):
        return errors.UnauthorisedError(str(error.detail))
    if isinstance(error, exceptions.PermissionDenied):
        return errors.ForbiddenError(str(error.detail))
    if isinstance(error, exceptions.Throttled):
        return errors.ServerBusyError(str(error.detail))
    if isinstance(error, exceptions.NotAcceptable):
        return errors.NotAcceptableError(str(error.detail))
    if isinstance(error, exceptions.MethodNotAllowed):
        return errors.UnsupportedError(str(error.detail))
    if isinstance(error, OperationalError):
        log.error("The database refused: %s", error)
        return errors.UnavailableError("The database is busy or away; ask again in a moment.")
    log.error("An OneRoster request failed", exc_info=error)
    return errors.InternalError("Something broke here; the failure is written down.")
