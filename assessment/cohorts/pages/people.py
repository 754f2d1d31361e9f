"""The page of one person's place in a cohort, and links to passwords."""

from collections.abc import Iterator
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from assessment.cohorts import enrolling, mailing
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.inviting import invitable_by, invite, waiting_in
from assessment.cohorts.models import Cohort, Enrolment, Invitation, User
from assessment.cohorts.pages.cohorts import instructed
from assessment.cohorts.pages.forms import TrackForm
from assessment.web.csv_files.cells import Notation
from assessment.web.csv_files.writing import stream

_LINKS_SHOWN = 10
_HEADER = ("name", "username", "email", "link")


def _place(request: PersonRequest, slug: str, pk: UUID) -> Enrolment:
    cohort = instructed(request, slug)
    return get_object_or_404(cohort.enrolments.select_related("user", "cohort"), pk=pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def person(request: PersonRequest, slug: str, pk: UUID) -> HttpResponse:
    """Show someone's place; change the track."""
    place = _place(request, slug, pk)
    if request.method != "POST":
        return _page(request, place)
    form = TrackForm(request.POST, instance=place)
    if not form.is_valid():
        messages.error(request, gettext("Choose one of the tracks."))
        return redirect("cohort-person", slug, pk)
    enrolling.change_track(place, form.cleaned_data["track"])
    text = gettext("%(person)s is on the track %(track)s.")
    messages.success(
        request, text % {"person": place.user, "track": form.instance.get_track_display()}
    )
    return redirect("cohort-person", slug, pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def end(request: PersonRequest, slug: str, pk: UUID) -> HttpResponse:
    """Ask, then end someone's place."""
    place = _place(request, slug, pk)
    if place.left_at is not None:
        return redirect("cohort-person", slug, pk)
    if request.method != "POST":
        return render(request, "cohorts/end_place.html", {"place": place})
    try:
        enrolling.end(place, by=request.user)
    except enrolling.LastInstructorError:
        messages.error(
            request,
            gettext("%(person)s is the last instructor: name another one first.")
            % {"person": place.user},
        )
        return redirect("cohort-person", slug, pk)
    messages.success(request, gettext("%(person)s has left.") % {"person": place.user})
    if place.user == request.user and not request.user.is_superuser:
        return redirect("sessions")
    return redirect("cohort-person", slug, pk)


@require_POST
@person_required
def resume(request: PersonRequest, slug: str, pk: UUID) -> HttpResponse:
    """Give someone who left their place back."""
    place = _place(request, slug, pk)
    enrolling.resume(place)
    messages.success(request, gettext("%(person)s is back.") % {"person": place.user})
    return redirect("cohort-person", slug, pk)


@never_cache
@sensitive_variables("link")
@require_POST
@person_required
def link(request: PersonRequest, slug: str, pk: UUID) -> HttpResponse:
    """Make a sign-in link and show it this once; for whom one may not, there is no such door."""
    place = _place(request, slug, pk)
    user = get_object_or_404(invitable_by(request.user), pk=place.user_id)
    (path,) = invite([user], by=request.user, way=Invitation.Way.SHOWN).values()
    return _page(request, place, link=request.build_absolute_uri(path))


@never_cache
@require_POST
@person_required
def links(request: PersonRequest, slug: str) -> HttpResponse:
    """Make a link for everybody who never signed in: as a file, or by e-mail."""
    cohort = instructed(request, slug)
    if request.POST.get("way") == Invitation.Way.MAIL:
        _mail(request, mailing.unmailed_in(cohort, request.user))
        return redirect("cohort", slug)
    waiting = waiting_in(cohort, request.user)
    if not waiting:
        messages.info(request, gettext("There is nobody here who waits for a link."))
        return redirect("cohort", slug)
    return _file(request, cohort, waiting)


@sensitive_variables("paths")
def _file(request: PersonRequest, cohort: Cohort, waiting: QuerySet[User]) -> HttpResponse:
    paths = invite(waiting, by=request.user, way=Invitation.Way.FILE)

    def rows() -> Iterator[tuple[str, ...]]:
        for user, path in paths.items():
            link = request.build_absolute_uri(path)
            yield user.get_full_name(), user.username, user.email, link

    return stream(f"{cohort.slug}-sign-in-links", _HEADER, rows(), Notation())  # type: ignore[return-value]  # a response all the same


def _mail(request: PersonRequest, people: QuerySet[User]) -> None:
    origin = request.build_absolute_uri("/").rstrip("/")
    sent = mailing.mail_invitations(people, by=request.user, origin=origin)
    text = ngettext("%(n)s e-mail sent.", "%(n)s e-mails sent.", sent.count) % {"n": sent.count}
    if sent.trouble:
        trouble = gettext("Then the mail server refused or did not answer. Try again later.")
        if sent.lost:
            lost = gettext("Make the link of %(person)s on their page: that e-mail was not taken.")
            trouble = f"{trouble} {lost % {'person': sent.lost}}"
        messages.error(request, f"{text} {trouble}")
    else:
        messages.success(request, text)


def _page(request: PersonRequest, place: Enrolment, *, link: str = "") -> HttpResponse:
    invitations = place.user.invitations.select_related("made_by")
    context = {
        "place": place,
        "cohort": place.cohort,
        "track_form": TrackForm(instance=place),
        "may_invite": invitable_by(request.user).filter(pk=place.user_id).exists(),
        "invitations": invitations[:_LINKS_SHOWN],
        "link": link,
    }
    return render(request, "cohorts/person.html", context)
