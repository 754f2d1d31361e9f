"""Middleware of the whole service."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden

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


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == ""  # a Unix socket: this machine by nature
