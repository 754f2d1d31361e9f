"""The pages of files: saving them, and handing points in."""

from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort
from assessment.grades.access import taught
from assessment.grades.csv_files import applying, evidence, gradebook, points
from assessment.grades.models import PointsFile
from assessment.web.csv_files.cells import Notation, Value
from assessment.web.csv_files.fields import CSVField
from assessment.web.csv_files.reading import (
    FileRefusedError,
    Row,
    Table,
    read_table,
)
from assessment.web.csv_files.writing import stream

_EXPORTS: dict[str, tuple[Sequence[str], Callable[[Cohort], Iterator[Sequence[Value]]]]] = {
    "gradebook": (gradebook.HEADER, gradebook.rows),
    "evidence": (evidence.HEADER, evidence.rows),
    "points": (points.HEADER, points.rows),
}
_SHOWN = 200
_FILES_SHOWN = 20


class PointsForm(forms.Form):
    """A file of points."""

    file = CSVField(
        label=_("Points (CSV)"),
        help_text=_("The points sheet from this page, filled in, or a file with the same columns."),
    )


@never_cache
@require_safe
@person_required
def cohorts(request: PersonRequest) -> HttpResponse:
    """List the cohorts of this person with their doors, or go straight to the only one."""
    found = list(Cohort.objects.taught_by(request.user).distinct())
    if not found:
        raise Http404
    if len(found) == 1:
        return redirect("grade-files", found[0].slug)
    return render(request, "grades/cohorts.html", {"cohorts": found})


@never_cache
@require_safe
@person_required
def export(request: PersonRequest, slug: str, name: str) -> HttpResponse:
    """Stream one of the files.

    ``?decimal=comma`` is for spreadsheet programs that write 7,5, ``?mark=0`` for scripts: no
    byte-order mark, and no apostrophes but before formulas.
    """
    cohort = taught(request, slug)
    if name not in _EXPORTS:
        raise Http404
    header, rows = _EXPORTS[name]
    notation = Notation(
        for_spreadsheets=request.GET.get("mark") != "0",
        decimal_comma=request.GET.get("decimal") == "comma",
    )
    return stream(f"{cohort.slug}-{name}", header, rows(cohort), notation)  # type: ignore[return-value]  # a response all the same


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def files(request: PersonRequest, slug: str) -> HttpResponse:
    """Offer the files of a cohort, and take points in."""
    cohort = taught(request, slug)
    form = PointsForm()
    if request.method == "POST":
        form = PointsForm(request.POST, request.FILES)
        if form.is_valid():
            file = form.cleaned_data["file"]
            try:
                table = read_table(file.read(), points.HEADER).with_decimal_points(points.NUMBERS)
                points.plan(cohort, table)
            except FileRefusedError as error:
                form.add_error("file", str(error))
            else:
                if table.remark:
                    messages.warning(request, table.remark)
                return redirect("points-file", _kept(cohort, request, file.name, table).pk)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    handed_in = PointsFile.objects.filter(cohort=cohort, handed_in_by=request.user).defer(
        "columns", "rows", "outcome"
    )
    context = {"cohort": cohort, "form": form, "handed_in": handed_in[:_FILES_SHOWN]}
    return render(request, "grades/files.html", context, status=status)


def _kept(cohort: Cohort, request: PersonRequest, name: str, table: Table) -> PointsFile:
    return PointsFile.objects.create(
        cohort=cohort,
        handed_in_by=request.user,
        name=name[:255],
        columns=list(table.columns),
        rows=[[row.line, dict(row.values)] for row in table.rows],
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def points_file(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show what a file would change and what does not fit; then do it, once; then what it did."""
    kept = _own_file(request, pk)
    if kept.applied_at:
        if request.method == "POST":
            messages.info(request, gettext("This file was applied already; nothing was done."))
            return redirect("points-file", kept.pk)
        return render(request, "grades/points_done.html", {"file": kept})
    table = Table(tuple(kept.columns), tuple(Row(line, values) for line, values in kept.rows))
    planned = points.plan(kept.cohort, table)
    status = HTTPStatus.OK
    if request.method == "POST":
        if request.POST.get("seen") == planned.digest:
            applying.apply(kept, planned, request.user)
            return redirect("points-file", kept.pk)
        status = HTTPStatus.CONFLICT
    context = {
        "file": kept,
        "plan": planned,
        "shown": planned.changes[:_SHOWN],
        "moved": status == HTTPStatus.CONFLICT,
    }
    return render(request, "grades/points_file.html", context, status=status)


@never_cache
@require_POST
@person_required
def discard(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Forget a file that was not applied."""
    kept = _own_file(request, pk)
    deleted, _rows = PointsFile.objects.filter(pk=kept.pk, applied_at=None).delete()
    if not deleted:
        messages.info(request, gettext("This file was applied already; take it back instead."))
        return redirect("points-file", kept.pk)
    messages.success(request, gettext("The file is discarded; nothing was saved."))
    return redirect("grade-files", kept.cohort.slug)


@never_cache
@require_POST
@person_required
def take_back(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Save the points again that stood there before a file was applied."""
    kept = _own_file(request, pk)
    applying.take_back(kept, request.user)
    return redirect("points-file", kept.pk)


def _own_file(request: PersonRequest, pk: UUID) -> PointsFile:
    cohorts = Cohort.objects.taught_by(request.user)
    visible = PointsFile.objects.filter(cohort__in=cohorts, handed_in_by=request.user)
    return get_object_or_404(visible.select_related("cohort"), pk=pk)
