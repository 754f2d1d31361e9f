"""Submitting an answer: stored first, warned about what it lacks, never lost."""

from http import HTTPStatus

from django.http import HttpResponse
from django.shortcuts import redirect

from assessment.attempts import answers as typed_answers
from assessment.attempts import writing
from assessment.attempts.completeness import missing_elements
from assessment.attempts.errors import Refused, UnfitAnswers
from assessment.attempts.submitting import submit
from assessment.attempts.views.exercise import Desk, learner_desk, page
from assessment.cohorts.http import PersonRequest, person_required

_KEY_LENGTH = 64


@person_required
def submission_form(request: PersonRequest, slug: str) -> HttpResponse:
    """Store an attempt and go to its page; say first what a reader would miss in it."""
    if request.method != "POST":
        return redirect("exercise", slug)
    desk = learner_desk(request, slug)
    typed = writing.typed_in(desk.fields, request.POST)
    answers = writing.answers(desk.fields, typed)
    missing = missing_elements(desk.fields, answers)
    if missing and any(typed.values()) and "despite" not in request.POST:
        return page(request, desk, typed=typed, missing=missing)
    try:
        key = _key(request, desk, answers)
        stored = submit(enrolment=desk.place, version=desk.version, answers=answers, key=key)
    except UnfitAnswers as refusal:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return page(request, desk, typed=typed, errors=refusal.errors, status=status)
    except Refused as refusal:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return page(request, desk, typed=typed, refusal=str(refusal), status=status)
    return redirect(stored)


def _key(request: PersonRequest, desk: Desk, answers: dict[str, object]) -> str | None:
    """Return the key of this form and these answers: a second press of the button repeats it."""
    token = request.POST.get("form", "")[:_KEY_LENGTH]
    if not token.isalnum():
        return None
    try:
        kept = typed_answers.clean(desk.fields, answers)
    except Refused:
        return None
    return f"form:{token}:{typed_answers.digest(kept)}"
