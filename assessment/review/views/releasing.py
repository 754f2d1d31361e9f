"""Releasing a grade and taking it back: each with a last look before it happens."""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from assessment.attempts.models import Submission
from assessment.cohorts.http import PersonRequest, person_required
from assessment.review.desk import is_instructor, present_review, reviewable
from assessment.review.errors import InstructorsOnly, NotReleased, ReviewError
from assessment.review.models import Grade
from assessment.review.releasing import release, withdraw

# No review bears this number: a form that names none has shown none.
_NONE_READ: Final = 0


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def release_grade(request: PersonRequest, submission_id: UUID) -> HttpResponse:
    """Ask, then release the grade of one submission."""
    submission = get_object_or_404(reviewable(request.user), pk=submission_id)
    present = present_review(submission)
    if request.method != "POST":
        if not is_instructor(request.user, submission):
            return _refused(request, submission, InstructorsOnly())
        context = {
            "submission": submission,
            "present": present,
            "missing": present.missing() if present else [],
            "replaced": _released(submission),
        }
        return render(request, "review/release.html", context)
    number = re.fullmatch("[0-9]{1,9}", request.POST.get("number", ""))
    read = {submission.pk: int(number[0]) if number else _NONE_READ}
    return _carry_out(
        request,
        submission,
        lambda: release([submission], request.user, read=read),
        gettext("The grade is released."),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def withdraw_grade(request: PersonRequest, submission_id: UUID) -> HttpResponse:
    """Ask, then take the released grade of one submission back."""
    submission = get_object_or_404(reviewable(request.user), pk=submission_id)
    grade = _released(submission)
    if request.method != "POST":
        if not is_instructor(request.user, submission):
            return _refused(request, submission, InstructorsOnly())
        context = {"submission": submission, "grade": grade}
        return render(request, "review/withdraw.html", context)

    def take_back() -> None:
        if grade is None:
            raise NotReleased
        withdraw(grade, request.user)

    return _carry_out(request, submission, take_back, gettext("The grade is withdrawn."))


def _released(submission: Submission) -> Grade | None:
    grades = Grade.objects.released().select_related("submission")
    return grades.filter(enrolment=submission.enrolment_id, exercise=submission.exercise_id).first()


def _carry_out(
    request: PersonRequest, submission: Submission, act: Callable[[], object], done: str
) -> HttpResponse:
    """Act and go back to the submission; a refusal is shown there in its own words."""
    try:
        act()
    except InstructorsOnly as error:
        return _refused(request, submission, error)
    except ReviewError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, done)
    return redirect("review", submission.pk)


def _refused(
    request: PersonRequest, submission: Submission, error: InstructorsOnly
) -> HttpResponse:
    context = {"submission": submission, "reason": str(error)}
    return render(request, "review/refused.html", context, status=HTTPStatus.FORBIDDEN)
