"""What nobody needs any more is not kept."""

from axes.models import AccessLog
from django.contrib.sessions.models import Session
from django.utils import timezone

from assessment.cohorts.models import AccessToken
from assessment.cohorts.signing_in import LATELY


def forget_expired() -> None:
    """Delete tokens and sessions that have ended, and old notes of who signed in from where."""
    now = timezone.now()
    AccessToken.objects.filter(expires__lt=now).delete()
    Session.objects.filter(expire_date__lt=now).delete()
    AccessLog.objects.filter(attempt_time__lt=now - LATELY).delete()
