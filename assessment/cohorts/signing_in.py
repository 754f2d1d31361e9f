"""Who tries to sign in, from where, and how often: wrong passwords are counted in the database.

Every web process reads the same count, and it holds while the broker is away: guessing a person's
password must never become free. (Where the database does not answer, nobody signs in at all.)
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from math import ceil
from typing import Final

from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

# What the table of tries holds; longer than any name that there is.
_LONGEST: Final = 255
# Wrong passwords for one name from one address.
_TRIES_OF_A_NAME: Final = 8
# Wrong passwords for all names from one address that no right one followed. A school of 300 behind
# one address mistypes far less in ten minutes; one password tried on every name is soon there.
TRIES_OF_AN_ADDRESS: Final = 150
# From a noisy address only those may try who signed in from there lately, and not as often.
_TRIES_WHEN_NOISY: Final = 3
LATELY: Final = timedelta(days=30)
# Who has one IPv6 address has them all up to here.
_IPV6_PREFIX: Final = 64

Credentials = Mapping[str, str] | None


def tried_username(request: HttpRequest, credentials: Credentials = None) -> str:
    """Return the name as it was typed, bounded."""
    typed = (credentials or request.POST).get("username") or ""
    return typed[:_LONGEST]


def tried_from(request: HttpRequest) -> str | None:
    """Return the caller's address: behind a proxy the one that it wrote down last.

    All would share the proxy's own otherwise, and one of them could lock any account for all.
    """
    if settings.BEHIND_PROXY:
        last = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        if found := _address(last):
            return found
        # a call from inside, past the proxy
    return _address(request.META.get("REMOTE_ADDR", ""))


def tries_allowed(request: HttpRequest, credentials: Credentials = None) -> int:
    """Return how many wrong passwords this name has from this address; ``AXES_FAILURE_LIMIT``."""
    address = tried_from(request)
    if _tries(_recent(address)) < TRIES_OF_AN_ADDRESS:
        return _TRIES_OF_A_NAME
    signed_in = AccessLog.objects.filter(
        username=tried_username(request, credentials),
        ip_address=address,
        attempt_time__gte=timezone.now() - LATELY,
    )
    return _TRIES_WHEN_NOISY if signed_in.exists() else 0


def locked_out(
    request: HttpRequest,
    _refused: HttpResponse | None = None,
    credentials: Credentials = None,
) -> HttpResponse:
    """Say when to come back; ``AXES_LOCKOUT_CALLABLE``."""
    tries = _recent(tried_from(request))
    if limit := tries_allowed(request, credentials):
        tries = tries.filter(username=tried_username(request, credentials))
    seconds = _seconds_until_below(limit or TRIES_OF_AN_ADDRESS, tries)
    context = {"minutes": ceil(seconds / 60), "whole_address": not limit}
    page = render(request, "cohorts/locked_out.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)
    page["Retry-After"] = str(seconds)
    return page


def _recent(address: str | None) -> QuerySet[AccessAttempt]:
    since = timezone.now() - settings.AXES_COOLOFF_TIME
    recent: QuerySet[AccessAttempt] = AccessAttempt.objects.filter(
        ip_address=address, attempt_time__gte=since
    )
    return recent


def _tries(attempts: QuerySet[AccessAttempt]) -> int:
    return attempts.aggregate(total=Sum("failures_since_start"))["total"] or 0


def _seconds_until_below(limit: int, attempts: QuerySet[AccessAttempt]) -> int:
    """Return when enough of the oldest tries are forgotten, at least a second."""
    now, left = timezone.now(), _tries(attempts)
    last: datetime = now - settings.AXES_COOLOFF_TIME
    for each in attempts.order_by("attempt_time"):
        if left < limit:
            break
        left, last = left - each.failures_since_start, each.attempt_time
    return max(1, ceil((last + settings.AXES_COOLOFF_TIME - now).total_seconds()))


def _address(text: str) -> str | None:
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if found.version == 6 and found.ipv4_mapped is None:  # noqa: PLR2004 (its name)
        return str(ip_network((found, _IPV6_PREFIX), strict=False).network_address)
    return str(found)
