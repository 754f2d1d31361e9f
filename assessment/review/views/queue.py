"""The review queue."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assessment.attempts.models import Submission
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort, User
from assessment.review.queue import (
    BREAKS,
    QueueFilter,
    UnknownFilter,
    cohorts_of,
    counts_by_state,
    exercises_of,
    queue_for,
)
from assessment.web.marks import BREAKS as BREAK_MARKS
from assessment.web.marks import STATES as STATE_MARKS

_PAGE = 50


@require_safe
@person_required
def queue(request: PersonRequest) -> HttpResponse:
    """Show what this person may review, narrowed by the filters in the address."""
    cohorts = list(cohorts_of(request.user))
    if not cohorts:
        raise Http404
    wanted = _filter(request.GET)
    problems: Mapping[str, str] = {}
    try:
        wanted.check(request.user)
    except UnknownFilter as error:
        problems, wanted = error.problems, QueueFilter()
    everything = QueueFilter(
        cohort=wanted.cohort,
        exercise=wanted.exercise,
        dominant_break=wanted.dominant_break,
        latest=wanted.latest,
    )
    counts = counts_by_state(queue_for(request.user, everything))
    page = Paginator(queue_for(request.user, wanted), _PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "wanted": wanted,
        "problems": problems,
        "cohorts": cohorts,
        "releasable": _releasable(request.user, wanted.cohort),
        "exercises": exercises_of(request.user).order_by("session", "number"),
        "states": [
            (state, STATE_MARKS[state].label, n, _address(everything, state=state))
            for state, n in counts.items()
        ],
        "total": sum(counts.values()),
        "any_state": _address(everything),
        "breaks": [(name, BREAK_MARKS[name].label) for name in BREAKS],
        "query": _query(wanted),
    }
    template = "review/_queue.html" if request.htmx else "review/queue.html"
    return render(request, template, context)


def _releasable(user: User, slug: str) -> QuerySet[Cohort]:
    """Return the cohorts with reviewed work to release: the one that is looked at, or all."""
    instructed = Cohort.objects.instructed_by(user)
    if slug:
        instructed = instructed.filter(slug=slug)
    reviewed = Submission.objects.filter(state=Submission.State.REVIEWED)
    return instructed.filter(pk__in=reviewed.values("enrolment__cohort"))


def _filter(query: Mapping[str, str]) -> QueueFilter:
    return QueueFilter(
        cohort=query.get("cohort", "")[:200],
        exercise=query.get("exercise", "")[:200],
        state=query.get("state", "")[:20],
        dominant_break=query.get("break", "")[:20],
        latest=query.get("latest", "") == "1",
    )


def _query(wanted: QueueFilter) -> str:
    """Return the filters as the beginning of a query string."""
    pairs = {
        "cohort": wanted.cohort,
        "exercise": wanted.exercise,
        "state": wanted.state,
        "break": wanted.dominant_break,
        "latest": "1" if wanted.latest else "",
    }
    text = urlencode({name: value for name, value in pairs.items() if value})
    return f"{text}&" if text else ""


def _address(wanted: QueueFilter, *, state: str = "") -> str:
    found = QueueFilter(
        cohort=wanted.cohort,
        exercise=wanted.exercise,
        state=state,
        dominant_break=wanted.dominant_break,
        latest=wanted.latest,
    )
    return f"?{_query(found)}".rstrip("&")
