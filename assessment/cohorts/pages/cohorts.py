"""The pages of cohorts: all of them, one of them, its sessions and its instructors.

Instructors see the cohorts that they instruct, administrators all. Assistants do not come here:
they review, and the names that they need for it stand beside the work.
"""

from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assessment.cohorts import mailing
from assessment.cohorts.clients import instructed_by
from assessment.cohorts.enrolling import LearnerHereError, make_instructor
from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.inviting import made_for, waiting_in
from assessment.cohorts.making import SlugTakenError, make_cohort
from assessment.cohorts.models import Cohort, Enrolment
from assessment.cohorts.pages.forms import CohortForm, InstructorForm, SessionForm
from exercises.models import Session

_ON_A_PAGE = 100
_LONGEST_SEARCH = 100


def instructed(request: PersonRequest, slug: str) -> Cohort:
    """Return a cohort that this person may fill, or say that there is none."""
    return get_object_or_404(instructed_by(request.user), slug=slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def cohorts(request: PersonRequest) -> HttpResponse:
    """List the cohorts; an administrator makes one."""
    is_administrator = request.user.is_superuser
    found = instructed_by(request.user)
    if not is_administrator and (request.method == "POST" or not found.exists()):
        raise Http404
    form = CohortForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = make_cohort(**form.cleaned_data)
        except SlugTakenError:
            form.add_error("slug", gettext("Another cohort has this short name."))
        else:
            messages.success(request, gettext("%(cohort)s is made.") % {"cohort": made.cohort})
            return redirect("cohort", made.cohort.slug)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    active = Q(enrolments__left_at=None)
    counted = found.annotate(
        learners=Count(
            "enrolments", filter=active & Q(enrolments__role=Enrolment.Role.LEARNER), distinct=True
        ),
        session_count=Count("sessions", distinct=True),
    )
    context = {"cohorts": counted, "form": form if is_administrator else None}
    return render(request, "cohorts/cohorts.html", context, status=status)


@never_cache
@require_safe
@person_required
def cohort(request: PersonRequest, slug: str) -> HttpResponse:
    """Show who is in a cohort and what it works through."""
    found = instructed(request, slug)
    search = request.GET.get("q", "").strip()[:_LONGEST_SEARCH]
    pages = Paginator(_people(found, search), _ON_A_PAGE)
    silent = found.enrolments.active().filter(user__last_login=None).count()
    waiting_people = waiting_in(found, request.user)
    waiting = waiting_people.count()
    context = {
        "cohort": found,
        "page": pages.get_page(request.GET.get("page")),
        "search": search,
        "query": f"{urlencode({'q': search})}&" if search else "",
        "counts": found.enrolments.active().aggregate(
            learners=Count("pk", filter=Q(role=Enrolment.Role.LEARNER)),
            staff=Count("pk", filter=~Q(role=Enrolment.Role.LEARNER)),
        ),
        "offers": found.place_offers.open(),
        "sessions": found.sessions.all(),
        "session_form": SessionForm(cohort=found),
        "has_more_sessions": Session.objects.exclude(cohorts=found).exists(),
        "waiting": waiting,
        "invited": made_for(waiting_people),
        "for_administrators": silent - waiting,
        "unmailed": mailing.unmailed_in(found, request.user).count(),
        "most_mails": mailing.MOST_AT_ONCE,
    }
    return render(request, "cohorts/cohort.html", context)


def _people(cohort: Cohort, search: str) -> QuerySet[Enrolment]:
    """Return the places, those who left at the end."""
    places = cohort.enrolments.named(search).select_related("user")
    has_left = Q(left_at__isnull=False)
    return places.alias(has_left=has_left).order_by(
        "has_left", "role", "user__last_name", "user__first_name", "user__username"
    )


@require_POST
@person_required
def add_session(request: PersonRequest, slug: str) -> HttpResponse:
    """Add a session to a cohort."""
    found = instructed(request, slug)
    form = SessionForm(request.POST, cohort=found)
    if form.is_valid():
        session = form.cleaned_data["session"]
        found.sessions.add(session)
        messages.success(request, gettext("%(session)s is added.") % {"session": session})
    else:
        messages.error(request, gettext("Choose a session that the cohort does not have yet."))
    return redirect("cohort", slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def remove_session(request: PersonRequest, slug: str, session: str) -> HttpResponse:
    """Ask, then take a session away from a cohort."""
    found = instructed(request, slug)
    removed = get_object_or_404(found.sessions, slug=session)
    if request.method != "POST":
        return render(request, "cohorts/remove_session.html", {"cohort": found, "session": removed})
    found.sessions.remove(removed)
    messages.success(request, gettext("%(session)s is removed.") % {"session": removed})
    return redirect("cohort", slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def instructors(request: PersonRequest, slug: str) -> HttpResponse:
    """Make people instructors of a cohort, after a look at who they are."""
    found = instructed(request, slug)
    form = InstructorForm(request.POST if request.method == "POST" else None, by=request.user)
    context = {"cohort": found, "form": form}
    if request.method != "POST" or not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
        return render(request, "cohorts/instructors.html", context, status=status)
    people = form.cleaned_data["usernames"]
    answering = found.enrolments.learners().filter(user__in=people).select_related("user")
    if names := ", ".join(str(place.user) for place in answering):
        text = gettext("%(names)s: learner of this cohort; who answers does not review here.")
        form.add_error("usernames", text % {"names": names})
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "cohorts/instructors.html", context, status=status)
    if "sure" not in request.POST:
        return render(request, "cohorts/instructors.html", {**context, "people": people})
    try:
        with transaction.atomic():
            for person in people:
                make_instructor(found, person)
    except LearnerHereError:
        messages.error(request, gettext("Nothing was stored: one of them became a learner here."))
        return redirect("cohort-instructors", slug)
    messages.success(
        request,
        gettext("Instructors now: %(names)s.") % {"names": ", ".join(map(str, people))},
    )
    return redirect("cohort", slug)
