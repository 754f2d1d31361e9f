"""Tasks of the doors for LMSs; each is harmless when it runs twice."""

from celery import shared_task

from assessment.grades.outbox.collecting import collect
from assessment.grades.outbox.sending import send_due


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def deliver_scores() -> None:
    """Bring the outbox up to date and send what is due."""
    collect()
    send_due()
