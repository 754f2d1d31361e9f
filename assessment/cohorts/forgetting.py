"""What nobody needs any more is not kept."""

from axes.models import AccessLog
from django.contrib.sessions.models import Session
from django.utils import timezone

from assessment.cohorts.models import AccessToken, PeopleList, PlaceOffer
from assessment.cohorts.models.people_list import KEPT
from assessment.cohorts.models.place_offer import OFFERED_FOR
from assessment.cohorts.signing_in import LATELY


def forget_expired() -> None:
    """Delete what ended or was left unanswered, lists of people, and who signed in where."""
    now = timezone.now()
    AccessToken.objects.filter(expires__lt=now).delete()
    Session.objects.filter(expire_date__lt=now).delete()
    PeopleList.objects.filter(handed_in_at__lt=now - KEPT).delete()
    PlaceOffer.objects.filter(made_at__lt=now - OFFERED_FOR).delete()
    AccessLog.objects.filter(attempt_time__lt=now - LATELY).delete()
