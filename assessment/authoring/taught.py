"""Which sessions a person teaches."""

from django.db.models import QuerySet

from assessment.cohorts.models import Cohort, Enrolment, User
from exercises.models import Session


def taught_by(user: User) -> QuerySet[Session]:
    """Return the sessions of the cohorts where this user is an instructor or an assistant."""
    return Session.objects.filter(cohorts__in=Cohort.objects.taught_by(user)).distinct()


def instructed_by(user: User) -> QuerySet[Session]:
    """Return the sessions of the cohorts where this user is an instructor."""
    places = Enrolment.objects.active().instructors().filter(user=user)
    return Session.objects.filter(cohorts__enrolments__in=places).distinct()
