"""How the engine reads one typed value, while it is typed; never whether it is right."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from assessment.attempts.reading import read_as
from assessment.attempts.views.exercise import learner_desk
from assessment.cohorts.http import PersonRequest, person_required


@person_required
def preview(request: PersonRequest, slug: str) -> HttpResponse:
    """Say how the result of one step would be read."""
    if request.method != "POST":
        return redirect("exercise", slug)
    desk = learner_desk(request, slug)
    steps = {f"{each.name}.result": each for each in desk.fields if each.kind == each.Kind.STEP}
    field = next((steps[name] for name in request.POST if name in steps), None)
    if field is None:
        return HttpResponse(status=204)
    text = request.POST.get(f"{field.name}.result", "")
    return render(
        request, "attempts/_reading.html", {"reading": read_as(desk.version, field, text)}
    )
