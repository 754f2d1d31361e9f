"""The doors of the worker."""

from smtplib import SMTPException

from celery import shared_task

from assessment.cohorts import forgetting, mailing


@shared_task(  # type: ignore[untyped-decorator]  # Celery ships no types
    autoretry_for=(SMTPException, OSError), retry_backoff=10, max_retries=3
)
def mail_forgotten(email: str, origin: str) -> None:
    """Look an address up and write to it; asked again at once, it does nothing."""
    mailing.mail_forgotten(email, origin=origin)


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def forget_expired() -> None:
    """Delete what has ended; run again, it finds nothing."""
    forgetting.forget_expired()
