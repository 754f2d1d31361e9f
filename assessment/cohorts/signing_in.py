"""Who tries to sign in, and from where: what tries are counted by."""

from collections.abc import Mapping
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

# What the table of tries holds; longer than any name that there is.
_LONGEST = 255


def tried_username(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> str:
    """Return the name as it was typed, bounded."""
    typed = (credentials or request.POST).get("username") or ""
    return typed[:_LONGEST]


def tried_from(request: HttpRequest) -> str | None:
    """Return the caller's address: behind a proxy the one that it wrote down last.

    All would share the proxy's own otherwise, and one of them could lock any account for all.
    """
    if settings.BEHIND_PROXY:
        last = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        try:
            return str(ip_address(last))
        except ValueError:
            pass  # a call from inside, past the proxy
    return request.META.get("REMOTE_ADDR")
