"""The instructor's pages of deadlines and exemptions; assistants read them."""

from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, OuterRef, Q, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assessment.attempts.models import Submission
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort, Enrolment
from assessment.grades.access import instructors_only, instructs, taught
from assessment.grades.deadlines.forms import DatesForm, ExcuseForm
from assessment.grades.deadlines.history import decisions
from assessment.grades.deadlines.setting import (
    MovedMeanwhileError,
    excuse,
    lift,
    set_dates,
    version_of,
)
from assessment.grades.models import Assignment, Exemption
from assessment.review.models import Grade
from exercises.models import Exercise


@never_cache
@require_safe
@person_required
def deadlines(request: PersonRequest, slug: str) -> HttpResponse:
    """List the exercises of a cohort with their dates and who is excused, and what was decided."""
    cohort = taught(request, slug)
    dates = Assignment.objects.filter(cohort=cohort, exercise=OuterRef("pk"))
    excused = Q(exemptions__enrolment__cohort=cohort, exemptions__lifted_at=None)
    exercises = _exercises(cohort).annotate(
        assigned_at=Subquery(dates.values("assigned_at")[:1]),
        due_at=Subquery(dates.values("due_at")[:1]),
        excused=Count("exemptions", filter=excused),
    )
    context = {
        "cohort": cohort,
        "exercises": exercises,
        "decisions": decisions(cohort),
        "may_set": instructs(request, cohort),
        "now": timezone.now(),
    }
    return render(request, "grades/deadlines.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def deadline(request: PersonRequest, slug: str, exercise: str) -> HttpResponse:
    """Show the dates of one exercise and who is excused; save other dates."""
    cohort = taught(request, slug)
    found = get_object_or_404(_exercises(cohort), slug=exercise)
    if request.method != "POST":
        return _page(request, cohort, found)
    instructors_only(request, cohort)
    with timezone.override(cohort.zone):
        form = DatesForm(request.POST)
        valid = form.is_valid()
    if not valid:
        return _page(request, cohort, found, dates=form)
    try:
        seen = request.POST.get("seen", "")
        moved = set_dates(cohort, found, request.user, seen=seen, **form.cleaned_data)
    except MovedMeanwhileError:
        text = gettext("Someone else saved other dates meanwhile. Yours replace them if you save.")
        form.add_error(None, text)
        return _page(request, cohort, found, dates=form, status=HTTPStatus.CONFLICT)
    messages.success(request, gettext("The dates are saved.") if moved else gettext("No change."))
    _tell_what_is_over(request, cohort, found, form.cleaned_data["due_at"])
    return redirect("deadline", cohort.slug, found.slug)


@never_cache
@require_POST
@person_required
def excuse_one(request: PersonRequest, slug: str, exercise: str) -> HttpResponse:
    """Excuse a learner from an exercise."""
    cohort = taught(request, slug)
    found = get_object_or_404(_exercises(cohort), slug=exercise)
    instructors_only(request, cohort)
    form = ExcuseForm(request.POST, cohort=cohort)
    if not form.is_valid():
        return _page(request, cohort, found, excusing=form)
    learner: Enrolment = form.cleaned_data["learner"]
    excuse(learner, found, request.user, reason=form.cleaned_data["reason"])
    messages.success(request, gettext("%(who)s is excused.") % {"who": learner.user})
    if Grade.objects.released().filter(enrolment=learner, exercise=found).exists():
        messages.warning(
            request,
            gettext("A grade is released already; while this holds no LMS and no file gets it."),
        )
    return redirect("deadline", cohort.slug, found.slug)


@never_cache
@require_POST
@person_required
def lift_one(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Let an exercise count again for a learner."""
    visible = Exemption.objects.filter(enrolment__cohort__in=Cohort.objects.taught_by(request.user))
    exemption = get_object_or_404(
        visible.select_related("enrolment__cohort", "enrolment__user", "exercise"), pk=pk
    )
    cohort = exemption.enrolment.cohort
    instructors_only(request, cohort)
    lift(exemption, request.user)
    text = gettext("%(who)s is no longer excused.") % {"who": exemption.enrolment.user}
    messages.success(request, text)
    return redirect("deadline", cohort.slug, exemption.exercise.slug)


def _page(
    request: PersonRequest,
    cohort: Cohort,
    exercise: Exercise,
    *,
    dates: DatesForm | None = None,
    excusing: ExcuseForm | None = None,
    status: HTTPStatus | None = None,
) -> HttpResponse:
    present = Assignment.objects.filter(cohort=cohort, exercise=exercise).first()
    excused = Exemption.objects.filter(
        enrolment__cohort=cohort, exercise=exercise, lifted_at=None
    ).select_related("enrolment__user", "granted_by")
    refused = bool((dates and dates.errors) or (excusing and excusing.errors))
    with timezone.override(cohort.zone):
        context: dict[str, Any] = {
            "cohort": cohort,
            "exercise": exercise,
            "present": present,
            "dates": dates or DatesForm(initial=_initial(present)),
            "excusing": excusing or ExcuseForm(cohort=cohort),
            "excused": excused.order_by("enrolment__user__last_name", "pk"),
            "decisions": decisions(cohort, exercise),
            "may_set": instructs(request, cohort),
            "seen": version_of(present),
        }
        default = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
        return render(request, "grades/deadline.html", context, status=status or default)


def _initial(present: Assignment | None) -> dict[str, Any]:
    if present:
        return {"assigned_at": present.assigned_at, "due_at": present.due_at}
    return {"assigned_at": timezone.now()}


def _exercises(cohort: Cohort) -> Any:  # noqa: ANN401 (a queryset that takes annotations)
    found = Exercise.objects.offered().filter(session__cohorts=cohort)
    return found.select_related("session").order_by("session__number", "number")


def _tell_what_is_over(
    request: PersonRequest, cohort: Cohort, exercise: Exercise, due_at: datetime | None
) -> None:
    """Say whom a deadline that has passed leaves without work."""
    if due_at is None or due_at > timezone.now():
        return
    learners = Enrolment.objects.active().learners().filter(cohort=cohort)
    sent = Submission.objects.filter(exercise=exercise).values("enrolment")
    excused = Exemption.objects.filter(exercise=exercise, lifted_at=None).values("enrolment")
    missing = learners.exclude(pk__in=sent).exclude(pk__in=excused).count()
    text = ngettext(
        "The deadline has passed: %(n)s learner has handed nothing in.",
        "The deadline has passed: %(n)s learners have handed nothing in.",
        missing,
    )
    messages.warning(request, text % {"n": missing})
