"""The demo cohort: one group in the middle of its session, with work of every kind."""

from django.db import transaction

from assessment.cohorts.models import Cohort
from assessment.demo import people
from exercises.models import Session

SLUG = "demo"


@transaction.atomic
def make() -> Cohort:
    """Make the cohort, its people and their work; all or nothing."""
    cohort = Cohort.objects.create(slug=SLUG, name="Autumn group", time_zone="Europe/Paris")
    cohort.sessions.set(Session.objects.all())
    people.enrol(cohort)
    return cohort
