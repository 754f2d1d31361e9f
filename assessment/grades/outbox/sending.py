"""Delivers the outbox: one cell after another, each on its own, again after growing pauses."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from time import monotonic
from typing import Any, TypeGuard
from urllib.parse import urlsplit
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from pylti1p3.exception import LtiServiceException
from pylti1p3.grade import Grade as Score

from assessment.grades.lti.services import FAILURES, TokenRefusedError, send_score, told
from assessment.grades.models import Passback, Platform
from assessment.grades.numbers import number
from assessment.grades.outbox.collecting import collect_for, still_holds, tells_of_an_attempt

log = logging.getLogger(__name__)

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=6)
# About a week of tries; after that a person looks.
MOST_TRIES = 36
_CLAIM = timedelta(minutes=5)
# Seconds after which no further message is begun: one that takes its longest still ends in time.
_LONGEST_RUN = 30.0
_TICK = timedelta(milliseconds=1)
# Refusals that may pass by themselves: too early, too fast, a token that ran out, a clash of times.
_PASSING = {
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.CONFLICT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
}
_CANVAS_SUBMISSION = "https://canvas.instructure.com/lti/submission"
_OVERLOADED = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one run did."""

    sent: int = 0
    failed: int = 0


def send_due(limit: int = 200) -> Delivery:
    """Send what is due, for a while; an LMS that is out of order is left alone for the run.

    Its messages do not stand in the way of other LMSs' either.
    """
    sent = failed = 0
    silent: set[UUID] = set()
    ends = monotonic() + _LONGEST_RUN
    for _ in range(limit):
        cell = _next(silent)
        if cell is None or monotonic() > ends:
            break
        if not still_holds(cell):
            _look_again(cell)
            continue
        if not _claim(cell):
            continue
        try:
            send_score(cell.line_item, score_of(cell))
        except FAILURES as error:
            failed += 1
            _failed(cell, error)
            if _is_of_the_platform(error):
                silent.add(cell.person.platform_id)
                _leave_alone(cell.person.platform_id, _asked_to_wait(error))
        else:
            sent += 1
            _sent(cell)
    return Delivery(sent, failed)


def _next(silent: set[UUID]) -> Passback | None:
    """Return what waits longest and may go, as it stands now (one query)."""
    now = timezone.now()
    due = Passback.objects.due(now).exclude(person__platform__in=silent)
    due = due.filter(_free(now), person__platform__is_active=True)
    related = due.select_related("line_item__context__deployment__platform", "person__platform")
    return related.order_by("next_try_at", "pk").first()


def _look_again(cell: Passback) -> None:
    """Let a cell say what holds by now; one that nothing is to be said of waits."""
    collect_for(cell.line_item)
    same = Passback.objects.filter(pk=cell.pk, cause=cell.cause)
    same.update(next_try_at=timezone.now() + LONGEST_PAUSE)


def _free(now: datetime) -> Q:
    return Q(claimed_until=None) | Q(claimed_until__lt=now)


def score_of(cell: Passback) -> Score:
    """Return the message: points and maximum as they are, or no score at all.

    An exercise without points has a column that takes none: it is only said to be done.
    """
    score = Score()
    score.set_user_id(cell.person.subject)
    score.set_activity_progress(cell.activity)
    score.set_grading_progress(cell.grading)
    assert cell.stamp is not None, "claimed cells are stamped"  # noqa: S101
    score.set_timestamp(_written(cell.stamp))
    if cell.points is not None and cell.maximum > 0:
        score.set_score_given(number(cell.points))
        score.set_score_maximum(number(cell.maximum))
    if cell.submitted_at is not None:
        score.set_submitted_at(_written(cell.submitted_at))
    if _is_canvas(cell.person.platform) and not tells_of_an_attempt(cell):
        score.set_extra_claims({_CANVAS_SUBMISSION: {"new_submission": False}})
    return score


def _is_canvas(platform: Platform) -> bool:
    """Return whether an LMS takes each message for a new attempt, where nothing else is said.

    Every Canvas calls itself this, wherever it is, unless whoever runs it changed that.
    """
    return (urlsplit(platform.issuer).hostname or "").endswith(".instructure.com")


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _claim(cell: Passback) -> bool:
    """Take a cell for this worker, and give the message a later time than any before it."""
    now = timezone.now()
    waiting = Passback.objects.filter(
        _free(now), pk=cell.pk, state=Passback.State.WAITING, cause=cell.cause, stamp=cell.stamp
    )
    written = now.replace(microsecond=now.microsecond // 1000 * 1000)
    cell.stamp = max(written, cell.stamp + _TICK) if cell.stamp else written
    return bool(waiting.update(claimed_until=now + _CLAIM, stamp=cell.stamp))


def _sent(cell: Passback) -> None:
    _settle(
        cell,
        state=Passback.State.SENT,
        sent_at=timezone.now(),
        last_error="",
        tries=cell.tries + 1,
    )


def _failed(cell: Passback, error: Exception) -> None:
    tries = cell.tries + 1
    final = tries >= MOST_TRIES or _is_final(error)
    text = told(error)
    log.warning("A score was not delivered (try %s): %s", tries, text)
    changes: dict[str, Any] = {
        "tries": tries,
        "last_error": text,
        "next_try_at": timezone.now() + max(pause(tries), _asked_to_wait(error)),
    }
    if final:
        changes["state"] = Passback.State.REFUSED
    _settle(cell, **changes)


def _settle(cell: Passback, **changes: Any) -> None:
    """Note what became of a message, unless the cell has something newer to say by now.

    The claim ends last, and only by who holds it: nobody takes what was sent for what waits.
    """
    held = Passback.objects.filter(pk=cell.pk, stamp=cell.stamp)
    held.filter(cause=cell.cause, state=Passback.State.WAITING).update(**changes)
    held.update(claimed_until=None)


def pause(tries: int) -> timedelta:
    """Return how long to wait after so many failures: doubling, up to a quarter of a day."""
    doublings: int = min(tries - 1, 20)
    return min(FIRST_PAUSE * int(2**doublings), LONGEST_PAUSE)


def _leave_alone(platform_id: UUID, wait: timedelta) -> None:
    """Let all messages to an LMS wait where it says how long."""
    if wait:
        now = timezone.now()
        due = Passback.objects.due(now).filter(person__platform=platform_id)
        due.update(next_try_at=now + wait)


def _asked_to_wait(error: Exception) -> timedelta:
    """Return how long the LMS says to wait, where it says that in seconds; at most the longest."""
    text = error.response.headers.get("Retry-After", "") if _has_answer(error) else ""
    if not text.strip().isdecimal():
        return timedelta()
    return timedelta(seconds=min(int(text[:9]), int(LONGEST_PAUSE.total_seconds())))


def _has_answer(error: Exception) -> TypeGuard[LtiServiceException]:
    return isinstance(error, LtiServiceException)


def _is_of_the_platform(error: Exception) -> bool:
    """Return whether the next message would fare no better: no answer, no token, too much asked."""
    if isinstance(error, TokenRefusedError) or not _has_answer(error):
        return True
    return error.response.status_code in _OVERLOADED


def _is_final(error: Exception) -> bool:
    """Return whether trying again would only be refused again."""
    if not _has_answer(error) or isinstance(error, TokenRefusedError):
        return False
    status = error.response.status_code
    return HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR and (
        status not in _PASSING
    )
