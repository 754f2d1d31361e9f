"""Which sessions and exercises a person may open, and in which cohort they answer."""

from django.db.models import QuerySet

from assessment.cohorts.models import Cohort, Enrolment, User
from exercises.models import Exercise, Session


def sessions_for(user: User, cohort: str | None = None) -> QuerySet[Session]:
    """Return the sessions of this person's cohorts, in whatever role."""
    cohorts = Cohort.objects.attended_by(user)
    if cohort:
        cohorts = cohorts.filter(slug=cohort) if _is_slug(cohort) else cohorts.none()
    found = Session.objects.filter(cohorts__in=cohorts).distinct()
    return found.prefetch_related("withheld_figures")


def exercises_for(user: User, cohort: str | None = None) -> QuerySet[Exercise]:
    """Return the exercises of those sessions that have something to hand out."""
    found = Exercise.objects.offered().filter(
        session__in=sessions_for(user, cohort), current__isnull=False
    )
    return found.select_related("session", "current").prefetch_related("session__withheld_figures")


def place_in(session: Session, user: User, cohort: str | None = None) -> Enrolment | None:
    """Return the enrolment in which this person answers: the named cohort's, else the latest."""
    places = (
        Enrolment.objects.active()
        .learners()
        .filter(user=user, cohort__sessions=session)
        .select_related("cohort", "user")
    )
    if cohort:
        places = places.filter(cohort__slug=cohort)
    return places.order_by("-joined_at", "-pk").first()


def _is_slug(text: str) -> bool:
    """Return whether the text can name a cohort; a database refuses some that cannot."""
    return text.replace("-", "").replace("_", "").isalnum()


def teaches(user: User, session: Session) -> bool:
    """Return whether this person reviews a cohort that works through the session."""
    return Cohort.objects.taught_by(user).filter(sessions=session).exists()
