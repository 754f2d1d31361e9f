"""Which cohorts a person opens on the pages of grades, and what only instructors do there."""

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from assessment.cohorts.http import PersonRequest
from assessment.cohorts.models import Cohort


def taught(request: PersonRequest, slug: str) -> Cohort:
    """Return a cohort that this person reviews, or say that there is none."""
    return get_object_or_404(Cohort.objects.taught_by(request.user).distinct(), slug=slug)


def instructs(request: PersonRequest, cohort: Cohort) -> bool:
    """Return whether this person is an instructor of the cohort."""
    return Cohort.objects.instructed_by(request.user).filter(pk=cohort.pk).exists()


def instructors_only(request: PersonRequest, cohort: Cohort) -> None:
    """Refuse whoever is no instructor of the cohort; assistants only read."""
    if not instructs(request, cohort):
        raise PermissionDenied
