"""Middleware of the whole service."""

import re
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import render

from assessment.web.problems import is_api, problem_response

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
