"""Pages that an LMS shows inside itself: who may frame them, and whose forms may leave."""

from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from assessment.grades.lti.addresses import is_callable
from assessment.grades.lti.messages import CLAIM, DEEP_LINKING_SETTINGS, Claims
from assessment.grades.models import Platform

# Where the LMS's pages are that a session came from: kept at launch, read where frames are allowed.
SESSION_KEY = "lti-pages"
_DEMO_PAGES = ["http://127.0.0.1:*", "http://localhost:*"]


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def pages_of(platform: Platform, claims: Claims) -> list[str]:
    """Return the origins of the pages that frame us: a hosted LMS's are not where its issuer is."""
    named = [
        platform.issuer,
        platform.auth_login_url,
        _return_url(claims, f"{CLAIM}launch_presentation", "return_url"),
        _return_url(claims, DEEP_LINKING_SETTINGS, "deep_link_return_url"),
    ]
    return sorted({origin_of(url) for url in named if is_callable(url)})


def _return_url(claims: Claims, name: str, key: str) -> str:
    found = claims.get(name)
    url = found.get(key) if isinstance(found, dict) else ""
    return url if isinstance(url, str) else ""


def framed_anywhere(response: HttpResponse) -> HttpResponse:
    """Let any page frame this one: it shows nothing of anybody, and nothing can be done on it.

    Before a launch nobody knows where the pages of a hosted LMS are.
    """
    return framed_by(response, ["https:", *(_DEMO_PAGES if settings.DEMO else [])])


def framed_by(response: HttpResponse, origins: Iterable[str]) -> HttpResponse:
    """Let these origins frame a page, besides the service itself."""
    _replace(response, "frame-ancestors", ["'self'", *origins])
    response.xframe_options_exempt = True
    return response


def sends_forms_to(response: HttpResponse, origin: str) -> HttpResponse:
    """Let a page's form go to this origin."""
    _replace(response, "form-action", ["'self'", origin])
    return response


def _replace(response: HttpResponse, directive: str, sources: list[str]) -> None:
    kept: dict[str, list[str]] = getattr(response, "_csp_replace", {})
    response._csp_replace = {**kept, directive: sources}  # type: ignore[attr-defined]  # noqa: SLF001 (the policy middleware's own marker)


def follow_launches(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let the platform that a session was launched from frame every page of that session.

    Only with ``LTI_IN_FRAMES``: the session's cookie is then sent inside frames (SameSite=None).
    Without it a launch in a frame goes on in a window of its own, which every browser allows.
    """
    if not settings.LTI_IN_FRAMES:
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        origins = request.session.get(SESSION_KEY)
        if origins and not hasattr(response, "_csp_replace"):
            framed_by(response, origins)
        return response

    return middleware
