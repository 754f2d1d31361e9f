"""The page on which one submission is scored."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from assessment.attempts.models import Submission
from assessment.cohorts.http import PersonRequest, person_required
from assessment.review.desk import desk, next_to_score, present_review, reviewable
from assessment.review.errors import (
    Frozen,
    NotChecked,
    ReviewConflict,
    ReviewError,
    RubricMoved,
    ScoringRefused,
)
from assessment.review.forms import ScoringForm, initial_of, points_initial
from assessment.review.models import Review
from assessment.review.proposals import proposed_points
from assessment.review.scoring import rubric_of, save_review
from rubrics.models import Level, Rubric

_LONGEST_NUMBER = 4


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def review(request: PersonRequest, submission_id: UUID) -> HttpResponse:
    """Show one submission to its reviewer, and save what is decided."""
    submission = get_object_or_404(reviewable(request.user), pk=submission_id)
    if request.method != "POST":
        return _page(request, submission, _first_form(submission))
    if "take" in request.POST:
        return _page(request, submission, _form_with_proposals(request.POST, submission))
    form = _form(submission, _rubric_on_screen(request.POST, submission), request.POST)
    if not form.is_valid():
        return _page(request, submission, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        saved = save_review(
            submission,
            request.user,
            form.scoring(),
            expected_number=form.cleaned_data["number"],
        )
    except ScoringRefused as error:
        form.refuse(error)
        return _page(request, submission, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    except (ReviewConflict, RubricMoved) as error:
        return _conflict(request, submission, form, error)
    except (Frozen, NotChecked) as error:
        form.add_error(None, str(error))
        return _page(request, submission, form, status=HTTPStatus.CONFLICT)
    return _after(request, submission, saved)


def _after(request: PersonRequest, submission: Submission, saved: Review) -> HttpResponse:
    messages.success(request, gettext("Saved as version %(number)s.") % {"number": saved.number})
    following = next_to_score(submission, request.user) if "next" in request.POST else None
    return redirect("review", (following or submission).pk)


def _form(
    submission: Submission,
    rubric: Rubric,
    data: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
) -> ScoringForm:
    levels = Level.objects.filter(scale__session=submission.exercise.session_id)
    return ScoringForm(data, criteria=rubric.criteria.all(), levels=levels, initial=initial)


def _first_form(submission: Submission) -> ScoringForm:
    rubric = rubric_of(submission)
    initial = initial_of(present_review(submission), rubric, submission.current_check_id)
    return _form(submission, rubric, initial=initial)


def _form_with_proposals(typed: QueryDict, submission: Submission) -> ScoringForm:
    """Return what was typed, with proposed points where nothing was; nothing is saved."""
    rubric = _rubric_on_screen(typed, submission)
    proposed = points_initial(rubric, proposed_points(submission))
    kept = {name: value for name, value in typed.items() if isinstance(value, str) and value}
    return _form(submission, rubric, initial=proposed | kept)


def _rubric_on_screen(typed: QueryDict, submission: Submission) -> Rubric:
    """Return the rubric that was scored by, which may have been replaced meanwhile."""
    number = typed.get("rubric", "")
    if not number.isdecimal() or len(number) > _LONGEST_NUMBER:
        return rubric_of(submission)
    shown = Rubric.objects.filter(version=submission.version_id, number=int(number))
    return shown.first() or rubric_of(submission)


def _conflict(
    request: PersonRequest, submission: Submission, form: ScoringForm, error: ReviewError
) -> HttpResponse:
    """Show both versions; the form keeps what was typed, to be saved on top of the newer one."""
    present, rubric = present_review(submission), rubric_of(submission)
    mine, decision = form.typed_points(), form.cleaned_data
    theirs = {score.title: score.points for score in present.scores.all()} if present else {}
    kept = decision | {"number": present.number if present else 0, "rubric": rubric.number}
    for criterion in rubric.criteria.all():
        kept[f"points-{criterion.position}"] = mine.get(criterion.title, "")
    titles = dict.fromkeys([*rubric.criteria.values_list("title", flat=True), *mine])
    return _page(
        request,
        submission,
        _form(submission, rubric, initial=kept),
        status=HTTPStatus.CONFLICT,
        conflict=str(error),
        theirs=present,
        decision=decision,
        both=[(title, theirs.get(title), mine.get(title, "")) for title in titles],
    )


def _page(
    request: PersonRequest,
    submission: Submission,
    form: ScoringForm,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    **more: Any,
) -> HttpResponse:
    context = desk(submission, request.user) | {"form": form} | more
    rows = {row.title: row for row in context["rows"]}
    context["criteria"] = [(rows.get(t), field) for t, field in form.points_fields().items()]
    return render(request, "review/review.html", context, status=status)
