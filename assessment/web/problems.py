"""Errors of the API as RFC 9457 problem documents."""

import logging
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
    JsonResponse,
)
from django.urls import resolve
from django.views import defaults
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework import exceptions, serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"


class ProblemSerializer(serializers.Serializer[Any]):
    """A problem document of RFC 9457; a form of the request that does not fit names its members."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField(min_value=400, max_value=599)
    detail = serializers.CharField()
    errors = serializers.DictField(required=False)  # type: ignore[assignment]  # RFC 9457's usual name


# What each status says, in words that the service itself uses.
_SAID: dict[int, str] = {
    400: "The request does not fit; see errors.",
    401: "Authentication credentials were not provided.",
    403: "This call needs a token with the scope teach.",
    404: "Not found.",
    406: "Could not satisfy the request Accept header.",
    409: "This has changed since you read it.",
    410: "This cursor is ahead of the database, which was set back. Start again without one.",
    411: "Say how long the body is: send it with Content-Length, not in chunks.",
    412: "Someone saved a newer version; read it and decide again.",
    413: "The body is longer than this service reads.",
    415: 'Unsupported media type "text/plain" in request.',
    422: "This Idempotency-Key was used for other answers; send a new key.",
    428: "Send If-Match with the ETag you read.",
    429: "Request was throttled. Expected available in 42 seconds.",
    503: "The database is busy or does not answer; send this again in a moment.",
}
# Any call may meet these: no token, no right to it, no JSON wanted, too many calls, no database.
_OF_ALL = (401, 403, 406, 429, 503)
OF_BODIES = (400, 411, 413, 415)
# Seconds: longer than most hands hold a row.
AGAIN_AFTER = "5"


def problems(*statuses: int) -> dict[tuple[int, str], OpenApiResponse]:
    """Return the problem documents of these statuses and of those that any call may meet."""
    return {
        (status, MEDIA_TYPE): OpenApiResponse(
            ProblemSerializer,
            description=HTTPStatus(status).phrase,
            examples=[_example(status)],
        )
        for status in sorted({*_OF_ALL, *statuses})
    }


def _example(status: int) -> OpenApiExample:
    phrase = HTTPStatus(status).phrase
    problem: dict[str, Any] = {
        "type": "about:blank",
        "title": phrase,
        "status": status,
        "detail": _SAID[status],
    }
    if status == HTTPStatus.BAD_REQUEST:
        problem["errors"] = {"cohort": "is given more than once"}
    return OpenApiExample(phrase, problem, response_only=True, status_codes=[str(status)])


class Refusal(exceptions.APIException):
    """A refusal that carries more than its sentence.

    ``extra`` are further members of the problem document, ``headers`` of the response.
    """

    def __init__(
        self,
        detail: str | None = None,
        *,
        extra: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.extra = extra or {}
        self.headers = headers or {}


class TooLong(Refusal):
    """A body beyond what this service reads."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body is longer than this service reads."
    default_code = "too_long"


class Unavailable(Refusal):
    """The database is away, or two callers wanted the same rows and this one has to wait."""

    status_code = HTTPStatus.SERVICE_UNAVAILABLE
    default_detail = _SAID[503]
    default_code = "unavailable"


class Conflict(Refusal):
    """The row has moved on since the caller read it."""

    status_code = HTTPStatus.CONFLICT
    default_detail = "This has changed since you read it."
    default_code = "conflict"


class PreconditionFailed(Refusal):
    """``If-Match`` names another version than the present one."""

    status_code = HTTPStatus.PRECONDITION_FAILED
    default_detail = "Someone saved a newer version; read it and decide again."
    default_code = "precondition_failed"


class PreconditionRequired(Refusal):
    """``If-Match`` is missing where a blind overwrite would lose work (RFC 6585)."""

    status_code = HTTPStatus.PRECONDITION_REQUIRED
    default_detail = "Send If-Match with the ETag you read."
    default_code = "precondition_required"


def problem_details(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem document of an API error; anything else stays a server error."""
    if isinstance(error, RequestDataTooBig):
        error = TooLong()
    elif isinstance(error, OperationalError):
        log.error("The database refused: %s", error)
        error = Unavailable(headers={"Retry-After": AGAIN_AFTER})
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    problem: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(response.status_code).phrase,
        "status": response.status_code,
    }
    if isinstance(error, exceptions.ValidationError):
        problem["detail"] = "The request does not fit; see errors."
        problem["errors"] = error.detail
    elif isinstance(error, exceptions.APIException):
        problem["detail"] = str(error.detail)
    if isinstance(error, Refusal):
        problem |= error.extra
        for name, value in error.headers.items():
            response[name] = value
    response.data = problem
    response.content_type = MEDIA_TYPE
    # Also where the answer itself would have been YAML.
    request = context["request"]
    request.accepted_renderer, request.accepted_media_type = JSONRenderer(), MEDIA_TYPE
    return response


def problem_response(status: HTTPStatus, detail: str) -> JsonResponse:
    """Return a problem document outside of the framework's views."""
    problem = {"type": "about:blank", "title": status.phrase, "status": status, "detail": detail}
    return JsonResponse(problem, status=status, content_type=MEDIA_TYPE)


@csrf_exempt
def no_such_address(request: HttpRequest) -> HttpResponse:
    """Answer an address of the API that leads nowhere, or lacks the slash at its end.

    The redirect keeps method and body: Django's own would turn a submission into a read.
    """
    address = f"{request.path_info}/"
    if resolve(address).func is not no_such_address:
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(
            f"{request.path}/" + (f"?{query}" if query else ""), preserve_request=True
        )
    return problem_response(HTTPStatus.NOT_FOUND, "No such address; /api/schema/ names them all.")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django could not read, as problem or page; ``handler400``."""
    if is_api(request):
        return problem_response(HTTPStatus.BAD_REQUEST, "The request cannot be read.")
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer what broke, as problem or page; ``handler500``."""
    if is_api(request):
        detail = "Something broke here; the failure is written down."
        return problem_response(HTTPStatus.INTERNAL_SERVER_ERROR, detail)
    return defaults.server_error(request)


def is_api(request: HttpRequest) -> bool:
    """Return whether this request came by a door of machines."""
    return request.path.startswith("/api/")
