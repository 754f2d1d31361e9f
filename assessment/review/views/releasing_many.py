"""Releasing a cohort's reviewed work at once, after a look at every row."""

import re
from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from assessment.attempts.models import Submission
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort
from assessment.review.errors import ReviewConflict, ReviewError
from assessment.review.ready import MOST, waiting_for_release
from assessment.review.releasing import release
from exercises.models import Exercise

_KEY = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9]{1,9})")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def release_grades(request: PersonRequest, slug: str) -> HttpResponse:
    """List what is reviewed and not released, and release the rows that were chosen."""
    cohort = get_object_or_404(Cohort.objects.instructed_by(request.user), slug=slug)
    exercise = _exercise(cohort, request.GET.get("exercise", ""))
    problem = ""
    chosen = request.POST.getlist("chosen")[:MOST]
    if request.method == "POST":
        read = _chosen(chosen)
        try:
            done = release(_submissions(cohort, read), request.user, read=read)
        except ReviewError as error:
            problem = _said(error)
        else:
            if done:
                text = ngettext("%(n)s grade is released.", "%(n)s grades are released.", len(done))
                messages.success(request, text % {"n": len(done)})
                return redirect(request.get_full_path())
            problem = gettext("Nothing was chosen, or it is released already.")
    waiting = waiting_for_release(cohort, exercise)
    context = {
        "cohort": cohort,
        "exercises": Exercise.objects.filter(session__cohorts=cohort).order_by("session", "number"),
        "exercise": exercise,
        "ready": [each for each in waiting if not each.missing],
        "lacking": [each for each in waiting if each.missing],
        # Who left a row out and was refused does not find it ticked again.
        "chosen": chosen if request.method == "POST" else [each.key for each in waiting],
        "full": len(waiting) == MOST,
        "problem": problem,
    }
    status = HTTPStatus.CONFLICT if problem else HTTPStatus.OK
    return render(request, "review/release_many.html", context, status=status)


def _exercise(cohort: Cohort, slug: str) -> Exercise | None:
    if not slug:
        return None
    try:
        return Exercise.objects.get(session__cohorts=cohort, slug=slug[:200])
    except Exercise.DoesNotExist:
        raise Http404 from None


def _chosen(keys: list[str]) -> dict[UUID, int]:
    found = filter(None, map(_KEY.fullmatch, keys))
    return {UUID(each[1]): int(each[2]) for each in found}


def _submissions(cohort: Cohort, read: dict[UUID, int]) -> list[Submission]:
    return list(Submission.objects.filter(pk__in=read, enrolment__cohort=cohort))


def _said(error: ReviewError) -> str:
    """Return the refusal, with the learner whose row it is about where it is about one."""
    if isinstance(error, ReviewConflict) and error.present is not None:
        return f"{error.present.submission.enrolment.user}: {error}"
    return str(error)
