"""Committing a prediction, with a last look before it stays."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from assessment.attempts.errors import AlreadyPredicted
from assessment.attempts.forms import PredictionForm
from assessment.attempts.models import Prediction
from assessment.attempts.predicting import predict
from assessment.attempts.views.exercise import learner_desk, page, typed_so_far
from assessment.attempts.views.returning import back_to
from assessment.cohorts.http import PersonRequest, person_required


@person_required
def prediction(request: PersonRequest, slug: str) -> HttpResponse:
    """Show what would be stored, and store it once it is confirmed."""
    if request.method != "POST":
        return redirect("exercise", slug)
    desk = learner_desk(request, slug)
    form = PredictionForm(request.POST)
    step = request.POST.get("step")
    if not form.is_valid() or step != "store":
        confirms = form.is_valid() and step != "change"
        typed = typed_so_far(desk)
        chosen = _label(form) if confirms else ""
        return page(
            request,
            desk,
            typed=typed,
            prediction_form=form,
            confirms=confirms,
            chosen_direction=chosen,
        )
    try:
        predict(
            case=desk.case,
            direction=Prediction.Direction(form.cleaned_data["direction"]),
            value=form.cleaned_data["value"],
            reason=form.cleaned_data["reason"],
        )
    except AlreadyPredicted as refusal:
        messages.warning(request, str(refusal))
    else:
        messages.success(request, _("Your prediction is stored. The changed value is shown below."))
    return back_to(desk, "#trace")


def _label(form: PredictionForm) -> str:
    return str(Prediction.Direction(form.cleaned_data["direction"]).label)
