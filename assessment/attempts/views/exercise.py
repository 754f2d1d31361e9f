"""The page of an exercise: read, predict, then write the trace."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from assessment.attempts import access, supporting, writing
from assessment.attempts.casing import case_for
from assessment.attempts.forms import PredictionForm
from assessment.attempts.given import shown_values
from assessment.attempts.models import Case, Draft, Prediction, Submission
from assessment.attempts.reading import read_as
from assessment.attempts.submitting import attempts_left
from assessment.attempts.withholding import opened_for, prompt, published_solution
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Enrolment, User
from assessment.web.prose import with_formulas
from exercises.models import Exercise, ExerciseVersion, Field, Passage


@dataclass
class Desk:
    """One person before one exercise: what they see of it and may do with it.

    Staff read along and have neither place nor case.
    """

    exercise: Exercise
    version: ExerciseVersion
    fields: list[Field]
    place: Enrolment | None
    case: Case | None

    @property
    def cohort(self) -> str:
        """The slug of the cohort in which the person answers."""
        return self.place.cohort.slug if self.place else ""


@dataclass
class LearnerDesk(Desk):
    """The desk of someone who answers."""

    place: Enrolment
    case: Case


@require_safe
@person_required
def exercise(request: PersonRequest, slug: str) -> HttpResponse:
    """Show an exercise with what its learner has predicted and written so far."""
    desk = desk_for(request.user, slug, request.GET.get("cohort"))
    return page(request, desk, typed=typed_so_far(desk))


def desk_for(user: User, slug: str, cohort: str | None) -> Desk:
    """Return the exercise as this person may open it; strangers get a 404."""
    found = get_object_or_404(access.exercises_for(user, cohort), slug=slug)
    version = found.current
    if version is None:
        raise Http404
    place = access.place_in(found.session, user, cohort)
    fields = list(version.fields.all())
    if place is None:
        return Desk(found, version, fields, None, None)
    return LearnerDesk(found, version, fields, place, case_for(place, version))


def learner_desk(request: PersonRequest, slug: str) -> LearnerDesk:
    """Return the exercise for someone who answers it; staff get a 404 here."""
    desk = desk_for(request.user, slug, request.POST.get("cohort"))
    if not isinstance(desk, LearnerDesk):
        raise Http404
    return desk


def typed_so_far(desk: Desk) -> dict[str, str]:
    """Return the draft's texts, else those of the latest attempt, to be revised."""
    draft = Draft.objects.filter(enrolment=desk.place, exercise=desk.exercise).first()
    if draft:
        return dict(draft.answers)
    latest = Submission.objects.filter(enrolment=desk.place, exercise=desk.exercise).first()
    return writing.from_answers(latest.answers) if latest else {}


def page(
    request: PersonRequest,
    desk: Desk,
    *,
    typed: Mapping[str, str],
    status: HTTPStatus = HTTPStatus.OK,
    **extra: Any,
) -> HttpResponse:
    """Render the page with these texts in its form."""
    given = supporting.given_steps(desk.case) if desk.case else {}
    rows = writing.rows(desk.fields, typed, errors=extra.get("errors", {}), given=given)
    for row in rows:
        if row.typed.get("result"):
            row.reading = read_as(desk.version, row.field, row.typed["result"])
    prediction = Prediction.objects.filter(case=desk.case).first() if desk.case else None
    needs_prediction = bool(desk.case and desk.case.variation and not prediction)
    context = (
        _reading(desk)
        | {
            "desk": desk,
            "exercise": desk.exercise,
            "version": desk.version,
            "session": desk.exercise.session,
            "steps": [row for row in rows if row.field.kind == Field.Kind.STEP],
            "written": [row for row in rows if row.field.kind != Field.Kind.STEP],
            "prediction": prediction,
            "needs_prediction": needs_prediction,
            "predicted": _predicted(desk),
            "prediction_form": PredictionForm(),
            "form_token": uuid4().hex,
        }
        | _attempts(desk)
        | extra
    )
    return render(request, "attempts/exercise.html", context, status=status)


def _reading(desk: Desk) -> dict[str, Any]:
    """Return what there is to read: the prompt as far as it is open, and the values."""
    session = desk.exercise.session
    formulas = session.formulas()
    opened = opened_for(desk.exercise, desk.place, desk.case)
    masked = [
        session.masked(text, desk.exercise.key, opened)
        for text in (session.starting_data, desk.version.deliverable, *desk.version.items)
    ]
    starting_data, deliverable, *items = masked
    return {
        "prompt": [
            with_formulas(text, formulas) for text in prompt(desk.exercise, desk.case, opened)
        ],
        "starting_data": with_formulas(
            session.masked(starting_data, "starting_data", opened), formulas
        ),
        "deliverable": with_formulas(deliverable, formulas),
        "items": [with_formulas(text, formulas) for text in items],
        "given": shown_values(desk.case) if desk.case else [],
        "solution": [
            with_formulas(text, formulas) for text in published_solution(desk.version, opened)
        ],
        "review_questions": session.passages.filter(kind=Passage.Kind.REVIEW_QUESTION),
    }


def _attempts(desk: Desk) -> dict[str, Any]:
    if desk.place is None:
        return {"history": [], "left": None, "zone": None}
    history = Submission.objects.filter(enrolment=desk.place, exercise=desk.exercise)
    return {
        "history": history,
        "left": attempts_left(desk.place, desk.version),
        "zone": desk.place.cohort.zone,
    }


def _predicted(desk: Desk) -> str:
    """Return the title of the step whose change is predicted."""
    titles = {each.name: each.title for each in desk.fields}
    last = next((each.title for each in reversed(desk.fields) if each.kind == "step"), "")
    return titles.get(desk.version.predicted) or last
