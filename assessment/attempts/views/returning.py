"""The way back to an exercise, in the cohort in which it is answered."""

from urllib.parse import urlencode

from django.http import HttpResponseRedirect

from assessment.attempts.views.exercise import Desk


def back_to(desk: Desk, fragment: str = "") -> HttpResponseRedirect:
    """Redirect to the exercise's page."""
    query = urlencode({"cohort": desk.cohort})
    return HttpResponseRedirect(f"{desk.exercise.get_absolute_url()}?{query}{fragment}")
