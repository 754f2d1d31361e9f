"""Places that are offered: the person answers, an instructor may withdraw."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.offering import accept
from assessment.cohorts.pages.cohorts import instructed


@require_POST
@person_required
def answer(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Take a place that is offered, or decline it."""
    offer = get_object_or_404(request.user.place_offers.select_related("cohort"), pk=pk)
    cohort = {"cohort": offer.cohort}
    if "join" not in request.POST:
        offer.delete()
        messages.info(request, gettext("You are not in %(cohort)s.") % cohort)
    elif accept(offer):
        messages.success(request, gettext("You are in %(cohort)s now.") % cohort)
    else:
        messages.info(request, gettext("You are invited to %(cohort)s no longer.") % cohort)
    return redirect("sessions")


@require_POST
@person_required
def withdraw(request: PersonRequest, slug: str, pk: UUID) -> HttpResponse:
    """Take an offer back that nobody answered."""
    cohort = instructed(request, slug)
    offer = get_object_or_404(cohort.place_offers, pk=pk)
    offer.delete()
    text = gettext("%(person)s is no longer invited.")
    messages.success(request, text % {"person": offer.written})
    return redirect("cohort", slug)
