"""Says so when several workers share one SQLite file, where they only wait for each other."""

import fcntl
import logging
from pathlib import Path
from typing import IO, Any

from celery.signals import worker_ready
from django.conf import settings
from django.db import connection

log = logging.getLogger(__name__)
_held: list[IO[str]] = []


@worker_ready.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def warn_of_several_workers(sender: Any, **_more: Any) -> None:  # noqa: ANN401 (the same)
    """Warn when this worker has several processes, or another one runs on the same data."""
    if connection.vendor != "sqlite":
        return
    processes = getattr(sender.controller, "concurrency", 1) or 1
    if processes > 1 or not _is_alone(Path(settings.VAR_DIR) / "worker.lock"):
        log.warning(
            "Several worker processes share one SQLite database, which takes one writer at a time: "
            "they are no faster than one. Set DATABASE_URL to a PostgreSQL database, or run a "
            "single worker with --concurrency 1."
        )


def _is_alone(lock: Path) -> bool:
    file = lock.open("w")
    _held.append(file)  # held until this process ends
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
