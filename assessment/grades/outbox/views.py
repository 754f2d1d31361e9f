"""The pages of what LMSs were told: for those who teach, and for each learner."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Case, When
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort
from assessment.grades.lti.rosters import read_roster
from assessment.grades.lti.services import FAILURES, told
from assessment.grades.models import Context, Passback
from assessment.grades.outbox.collecting import resend

_PAGE = 100
_ARRIVED = Case(When(state=Passback.State.SENT, then=1), default=0)


@never_cache
@require_safe
@person_required
def passbacks(request: PersonRequest, slug: str) -> HttpResponse:
    """Show what each LMS column of a cohort was told, with what went wrong first."""
    cohort = get_object_or_404(Cohort.objects.taught_by(request.user).distinct(), slug=slug)
    cells = (
        Passback.objects.filter(enrolment__cohort=cohort)
        .select_related("line_item__exercise", "line_item__context", "enrolment__user")
        .order_by(_ARRIVED, "state", "-next_try_at", "pk")
    )
    page = Paginator(cells, _PAGE).get_page(request.GET.get("page"))
    contexts = cohort.lti_contexts.select_related("deployment__platform")
    return render(
        request, "grades/passbacks.html", {"cohort": cohort, "page": page, "contexts": contexts}
    )


@never_cache
@require_safe
@person_required
def own_passbacks(request: PersonRequest) -> HttpResponse:
    """Show a learner what the LMS was told about them."""
    cells = (
        Passback.objects.filter(enrolment__user=request.user)
        .select_related("line_item__exercise", "enrolment__cohort")
        .order_by("line_item__exercise", "pk")
    )
    return render(request, "grades/own_passbacks.html", {"cells": cells[:_PAGE]})


@require_POST
@person_required
def send_again(request: PersonRequest, pk: str) -> HttpResponse:
    """Put one cell back into the outbox."""
    taught = Cohort.objects.taught_by(request.user)
    cell = get_object_or_404(
        Passback.objects.filter(enrolment__cohort__in=taught).select_related("enrolment__cohort"),
        pk=pk,
    )
    resend(cell)
    messages.success(request, gettext("It is sent again within a minute."))
    return redirect("passbacks", cell.enrolment.cohort.slug)


@require_POST
@person_required
def follow_roster(request: PersonRequest, pk: str) -> HttpResponse:
    """Read the LMS's list of people now."""
    taught = Cohort.objects.taught_by(request.user)
    context = get_object_or_404(
        Context.objects.filter(cohort__in=taught).select_related("cohort", "deployment__platform"),
        pk=pk,
    )
    try:
        report = read_roster(context)
    except FAILURES as error:
        message = gettext("The LMS did not give its list of people; nothing changed: %(error)s")
        messages.error(request, message % {"error": told(error)})
        return redirect("passbacks", context.cohort.slug)
    return render(request, "grades/roster.html", {"context": context, "report": report})
