"""Wakes a worker; the database is the truth, so a wake-up may get lost and no one waits for it."""

import logging
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillSending
from typing import Final
from uuid import UUID

from celery import current_app
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

CHECK: Final = "assessment.attempts.tasks.check_submission"
# A learner who submits waits at most this long for the broker, then the sweep takes over.
PATIENCE_SECONDS: Final = 0.5
# One more try at once: a connection kept since before the broker restarted fails its first time.
_RETRY: Final = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}

# A broker that accepts connections and says nothing would hold the sender for its whole time limit,
# so a thread of its own does the sending.
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="wake-up")


def wake(submission_id: UUID) -> bool:
    """Ask for the check of one submission; return whether the broker took the message in time."""
    sending = _sender.submit(_send, str(submission_id))
    try:
        return sending.result(timeout=PATIENCE_SECONDS)
    except StillSending:
        sending.cancel()
        log.warning("The broker does not answer; the sweep will send submission %s.", submission_id)
        return False


def _send(submission_id: str) -> bool:
    try:
        current_app.send_task(CHECK, args=[submission_id], retry=True, retry_policy=_RETRY)
    except (KombuError, RedisError, OSError) as error:
        log.warning("The broker is away (%s); the sweep will send %s.", error, submission_id)
        return False
    return True
