"""The pages of figures: breaks by exercise, for those who teach."""

from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort
from assessment.dashboard.drawing import chart_of, submissions_behind
from assessment.dashboard.figures import ExerciseFigures, breaks_of
from assessment.review.queue import cohorts_of
from assessment.web.charts import BarChart
from assessment.web.marks import BREAKS, Text


@dataclass(frozen=True, slots=True)
class Alarm:
    """One break of more than one third of the group."""

    label: Text
    count: int
    url: str


@dataclass(frozen=True, slots=True)
class ExerciseBoard:
    """One exercise on the page: its figures, its chart, its alarms."""

    figures: ExerciseFigures
    chart: BarChart
    alarms: list[Alarm]


@require_safe
@person_required
def breaks(request: PersonRequest) -> HttpResponse:
    """List the cohorts of this person, or go straight to the only one."""
    cohorts = list(cohorts_of(request.user))
    if not cohorts:
        raise Http404
    if len(cohorts) == 1:
        return redirect("cohort-breaks", cohorts[0].slug)
    return render(request, "dashboard/cohorts.html", {"cohorts": cohorts})


@require_safe
@person_required
def cohort_breaks(request: PersonRequest, slug: str) -> HttpResponse:
    """Show where the chains of a cohort break, exercise by exercise."""
    cohort = get_object_or_404(cohorts_of(request.user), slug=slug)
    figures = breaks_of(cohort)
    boards = [_board(cohort, each) for each in figures.exercises if each.n]
    silent = [each.exercise for each in figures.exercises if not each.n]
    context = {"cohort": cohort, "figures": figures, "boards": boards, "silent": silent}
    return render(request, "dashboard/breaks.html", context)


def _board(cohort: Cohort, figures: ExerciseFigures) -> ExerciseBoard:
    alarms = [
        Alarm(BREAKS[name].label, figures.breaks[name], submissions_behind(cohort, figures, name))
        for name in figures.alarms
    ]
    return ExerciseBoard(figures, chart_of(cohort, figures), alarms)
