"""Calls of one client are counted by the minute; where nobody can count, they pass."""

import logging
import time
from math import ceil
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import caches
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from assessment.cohorts.models import AccessToken, User

if TYPE_CHECKING:
    from rest_framework.views import APIView  # it imports this module through the settings

log = logging.getLogger(__name__)

_WINDOW = 60
# After a failure the counter is left alone for a while: no call waits for its timeout again.
_PAUSE = 10.0


class Counter:
    """Counts calls by the minute in the cache that all processes share."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def count(self, key: str, now: float) -> int:
        """Return the calls of this minute, this one included; 0 where nobody can count."""
        if time.monotonic() < self._silent_until:
            return 0
        cache, name = caches["shared"], f"calls:{key}:{int(now // _WINDOW)}"
        try:
            cache.add(name, 0, timeout=2 * _WINDOW)
            return cache.incr(name)
        except (RedisError, OSError, ValueError):  # down, deaf, or wiped between the two calls
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
        self._wait = ceil(_WINDOW - now % _WINDOW)
        return False

    def wait(self) -> float | None:
        """Return the seconds for ``Retry-After``."""
        return self._wait


def _caller(request: Request, throttle: BaseThrottle) -> str:
    token = request.auth
    if isinstance(token, AccessToken):
        return f"client-{token.application_id}" if token.application_id else f"user-{token.user_id}"
    if isinstance(request.user, User):
        return f"user-{request.user.pk}"
    return f"address-{throttle.get_ident(request)}"
