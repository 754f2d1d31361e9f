"""The pages of people's ids: who is known by what, and the school's number corrected."""

from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort, Enrolment
from assessment.grades.access import instructors_only, instructs, taught
from assessment.grades.people.mapping import NAMES, NUMBERS, Outcome, map_people
from assessment.grades.people.numbering import (
    LONGEST,
    MovedMeanwhileError,
    NumberTakenError,
    changes_of,
    correct,
    numbered_in,
)
from assessment.web.csv_files.fields import CSVField
from assessment.web.csv_files.reading import FileRefusedError, read_table

_LINES_SHOWN = 500
_PAGE = 100
_LONGEST_SEARCH = 100


class NumbersForm(forms.Form):
    """A file of usernames and numbers."""

    file = CSVField(
        label=_("Numbers (CSV)"),
        help_text=_("A column username and a column sis_id, or sourcedId as OneRoster calls it."),
    )


class NumberForm(forms.Form):
    """The number of one person."""

    number = forms.CharField(
        label=_("Number of the school (SIS id)"),
        max_length=LONGEST,
        required=False,
        help_text=_("Exactly as the LMS writes it, with its zeros. Empty: none."),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def people(request: PersonRequest, slug: str) -> HttpResponse:
    """List the learners of a cohort with all their ids; take numbers from a file."""
    cohort = taught(request, slug)
    form, report = NumbersForm(), None
    if request.method == "POST":
        instructors_only(request, cohort)
        form = NumbersForm(request.POST, request.FILES)
        if form.is_valid():
            report = _mapped(request, cohort, form)
    places, search = _places(cohort), request.GET.get("q", "").strip()[:_LONGEST_SEARCH]
    shown = places.named(search).prefetch_related("user__lti_users__platform")
    context = {
        "cohort": cohort,
        "form": form,
        "page": Paginator(shown, _PAGE).get_page(request.GET.get("page")),
        "search": search,
        "query": f"{urlencode({'q': search})}&" if search else "",
        "without": places.filter(user__sis_id=None).count(),
        "may_set": instructs(request, cohort),
        "report": report,
        "written": "write" in request.POST,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "grades/people.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def person(request: PersonRequest, slug: str, pk: UUID) -> HttpResponse:
    """Show one learner's ids and what became of them; correct the school's number."""
    cohort = taught(request, slug)
    place = get_object_or_404(_places(cohort), pk=pk)
    is_numbered_here = numbered_in(cohort).filter(pk=place.user_id).exists()
    form, status = NumberForm(initial={"number": place.user.sis_id}), HTTPStatus.OK
    holder: Enrolment | None = None
    if request.method == "POST":
        instructors_only(request, cohort)
        if not is_numbered_here:
            raise PermissionDenied
        form = NumberForm(request.POST)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if form.is_valid():
            number, seen = form.cleaned_data["number"], request.POST.get("seen", "")
            try:
                moved = correct(place.user, number, request.user, seen=seen)
            except MovedMeanwhileError:
                status = HTTPStatus.CONFLICT
                text = gettext(
                    "Someone changed the number meanwhile. Yours replaces it if you save."
                )
                form.add_error(None, text)
            except NumberTakenError as error:
                status = HTTPStatus.CONFLICT
                holder = _places(cohort).filter(user=error.holder).first()
                form.add_error("number", _taken(holder))
            else:
                text = gettext("The number is saved.") if moved else gettext("No change.")
                messages.success(request, text)
                return redirect("person-ids", cohort.slug, place.pk)
        place.user.refresh_from_db()
    context = {
        "cohort": cohort,
        "place": place,
        "form": form,
        "holder": holder,
        "changes": changes_of(place.user),
        "others": place.user.lti_users.select_related("platform"),
        "may_set": instructs(request, cohort),
        "is_numbered_here": is_numbered_here,
    }
    return render(request, "grades/person.html", context, status=status)


def _taken(holder: Enrolment | None) -> str:
    """Explain that two people claim one number; who is not of this cohort is not named."""
    if holder is None:
        return gettext(
            "Someone outside this cohort has this number. One of the two is wrong: ask your"
            " administrators which."
        )
    return gettext(
        "%(who)s has this number. One of the two is wrong: if it is theirs, give them their own or"
        " none first, then save here again."
    ) % {"who": holder.user}


def _mapped(request: PersonRequest, cohort: Cohort, form: NumbersForm) -> dict[str, Any] | None:
    file = form.cleaned_data["file"]
    try:
        table = read_table(file.read(), (*NAMES, *NUMBERS))
        if table.remark:
            messages.warning(request, table.remark)
        lines = map_people(
            table, dry_run="write" not in request.POST, within=numbered_in(cohort), by=request.user
        )
    except FileRefusedError as error:
        form.add_error("file", str(error))
        return None
    counts = {outcome: sum(line.outcome is outcome for line in lines) for outcome in Outcome}
    return {
        "counts": [(outcome.label, counts[outcome]) for outcome in Outcome],
        "lines": [line for line in lines if line.outcome is not Outcome.ALREADY][:_LINES_SHOWN],
    }


def _places(cohort: Cohort) -> Any:  # noqa: ANN401 (a queryset that is narrowed further)
    places = Enrolment.objects.active().learners().filter(cohort=cohort)
    return places.select_related("user").order_by(
        "user__last_name", "user__first_name", "user__username"
    )
