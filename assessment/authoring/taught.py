"""Which sessions a person teaches."""

from django.db.models import QuerySet

from assessment.cohorts.models import Cohort, User
from exercises.models import Session


def taught_by(user: User) -> QuerySet[Session]:
    """Return the sessions of the cohorts where this user is an instructor or an assistant."""
    return Session.objects.filter(cohorts__in=Cohort.objects.taught_by(user)).distinct()
