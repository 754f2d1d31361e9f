"""Calls are counted by the minute in the cache that all processes share.

Where nobody can count, they pass: with the broker away an LMS still reads its grades, and what a
guesser would win is nothing, as secrets and tokens are long and random. (Passwords are not: their
tries are counted in the database, see ``signing_in``.)

For the same reason tokens that nobody knows are not counted: each costs one look-up by an index,
less than the sign-in page does, and to count it would cost as much. A count by address could only
shut out an LMS that shares it with whoever guesses.
"""

import base64
import hashlib
import logging
import time
from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from math import ceil
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from assessment.cohorts.models import AccessToken, User
from assessment.cohorts.signing_in import tried_from

if TYPE_CHECKING:
    from rest_framework.views import APIView  # it imports this module through the settings

log = logging.getLogger(__name__)

_WINDOW = 60
# After a failure the counter is left alone for a while: no call waits for its timeout again.
_PAUSE = 10.0
# Calls a minute of the doors where clients show their secrets, by address.
CALLS_OF_AN_ADDRESS: Final = 300
# Refused ones: of one client, from one address; and of all clients from there. A stranger who knows
# a client's id spends only what their own address has.
REFUSALS_OF_A_CLIENT: Final = 10
REFUSALS_OF_AN_ADDRESS: Final = 60
# Served ones: only who has the secret can use them up. A token lives for an hour.
TOKENS_OF_A_CLIENT: Final = 60


class Counter:
    """Counts calls by the minute in the cache that all processes share; 0 where nobody can."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def count(self, key: str, now: float) -> int:
        """Return the calls of this minute, this one included."""

        def add(name: str) -> int:
            caches["shared"].add(name, 0, timeout=2 * _WINDOW)
            return caches["shared"].incr(name)

        return self._ask(add, key, now)

    def seen(self, key: str, now: float) -> int:
        """Return the calls of this minute so far."""
        return self._ask(lambda name: int(caches["shared"].get(name, 0)), key, now)

    def _ask(self, question: Callable[[str], int], key: str, now: float) -> int:
        if time.monotonic() < self._silent_until:
            return 0
        try:
            return question(f"calls:{key}:{int(now // _WINDOW)}")
        except (RedisError, OSError, ValueError):  # down, deaf, or wiped between two questions
            self._silent_until = time.monotonic() + _PAUSE
            log.warning("Calls are not counted for %s s: the cache cannot be reached", _PAUSE)
            return 0


_counter = Counter()


class ClientThrottle(BaseThrottle):
    """At most ``API_CALLS_PER_MINUTE`` calls of one client, person or address."""

    def __init__(self) -> None:
        self._wait: float | None = None

    def allow_request(self, request: Request, view: "APIView") -> bool:  # noqa: ARG002 (DRF's signature)
        """Count the call; beyond the limit tell when the next minute begins."""
        now = time.time()
        if _counter.count(_caller(request, self), now) <= settings.API_CALLS_PER_MINUTE:
            return True
        self._wait = rest_of_the_minute(now)
        return False

    def wait(self) -> float | None:
        """Return the seconds for ``Retry-After``."""
        return self._wait


def throttle_clients(
    view: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Bound the calls of a door where clients show their secrets."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return view(request)
        now, address = time.time(), f"{tried_from(request)}"
        client = f"{address}:{_named_client(request)}"
        bounds = [
            (_counter.count(f"asked:{address}", now) - 1, CALLS_OF_AN_ADDRESS),
            (_counter.seen(f"refused:{address}", now), REFUSALS_OF_AN_ADDRESS),
            (_counter.seen(f"refused:{client}", now), REFUSALS_OF_A_CLIENT),
            (_counter.seen(f"served:{client}", now), TOKENS_OF_A_CLIENT),
        ]
        if _is_reached(bounds):
            return _come_back(rest_of_the_minute(now))
        response = view(request) if _is_readable(request) else _unreadable()
        if response.status_code == HTTPStatus.OK:
            _counter.count(f"served:{client}", now)
        else:
            _counter.count(f"refused:{client}", now)
            _counter.count(f"refused:{address}", now)
        return _in_form(response)

    return guarded


def _is_reached(bounds: Iterable[tuple[int, int]]) -> bool:
    return any(seen >= bound for seen, bound in bounds)


def _come_back(seconds: int) -> HttpResponse:
    """Return an error of RFC 6749, section 5.2, in form; the status is RFC 6585's."""
    problem = {
        "error": "temporarily_unavailable",
        "error_description": f"Too many calls; ask again in {seconds} seconds.",
    }
    headers = {"Retry-After": str(seconds), "Cache-Control": "no-store"}
    return JsonResponse(problem, status=HTTPStatus.TOO_MANY_REQUESTS, headers=headers)


def _in_form(response: HttpResponse) -> HttpResponse:
    """Return an answer with the headers of RFC 6749, where the toolkit leaves them out."""
    if response.content:
        response["Content-Type"] = "application/json"
    response["Cache-Control"] = "no-store"
    if response.status_code == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Basic realm="clients"'
    return response


def _is_readable(request: HttpRequest) -> bool:
    try:
        return request.POST is not None
    except (MultiPartParserError, SuspiciousOperation, UnreadablePostError):
        return False


def _unreadable() -> HttpResponse:
    problem = {"error": "invalid_request", "error_description": "The form cannot be read."}
    return JsonResponse(problem, status=HTTPStatus.BAD_REQUEST)


def _named_client(request: HttpRequest) -> str:
    """Return a short name for the client that the caller says to be, whoever it is."""
    scheme, _blank, pair = request.headers.get("Authorization", "").partition(" ")
    try:
        if scheme.lower() == "basic":
            name = unquote_to_bytes(base64.b64decode(pair).partition(b":")[0])
        else:
            name = request.POST.get("client_id", "").encode() if _is_readable(request) else b""
    except ValueError:  # no base64, or half of a surrogate pair
        name = b""
    return hashlib.sha256(name).hexdigest()[:32]


def rest_of_the_minute(now: float) -> int:
    """Return the seconds until calls are counted anew."""
    return ceil(_WINDOW - now % _WINDOW)


def _caller(request: Request, throttle: BaseThrottle) -> str:
    token = request.auth
    if isinstance(token, AccessToken):
        return f"client-{token.application_id}" if token.application_id else f"user-{token.user_id}"
    if isinstance(request.user, User):
        return f"user-{request.user.pk}"
    return f"address-{throttle.get_ident(request)}"
