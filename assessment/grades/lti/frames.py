"""Pages that an LMS shows inside itself: who may frame them, and whose forms may leave."""

from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from assessment.grades.models import Platform

# The platform that a session came from: kept at launch, read where frames are allowed.
SESSION_KEY = "lti-platform-origin"


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def platform_origins() -> list[str]:
    """Return the origins of all active platforms: where their pages that frame us live."""
    pairs = Platform.objects.filter(is_active=True).values_list("issuer", "auth_login_url")
    return sorted({origin_of(url) for pair in pairs for url in pair})


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
        origin = request.session.get(SESSION_KEY)
        if origin and not hasattr(response, "_csp_replace"):
            framed_by(response, [origin])
        return response

    return middleware
