"""Saving a draft while it is written."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from assessment.attempts import drafting, writing
from assessment.attempts.completeness import missing_elements
from assessment.attempts.views.exercise import learner_desk
from assessment.attempts.views.returning import back_to
from assessment.cohorts.http import PersonRequest, person_required


@person_required
def draft(request: PersonRequest, slug: str) -> HttpResponse:
    """Keep what is typed; htmx gets one line back, a browser without it the page."""
    if request.method != "POST":
        return redirect("exercise", slug)
    desk = learner_desk(request, slug)
    typed = writing.typed_in(desk.fields, request.POST)
    too_long = drafting.too_long(desk.fields, typed)
    if not too_long:
        drafting.save(enrolment=desk.place, exercise=desk.exercise, answers=typed)
    if request.htmx:
        missing = missing_elements(desk.fields, writing.answers(desk.fields, typed))
        context = {
            "saved_at": timezone.now(),
            "too_long": too_long,
            "missing": missing,
            "desk": desk,
        }
        return render(request, "attempts/_saved.html", context)
    if too_long:
        messages.error(request, _("Not saved, too long: %s") % ", ".join(too_long))
    else:
        messages.success(request, _("Draft saved."))
    return back_to(desk, "#trace")
