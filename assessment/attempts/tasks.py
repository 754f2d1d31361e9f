"""The doors of the worker."""

from typing import Any
from uuid import UUID

from celery import shared_task
from django.db import OperationalError

from assessment.attempts import checking, sweeping

_RETRY = {"autoretry_for": (OperationalError,), "retry_backoff": True, "max_retries": 5}


@shared_task(bind=True, **_RETRY)  # type: ignore[untyped-decorator]  # Celery ships no types
def check_submission(self: Any, submission_id: str) -> None:  # noqa: ANN401 (Celery ships no types)
    """Check one submission; harmless when delivered twice."""
    checking.check(UUID(submission_id), claim=UUID(self.request.id))


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def sweep() -> None:
    """Dispatch again every submission still waiting for a check."""
    sweeping.sweep()
