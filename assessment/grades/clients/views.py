"""The pages of clients, for instructors and administrators."""

from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from assessment.cohorts.clients import (
    clients_of,
    instructed_by,
    register_client,
    revoke_client,
)
from assessment.cohorts.http import PersonRequest, person_required
from assessment.grades.clients.forms import ClientForm
from assessment.grades.oneroster.references import GRADEBOOK, ROSTERING


@never_cache
@sensitive_variables("secret")
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def clients(request: PersonRequest) -> HttpResponse:
    """List the clients; make one, and show its secret this once."""
    if not instructed_by(request.user).exists() and not request.user.is_superuser:
        raise Http404
    if request.method != "POST":
        return _page(request, ClientForm(user=request.user))
    form = ClientForm(request.POST, user=request.user)
    if not form.is_valid():
        return _page(request, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    found = form.cleaned_data
    made, secret = register_client(found["name"], cohorts=found["cohorts"], scopes=found["scopes"])
    return _page(request, ClientForm(user=request.user), made=made, secret=secret)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def revoke(request: PersonRequest, client_id: UUID) -> HttpResponse:
    """Ask, then revoke a client with all its tokens."""
    client = get_object_or_404(clients_of(request.user).filter(revoked_at=None), pk=client_id)
    if request.method != "POST":
        return render(request, "grades/revoke_client.html", {"client": client})
    closed = revoke_client(client)
    done = ngettext(
        "%(name)s is revoked; %(count)d token stopped working.",
        "%(name)s is revoked; %(count)d tokens stopped working.",
        closed,
    )
    messages.success(request, done % {"name": client, "count": closed})
    return redirect("lms-clients")


def _page(
    request: PersonRequest,
    form: ClientForm,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    **more: object,
) -> HttpResponse:
    paths = {
        "token": reverse("oauth-token"),
        "rest": reverse("api-grades"),
        "docs": reverse("api-docs"),
        "gradebook": GRADEBOOK,
        "rostering": ROSTERING,
    }
    context = {
        "form": form,
        "clients": clients_of(request.user),
        "addresses": {name: request.build_absolute_uri(path) for name, path in paths.items()},
        **more,
    }
    return render(request, "grades/clients.html", context, status=status)
