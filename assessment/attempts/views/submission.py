"""The page of one submission: receipt, feedback, attempts."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from assessment.attempts import disclosure, given
from assessment.attempts.feedback import feedback_on
from assessment.attempts.models import Submission
from assessment.attempts.submitting import attempts_left
from assessment.cohorts.http import PersonRequest, person_required

_SLOW_AFTER_SECONDS = 15


@require_safe
@person_required
def submission(request: PersonRequest, submission_id: UUID) -> HttpResponse:
    """Show one submission; htmx asks the same address for the feedback alone."""
    visible = Submission.objects.visible_to(request.user).select_related(
        "exercise__session", "version", "case", "enrolment__cohort", "current_check"
    )
    found = get_object_or_404(visible, pk=submission_id)
    context = _context(request, found)
    if not request.htmx:
        return render(request, "attempts/submission.html", context)
    if context["waits"] and not context["slow"]:
        return HttpResponse(status=204)  # nothing new: the page keeps asking
    return render(request, "attempts/_feedback.html", context | {"arrived": True})


def _context(request: PersonRequest, found: Submission) -> dict[str, Any]:
    seen = disclosure.of(found, request.user)
    waits = found.state == Submission.State.SUBMITTED
    age = (timezone.now() - found.submitted_at).total_seconds()
    others = Submission.objects.filter(enrolment=found.enrolment_id, exercise=found.exercise_id)
    return {
        "submission": found,
        "seen": seen,
        "waits": waits,
        "slow": waits and age > _SLOW_AFTER_SECONDS,
        "feedback": feedback_on(found, seen),
        "reason": disclosure.reason_for(found, seen),
        "points": disclosure.points_of(found, seen),
        "released": disclosure.release_of(found, seen),
        "given": given.values(found.given),
        "left": attempts_left(found.enrolment, found.version),
        "history": others.order_by("number"),
        "cohort": found.enrolment.cohort,
        "zone": found.enrolment.cohort.zone,
    }
