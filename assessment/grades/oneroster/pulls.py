"""As of when a client is told: the latest date that one pull shows it.

A client goes on from the latest date it was shown. So no page may show a date with anything before
it still to come, neither from a transaction that has not committed yet nor from one that commits
while the page, or a later page of the same pull, is read.
"""

import hashlib
import logging
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.core.cache import caches
from django.db import transaction
from django.utils import timezone
from redis.exceptions import RedisError
from rest_framework.request import Request

from assessment.grades.models import now_in_order
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.queries import Query
from assessment.grades.oneroster.references import stamp
from assessment.review.models import GradeSequence

log = logging.getLogger(__name__)

# Deadlines pass without anyone changing anything: they are told of this late at most.
_LAG = timedelta(minutes=1)
_LONGEST_PULL = timedelta(hours=6)


def pulled_as_of(request: Request, query: Query) -> datetime:
    """Return the time as of which this page is told: that of the first page of its pull."""
    moment = _settled()
    asked = [request.auth.application_id, request.path]  # type: ignore[union-attr]  # a view lets only tokens in
    asked += [request.GET.get(name, "") for name in ("filter", "sort", "orderBy")]
    key = "pull:" + hashlib.sha256("\0".join(map(str, asked)).encode()).hexdigest()
    try:
        if query.offset:
            begun: datetime = caches["shared"].get(key, moment)
            return min(moment, begun)
        caches["shared"].set(key, moment, timeout=_LONGEST_PULL.total_seconds())
    except (RedisError, OSError):
        if query.offset:
            log.warning("What changes between two pages may be missed: the cache is out of reach")
    return moment


def dated(rows: Iterable[Row], as_of: datetime) -> Iterator[Row]:
    """Yield the rows, no date of a change later than that."""
    latest = stamp(as_of)
    for row in rows:
        row["dateLastModified"] = min(row["dateLastModified"], latest)
        yield row


def _settled() -> datetime:
    """Return a time before which every change is committed and after which all others come."""
    found = GradeSequence.objects.values_list("last_at", flat=True).first()
    if found is None or found < timezone.now() - _LAG:
        with transaction.atomic():
            found = now_in_order()
    return found
