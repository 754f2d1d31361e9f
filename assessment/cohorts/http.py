"""Requests of people who are signed in."""

from collections.abc import Callable
from functools import update_wrapper
from http import HTTPStatus
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.middleware import HtmxDetails

from assessment.cohorts.models import User
from assessment.web.refusals import typed_in

P = ParamSpec("P")


class PersonRequest(HttpRequest):
    """A request of someone who is signed in."""

    user: User
    htmx: HtmxDetails


def person_required(
    view: Callable[Concatenate[PersonRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Send strangers to the sign-in page; what they had typed is given back, never lost."""

    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)  # type: ignore[arg-type]  # signed in: checked above
        if request.method == "POST":
            context = {"typed": list(typed_in(request)), "page": request.path}
            return render(request, "web/refused.html", context, status=HTTPStatus.FORBIDDEN)
        return redirect_to_login(request.get_full_path())

    update_wrapper(guarded, view)
    return guarded
