"""The doors of the worker."""

from celery import shared_task

from assessment.cohorts import mailing


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def mail_forgotten(email: str, origin: str) -> None:
    """Look an address up and write to it; asked again at once, it does nothing."""
    mailing.mail_forgotten(email, origin=origin)
