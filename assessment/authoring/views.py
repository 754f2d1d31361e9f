"""The instructors' pages of a session's documents."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.db.models import Min, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from assessment.authoring import publishing
from assessment.authoring.taught import taught_by
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort, Enrolment, User
from exercises.models import Exercise, Passage
from rubrics.models import Level


@require_safe
@person_required
def guide(request: PersonRequest, slug: str) -> HttpResponse:
    """Show everything that a session's documents hold, to those who teach it."""
    session = get_object_or_404(taught_by(request.user), slug=slug)
    passages: dict[str, list[str]] = {kind: [] for kind in Passage.Kind.values}
    for kind, text in session.passages.values_list("kind", "text"):
        passages[kind].append(text)
    cohorts = Cohort.objects.taught_by(request.user).filter(sessions=session)
    instructed = list(Cohort.objects.instructed_by(request.user).filter(sessions=session))
    context = {
        "session": session,
        "passages": passages,
        "formulas": session.formulas(),
        "levels": Level.objects.filter(scale__session=session),
        "cases": session.workedcases.prefetch_related("lines"),
        "checks": session.classchecks.prefetch_related("wrong_answers"),
        "levers": session.levertables.prefetch_related("cells"),
        "challenges": session.transferchallenges.prefetch_related("options"),
        "exercises": session.exercises.offered()
        .annotate(
            solution_published_at=Min(
                "publications__published_at", filter=Q(publications__cohort__in=cohorts)
            )
        )
        .select_related("current")
        .prefetch_related("current__fields", "current__rubrics__criteria"),
        "instructs": bool(instructed),
        "withheld": session.withheld_figures.order_by("until", "figure", "place"),
        "readers": _readers(instructed),
        "zone": cohorts[0].zone,
    }
    return render(request, "authoring/guide.html", context)


def _readers(cohorts: Sequence[Cohort]) -> int:
    """Count the learners who would read a published solution."""
    learners = Enrolment.objects.active().learners().filter(cohort__in=cohorts)
    return learners.values("user").distinct().count()


@require_POST
@person_required
def publish_solution(request: PersonRequest, slug: str, exercise: str) -> HttpResponse:
    """Publish the solution of one exercise."""
    return _decide(
        request,
        (slug, exercise),
        publishing.publish,
        done=_("The solution is published: learners read it on the page of the exercise."),
        undone=_("The solution was published already."),
    )


@require_POST
@person_required
def unpublish_solution(request: PersonRequest, slug: str, exercise: str) -> HttpResponse:
    """Take the solution of one exercise back."""
    return _decide(
        request,
        (slug, exercise),
        publishing.unpublish,
        done=_("The solution is taken back: learners who have not read it yet cannot any more."),
        undone=_("The solution was not published."),
    )


def _decide(
    request: PersonRequest,
    slugs: tuple[str, str],
    act: Callable[[Exercise, User], bool],
    *,
    done: str,
    undone: str,
) -> HttpResponse:
    """Act on one exercise and go back to where it stands in the guide."""
    session = get_object_or_404(taught_by(request.user), slug=slugs[0])
    found = get_object_or_404(session.exercises.offered(), slug=slugs[1])
    if act(found, request.user):
        messages.success(request, done)
    else:
        messages.info(request, undone)
    return redirect(f"{reverse('session-guide', args=[session.slug])}#{found.key}")
