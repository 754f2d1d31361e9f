"""Errors of the API as RFC 9457 problem documents."""

from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import exception_handler

MEDIA_TYPE = "application/problem+json"


class ProblemSerializer(serializers.Serializer[Any]):
    """A problem document, for the OpenAPI description."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(required=False)
    errors = serializers.JSONField(required=False)  # type: ignore[assignment]  # RFC 9457's usual name


def problems(*statuses: int) -> dict[tuple[int, str], type[ProblemSerializer]]:
    """Return the problem documents of these statuses, for the OpenAPI description."""
    return {(status, MEDIA_TYPE): ProblemSerializer for status in statuses}


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
        error = exceptions.ParseError("The body is longer than this service reads.")
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
    return response


def problem_response(status: HTTPStatus, detail: str) -> JsonResponse:
    """Return a problem document outside of the framework's views."""
    problem = {"type": "about:blank", "title": status.phrase, "status": status, "detail": detail}
    return JsonResponse(problem, status=status, content_type=MEDIA_TYPE)


@csrf_exempt
def no_such_address(_request: HttpRequest) -> JsonResponse:
    """Answer an address of the API that leads nowhere."""
    return problem_response(HTTPStatus.NOT_FOUND, "No such address; /api/schema/ names them all.")


def is_api(request: HttpRequest) -> bool:
    """Return whether this request came by a door of machines."""
    return request.path.startswith("/api/")
