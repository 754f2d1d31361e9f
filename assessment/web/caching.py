"""Answers of the API are private, and say whether they changed."""

from http import HTTPStatus
from typing import TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.decorators import decorator_from_middleware, method_decorator
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.cache import cache_control
from django.views.decorators.vary import vary_on_headers
from rest_framework.views import APIView

from assessment.web.problems import problem_response

View = TypeVar("View", bound=type[APIView])
_READ = {HTTPStatus.OK, HTTPStatus.NO_CONTENT}


class Versions(MiddlewareMixin):
    """Gives what is read an ETag, for HEAD the one of GET, and answers by what the caller has.

    Nothing here has a time of change, so a condition on one says nothing (RFC 9110, 13.1.4).
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
        """Return the answer, 304 to who has it, or 412 where ``If-Match`` wants another."""
        if request.method not in {"GET", "HEAD"} or response.status_code not in _READ:
            return response
        if not response.has_header("ETag"):
            set_response_etag(response)
        request.META.pop("HTTP_IF_UNMODIFIED_SINCE", None)
        answer = get_conditional_response(request, etag=response.get("ETag"), response=response)
        if answer is None or answer.status_code != HTTPStatus.PRECONDITION_FAILED:
            return answer or response
        problem = "If-Match names another version than the present one; read it again."
        return problem_response(HTTPStatus.PRECONDITION_FAILED, problem)


def conditional(view: View) -> View:
    """Give answers an ETag, say 304 to who has them, keep them out of shared caches."""
    for decorator in (
        decorator_from_middleware(Versions),
        cache_control(private=True, no_cache=True),
        vary_on_headers("Authorization", "Cookie"),
    ):
        view = method_decorator(decorator, name="dispatch")(view)
    return view
