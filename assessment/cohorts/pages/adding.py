"""Adding many people at once: hand a list in, look at every row, confirm."""

from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from assessment.cohorts.enrolling import (
    ChangedMeanwhileError,
    InstructorsUnconfirmedError,
    enrol_list,
)
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.listing import COLUMNS, rows_of
from assessment.cohorts.models import PeopleList
from assessment.cohorts.pages.cohorts import instructed
from assessment.cohorts.pages.forms import PeopleForm
from assessment.cohorts.recognising import Standing, plan
from assessment.web.csv_files.reading import FileRefusedError, read_table


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def add_people(request: PersonRequest, slug: str) -> HttpResponse:
    """Take a list of people in."""
    cohort = instructed(request, slug)
    form = PeopleForm()
    if request.method == "POST":
        form = PeopleForm(request.POST, request.FILES)
        if form.is_valid():
            try:
                table = read_table(form.content(), list(COLUMNS))
                rows, unread = rows_of(table)
            except FileRefusedError as error:
                form.add_error("file" if form.cleaned_data["file"] else "pasted", str(error))
            else:
                if table.remark:
                    messages.warning(request, table.remark)
                if unread:
                    text = gettext("Columns that say nothing here and are not read: %(names)s.")
                    messages.info(request, text % {"names": ", ".join(unread)[:300]})
                kept = PeopleList.objects.create(
                    cohort=cohort, handed_in_by=request.user, rows=rows
                )
                return redirect("people-list", slug, kept.pk)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    context = {"cohort": cohort, "form": form}
    return render(request, "cohorts/add_people.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def people_list(request: PersonRequest, slug: str, pk: UUID) -> HttpResponse:
    """Show what a list would do, row by row; then do just that."""
    cohort = instructed(request, slug)
    kept = get_object_or_404(cohort.people_lists.filter(handed_in_by=request.user), pk=pk)
    if kept.applied_at is not None:
        messages.info(request, gettext("This list is stored already."))
        return redirect("cohort", slug)
    if request.method == "POST":
        return _store(request, kept)
    planned = plan(kept)
    context = {
        "cohort": cohort,
        "plan": planned,
        "here": planned.of(Standing.HERE),
        "new": planned.of(Standing.NEW),
        "digest": planned.digest(),
    }
    return render(request, "cohorts/people_list.html", context)


def _store(request: PersonRequest, kept: PeopleList) -> HttpResponse:
    slug = kept.cohort.slug
    try:
        stored = enrol_list(
            kept,
            seen=request.POST.get("seen", ""),
            with_instructors="instructors" in request.POST,
        )
    except ChangedMeanwhileError:
        text = gettext("Nothing was stored: something changed since you looked. Look again.")
        messages.warning(request, text)
        return redirect("people-list", slug, kept.pk)
    except InstructorsUnconfirmedError:
        text = gettext("Nothing was stored: say that you want the new instructors.")
        messages.error(request, text)
        return redirect("people-list", slug, kept.pk)
    if stored is None:
        messages.info(request, gettext("This list is stored already."))
    else:
        asked = len(stored.asked)
        n = len(stored.added) - asked
        text = ngettext("%(n)s person is added.", "%(n)s people are added.", n) % {"n": n}
        if asked:
            text += " " + ngettext(
                "%(n)s has an account already and is invited: see below.",
                "%(n)s have accounts already and are invited: see below.",
                asked,
            ) % {"n": asked}
        messages.success(request, text)
    return redirect("cohort", slug)
