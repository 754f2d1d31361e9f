"""Middleware of the whole service."""

import re
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import render
from django.utils.cache import has_vary_header, patch_cache_control

from assessment.web.problems import is_api, problem_response

# A file of points, and the form around it.
LONGEST_BODY: Final = 11_000_000

GetResponse = Callable[[HttpRequest], HttpResponse]


def loopback_only(get_response: GetResponse) -> GetResponse:
    """Refuse callers from elsewhere: demo mode prints passwords on its first page."""
    if not settings.DEMO:
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponse:
        if not _is_loopback(request.META.get("REMOTE_ADDR", "")):
            return HttpResponseForbidden("The demo answers to this machine only.")
        return get_response(request)

    return middleware


def bounded_bodies(get_response: GetResponse) -> GetResponse:
    """Refuse a body that no form of this service fills, before any of it is read or kept."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if "HTTP_TRANSFER_ENCODING" in request.META:
            # Django reads as many bytes as are announced, here none: what was sent would be lost.
            problem = "Say how long the body is: send it with Content-Length, not in chunks."
            return problem_response(HTTPStatus.LENGTH_REQUIRED, problem)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) <= LONGEST_BODY:
            return get_response(request)
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        if is_api(request):
            return problem_response(status, "The body is longer than this service reads.")
        return render(request, "413.html", status=status)

    return middleware


def private_pages(get_response: GetResponse) -> GetResponse:
    """Keep what depends on who asks out of shared caches, where nothing else is said."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if has_vary_header(response, "Cookie") and not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        return response

    return middleware


class RefuseNul:
    """Answers 400 where a text holds a NUL: PostgreSQL stores none, and no keyboard types one."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer what the database refused for that reason; anything else stays a failure."""
        if not isinstance(error, DataError) or not _MENTIONS_NUL.search(str(error)):
            return None
        if is_api(request):
            return problem_response(HTTPStatus.BAD_REQUEST, "A text holds a NUL; leave it out.")
        return render(request, "400.html", status=HTTPStatus.BAD_REQUEST)


_MENTIONS_NUL = re.compile(r"\bNUL\b|\\u0000")


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == ""  # a Unix socket: this machine by nature
