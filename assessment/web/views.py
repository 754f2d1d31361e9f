"""The pages that belong to no other app: the colour choice and the design page."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from assessment.web import specimens
from assessment.web.themes import COOKIE, COOKIE_AGE, THEMES


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Remember the colour choice in a cookie and go back to the page it was made on."""
    response = HttpResponseRedirect(_safe_return(request))
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie(
            COOKIE,
            chosen,
            max_age=COOKIE_AGE,
            samesite="Lax",
            httponly=True,
            secure=request.is_secure(),
        )
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response


@require_safe
@never_cache
def signed_in_as(request: HttpRequest) -> JsonResponse:
    """Say who this browser is now, so that a page left open can tell whether it still fits."""
    return JsonResponse({"user": str(request.user.pk or "")})


@require_safe
def design(request: HttpRequest) -> HttpResponse:
    """Show every component once, with realistic content; demo mode only."""
    return render(request, "web/design.html", specimens.context())


def _safe_return(request: HttpRequest) -> str:
    target = request.POST.get("next", "")
    allowed = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if allowed else "/"
