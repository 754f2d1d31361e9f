"""The page that compares gradebooks."""

from collections import Counter
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort
from assessment.grades.access import taught
from assessment.grades.lti.services import FAILURES, told
from assessment.grades.models import LineItem
from assessment.grades.people.comparison import Compared, Finding, verdict
from assessment.grades.people.finding import COLUMNS
from assessment.grades.people.reconciling import with_file, with_lms
from assessment.web.csv_files.cells import Notation
from assessment.web.csv_files.fields import CSVField
from assessment.web.csv_files.reading import FileRefusedError, read_table
from assessment.web.csv_files.writing import stream

_KNOWN = [name for names in COLUMNS.values() for name in names]
_SHOWN = 1000
# What asks for a look comes first.
_ORDER = {finding: place for place, finding in enumerate([*list(Finding)[1:], Finding.SAME])}
_HEADER = (
    "finding",
    "person",
    "exercise",
    "points_here",
    "maximum_here",
    "points_there",
    "maximum_there",
    "where",
    "note",
)


class GradebookForm(forms.Form):
    """Where the LMS's side comes from."""

    file = CSVField(
        label=_("The LMS's gradebook (CSV)"),
        required=False,
        help_text=_(
            "As Canvas, Moodle or Blackboard save it, or any table with a column that names people"
            " (sis_id, username, e-mail address) and either exercise and points, or one column for"
            " each exercise. Without a file the LMS itself is asked."
        ),
    )
    as_file = forms.BooleanField(label=_("Save the report as a file"), required=False)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def reconcile(request: PersonRequest, slug: str) -> HttpResponse:
    """Compare our released grades with an LMS's gradebook."""
    cohort = taught(request, slug)
    form = GradebookForm(
        *((request.POST, request.FILES) if request.method == "POST" else (None, None))
    )
    compared: list[Compared] | None = None
    if request.method == "POST" and form.is_valid():
        compared = _compare(request, cohort, form)
    if compared is not None and form.cleaned_data["as_file"]:
        rows = (
            (
                each.finding.value,
                each.person,
                each.exercise,
                each.ours,
                each.our_maximum,
                each.theirs,
                each.their_maximum,
                each.where,
                each.note,
            )
            for each in compared
        )
        return stream(f"{cohort.slug}-reconciliation", _HEADER, rows, Notation())  # type: ignore[return-value]  # a response all the same
    context = {"cohort": cohort, "form": form} | _report(compared)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "grades/reconcile.html", context, status=status)


def _report(compared: list[Compared] | None) -> dict[str, Any]:
    """Return what the page says of a comparison."""
    if compared is None:
        return {"compared": None}
    counts = Counter(each.finding for each in compared)
    agree, sentence = verdict(compared)
    return {
        "compared": compared,
        "agree": agree,
        "verdict": sentence,
        "counts": [(finding, counts[finding]) for finding in Finding if counts[finding]],
        "shown": sorted(compared, key=lambda each: _ORDER[each.finding])[:_SHOWN],
        "most": _SHOWN,
    }


def _compare(request: PersonRequest, cohort: Cohort, form: GradebookForm) -> list[Compared] | None:
    file = form.cleaned_data["file"]
    try:
        if file is None and not LineItem.objects.filter(context__cohort=cohort).exists():
            raise FileRefusedError(  # noqa: TRY301 (told like every other refusal)
                gettext("No LMS has a column for this cohort yet. Choose its gradebook as a file.")
            )
        if file is None:
            return with_lms(cohort)
        table = read_table(file.read(), _KNOWN)
        if table.remark:
            messages.warning(request, table.remark)
        return with_file(cohort, table)
    except FileRefusedError as error:
        form.add_error("file", str(error))
    except FAILURES as error:
        message = gettext("The LMS did not answer: %(error)s")
        messages.error(request, message % {"error": told(error)})
    return None
