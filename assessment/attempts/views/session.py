"""The page of a session, as learners see it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from assessment.attempts import access
from assessment.attempts.withholding import opened_in
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Enrolment
from assessment.web.prose import with_formulas
from exercises.models import Passage, Session, WorkedCase


@require_safe
@person_required
def session(request: PersonRequest, slug: str) -> HttpResponse:
    """Show a session: never an answer, a note, or a figure that is still withheld."""
    cohort = request.GET.get("cohort")
    found = get_object_or_404(access.sessions_for(request.user, cohort), slug=slug)
    place = access.place_in(found, request.user, cohort)
    context = for_learners(found, place) | {
        "session": found,
        "place": place,
        "cohort": cohort,
        "teaches": access.teaches(request.user, found),
    }
    return render(request, "attempts/session.html", context)


def for_learners(found: Session, place: Enrolment | None) -> dict[str, Any]:
    """Return the material of a session that learners may read, typeset and masked."""
    opened = opened_in(found, place)
    concepts = list(found.concepts.all())
    formulas = found.formulas()
    passages: dict[str, list[str]] = {kind.value: [] for kind in Passage.LEARNER_KINDS}
    for passage in found.passages.for_learners():
        passages[passage.kind].append(with_formulas(passage.text, formulas))
    return {
        "concepts": concepts,
        "passages": passages,
        "starting_data": with_formulas(
            found.masked(found.starting_data, "starting_data", opened), formulas
        ),
        "mechanism_map": found.masked(found.mechanism_map, "mechanism_map", opened),
        "worked_cases": [
            (found.masked(each.statement, "worked_case", opened), _lines(each, found, opened))
            for each in found.workedcases.prefetch_related("lines")
        ],
        "common_errors": [
            found.masked(each.statement, "common_errors", opened)
            for each in found.commonerrors.all()
        ],
        "class_checks": [
            (each.concept, with_formulas(each.prompt, formulas))
            for each in found.classchecks.for_learners()
        ],
        "challenges": found.transferchallenges.for_learners().prefetch_related("options"),
        "ticket_parts": found.exitticketparts.all(),
        "exercises": found.exercises.offered().filter(current__isnull=False),
    }


def _lines(
    case: WorkedCase, found: Session, opened: set[str]
) -> list[tuple[str, list[str | None]]]:
    """Return the lines of each section; a withheld line keeps its place and hides its text."""
    sections: list[tuple[str, list[str | None]]] = []
    for line in case.lines.all():
        if not sections or sections[-1][0] != line.section:
            sections.append((line.section, []))
        text = None if line.withheld else found.masked(line.text, "worked_case", opened)
        sections[-1][1].append(text)
    return sections
