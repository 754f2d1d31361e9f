"""Which sessions a person teaches."""

from django.db.models import QuerySet

from assessment.cohorts.models import Cohort, Enrolment, User
from exercises.models import Session


def taught_by(user: User) -> QuerySet[Session]:
    """Return the sessions of the cohorts where this user is an instructor or an assistant."""
    return Session.objects.filter(cohorts__in=Cohort.objects.taught_by(user)).distinct()


def instructed_in(user: User, session: Session) -> QuerySet[Cohort]:
    """Return the cohorts with this session where this user is an instructor."""
    places = Enrolment.objects.active().instructors().filter(user=user)
    return Cohort.objects.filter(sessions=session, enrolments__in=places).distinct()
