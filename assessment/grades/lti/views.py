"""The addresses that platforms and their browsers call."""

import logging
from functools import partial
from http import HTTPStatus
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import login as sign_in
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from pylti1p3.exception import LtiException, OIDCException

from assessment.grades.lti import deep_linking, frames, keys, registering
from assessment.grades.lti.configuration import find_platform
from assessment.grades.lti.launching import Arrival, NoPlaceError, NotReadyError, arrive
from assessment.grades.lti.messages import (
    CLAIM,
    DEEP_LINKING,
    Claims,
    LaunchRefusedError,
    LaunchStore,
    begin,
    read_launch,
)
from assessment.grades.lti.people import until_stored
from assessment.grades.models import Platform

log = logging.getLogger(__name__)

DEEP_LINK_KEY = "lti-deep-link"
_PROBE = "lti-probe"
_PASSED_ON = (
    "iss",
    "login_hint",
    "target_link_uri",
    "lti_message_hint",
    "lti_deployment_id",
    "client_id",
)
_LONGEST = 4000


def tool_addresses(request: HttpRequest) -> registering.ToolAddresses:
    """Return this tool's addresses as the request sees them."""
    return registering.ToolAddresses(request.build_absolute_uri("/").rstrip("/"))


def refused(request: HttpRequest, message: str, reason: str = "") -> HttpResponse:
    """Say that a launch is not let in, and what to do."""
    if reason:
        log.warning("LTI launch refused: %s", reason[:500])
    context = {"message": message, "reason": reason[:500]}
    response = render(request, "lti/refused.html", context, status=HTTPStatus.FORBIDDEN)
    return frames.framed_anywhere(response)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Begin a launch; inside a frame first see whether this browser keeps our cookies there."""
    asked = {
        name: value[:_LONGEST]
        for name in _PASSED_ON
        if (value := request.POST.get(name) or request.GET.get(name))
    }
    platform = find_platform(asked.get("iss"), asked.get("client_id"))
    if platform is None:
        return refused(
            request,
            gettext("The LMS that sent you is not registered here."),
            f"Issuer: {asked.get('iss', 'none')}. Client id: {asked.get('client_id', 'none')}.",
        )
    if "checked" in request.GET or request.headers.get("Sec-Fetch-Dest") == "document":
        try:
            launch_url = tool_addresses(request).launch
            response: HttpResponse = begin(request, platform, launch_url)
        except (LtiException, OIDCException) as error:
            return refused(
                request, gettext("The LMS asked in a way that is not understood."), str(error)
            )
        return response
    go_on = f"{request.path}?{urlencode({**asked, 'checked': '1'})}"
    page = render(request, "lti/check.html", {"go_on": go_on})
    # As the session's own cookie will be set, or the answer would be about another cookie.
    page.set_cookie(
        _PROBE,
        "1",
        max_age=300,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="None" if settings.LTI_IN_FRAMES else "Lax",
    )
    return frames.framed_anywhere(page)


@never_cache
@require_safe
def cookies(request: HttpRequest) -> JsonResponse:
    """Say whether a frame will do: pages may stay in frames, and the probe came back."""
    return JsonResponse({"kept": settings.LTI_IN_FRAMES and _PROBE in request.COOKIES})


@csrf_exempt
@never_cache
@require_POST
def launch(request: HttpRequest) -> HttpResponse:
    """Let a checked launch in: sign the person in and show what the link is for."""
    response = _launch(request)
    LaunchStore(request).forget(request.POST.get("state", ""), response)
    return response


def _launch(request: HttpRequest) -> HttpResponse:
    try:
        arrival, claims, asked = _let_in(request)
    except LaunchRefusedError as error:
        return refused(
            request,
            gettext("This launch is not let in. Go back to the LMS and open the link again."),
            error.reason,
        )
    except NotReadyError:
        return refused(
            request,
            gettext(
                "This course is not set up yet: an instructor has to open the link once first."
            ),
        )
    except NoPlaceError:
        return refused(
            request,
            gettext("Your role in this course of the LMS has no place here. Ask its instructor."),
        )
    sign_in(request, arrival.user, backend="django.contrib.auth.backends.ModelBackend")
    request.session[frames.SESSION_KEY] = frames.pages_of(arrival.platform, claims)
    if asked:
        request.session[DEEP_LINK_KEY] = asked.as_json()
        return redirect("lti-deep-link")
    if arrival.exercise is None:
        return redirect("sessions")
    # Of the courses that a person is in, the one that they came from.
    place = urlencode({"cohort": arrival.context.cohort.slug})
    return redirect(f"{arrival.exercise.get_absolute_url()}?{place}")


def _let_in(request: HttpRequest) -> tuple[Arrival, Claims, deep_linking.Request | None]:
    """Return who arrives, with what claims, and the platform's question where it asks for links."""
    platform, claims = read_launch(request)
    return until_stored(partial(_arrived, platform, claims))


def _arrived(
    platform: Platform, claims: Claims
) -> tuple[Arrival, Claims, deep_linking.Request | None]:
    with transaction.atomic():
        arrival = arrive(platform, claims)
        if claims[f"{CLAIM}message_type"] == DEEP_LINKING:
            return arrival, claims, deep_linking.read_request(arrival, claims)
    return arrival, claims, None


@require_safe
@cache_control(public=True, max_age=3600)
def key_set(request: HttpRequest) -> JsonResponse:
    """Publish the keys that sign for this tool."""
    del request
    return JsonResponse(keys.public_key_set())


@never_cache
@require_safe
def register(request: HttpRequest, secret: str) -> HttpResponse:
    """Let an invited platform register itself, in its administrator's browser."""
    invitation = registering.open_invitation(secret)
    if invitation is None:
        return refused(
            request, gettext("This invitation is used up or too old. Ask for a new one.")
        )
    try:
        platform = registering.register_itself(
            invitation,
            tool_addresses(request),
            request.GET.get("openid_configuration", ""),
            request.GET.get("registration_token", ""),
        )
    except registering.RegistrationRefusedError as error:
        return refused(request, gettext("The LMS cannot be registered."), str(error))
    page = render(request, "lti/registered.html", {"platform": platform})
    return frames.framed_anywhere(page)
