"""Delivers the outbox: one cell after another, each on its own, again after growing pauses."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

import requests
from django.db.models import Q
from django.utils import timezone
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.grade import Grade as Score

from assessment.grades.lti.services import TokenRefusedError, send_score, told
from assessment.grades.models import Passback
from assessment.grades.numbers import number

log = logging.getLogger(__name__)

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=6)
# About a week of tries; after that a person looks.
MOST_TRIES = 36
_CLAIM = timedelta(minutes=5)
_TICK = timedelta(milliseconds=1)
# Refusals that may pass by themselves: too early, too fast, a token that ran out, a clash of times.
_PASSING = {
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.CONFLICT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
}


@dataclass(frozen=True, slots=True)
class Delivery:
    """What one run did."""

    sent: int = 0
    failed: int = 0


def send_due(limit: int = 200) -> Delivery:
    """Send what is due; an LMS that cannot be reached is left alone for the rest of the run."""
    sent = failed = 0
    silent: set[object] = set()
    due = Passback.objects.due(timezone.now()).order_by("next_try_at", "pk")
    related = "line_item__context__deployment__platform", "person"
    for cell in due.select_related(*related)[:limit]:
        platform_id = cell.line_item.context.deployment.platform_id
        if platform_id in silent or not _claim(cell):
            continue
        try:
            send_score(cell.line_item, score_of(cell))
        except (LtiException, requests.RequestException, AssertionError, ValueError) as error:
            failed += 1
            _failed(cell, error)
            if isinstance(error, requests.RequestException | TokenRefusedError):
                silent.add(platform_id)
        else:
            sent += 1
            _sent(cell)
    return Delivery(sent, failed)


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
    return score


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _claim(cell: Passback) -> bool:
    """Take a cell for this worker, and give the message a later time than any before it."""
    now = timezone.now()
    written = now.replace(microsecond=now.microsecond // 1000 * 1000)
    cell.stamp = max(written, cell.stamp + _TICK) if cell.stamp else written
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    waiting = Passback.objects.filter(free, pk=cell.pk, state=Passback.State.WAITING)
    return bool(
        waiting.filter(cause=cell.cause).update(claimed_until=now + _CLAIM, stamp=cell.stamp)
    )


def _sent(cell: Passback) -> None:
    """Note the delivery, unless the cell has something newer to say by now."""
    said = Passback.objects.filter(pk=cell.pk)
    said.update(claimed_until=None)
    said.filter(cause=cell.cause, state=Passback.State.WAITING).update(
        state=Passback.State.SENT, sent_at=timezone.now(), last_error="", tries=cell.tries + 1
    )


def _failed(cell: Passback, error: Exception) -> None:
    tries = cell.tries + 1
    final = tries >= MOST_TRIES or _is_final(error)
    text = told(error)
    log.warning("A score was not delivered (try %s): %s", tries, text)
    changes: dict[str, Any] = {
        "tries": tries,
        "last_error": text,
        "next_try_at": timezone.now() + pause(tries),
    }
    if final:
        changes["state"] = Passback.State.REFUSED
    said = Passback.objects.filter(pk=cell.pk)
    said.update(claimed_until=None)
    said.filter(cause=cell.cause, state=Passback.State.WAITING).update(**changes)


def pause(tries: int) -> timedelta:
    """Return how long to wait after so many failures: doubling, up to a quarter of a day."""
    doublings: int = min(tries - 1, 20)
    return min(FIRST_PAUSE * int(2**doublings), LONGEST_PAUSE)


def _is_final(error: Exception) -> bool:
    """Return whether trying again would only be refused again."""
    if not isinstance(error, LtiServiceException) or isinstance(error, TokenRefusedError):
        return False
    status = error.response.status_code
    return HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR and (
        status not in _PASSING
    )
