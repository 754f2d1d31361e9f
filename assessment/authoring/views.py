"""The instructors' pages of a session's documents."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from assessment.authoring.taught import taught_by
from assessment.cohorts.http import PersonRequest, person_required
from exercises.models import Passage
from rubrics.models import Level


@require_GET
@person_required
def guide(request: PersonRequest, slug: str) -> HttpResponse:
    """Show everything that a session's documents hold, to those who teach it."""
    session = get_object_or_404(taught_by(request.user), slug=slug)
    passages: dict[str, list[str]] = {kind: [] for kind in Passage.Kind.values}
    for kind, text in session.passages.values_list("kind", "text"):
        passages[kind].append(text)
    return render(
        request,
        "authoring/guide.html",
        {
            "session": session,
            "passages": passages,
            "levels": Level.objects.filter(scale__session=session),
            "cases": session.workedcases.prefetch_related("lines"),
            "checks": session.classchecks.prefetch_related("wrong_answers"),
            "levers": session.levertables.prefetch_related("cells"),
            "challenges": session.transferchallenges.prefetch_related("options"),
            "exercises": session.exercises.offered()
            .select_related("current")
            .prefetch_related("current__fields", "current__rubrics__criteria"),
        },
    )
