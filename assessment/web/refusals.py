"""A refused form keeps what was typed: the page shows it, ready to be copied."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

MAX_FIELDS: Final = 100
MAX_CHARACTERS: Final = 20_000
# What is never shown again, whatever form it came from.
_SECRET: Final = re.compile(r"^csrfmiddlewaretoken$|^next$|password|secret", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Typed:
    """One field of the refused form, as it was sent."""

    label: str
    text: str
    rows: int


@never_cache
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Explain that the form was stale, and give the text back; ``CSRF_FAILURE_VIEW``."""
    context = {
        "typed": list(typed_in(request)),
        "reason": reason,
        "page": _page_of_the_form(request),
    }
    return render(request, "web/refused.html", context, status=HTTPStatus.FORBIDDEN)


def typed_in(request: HttpRequest) -> Iterator[Typed]:
    """Yield what a person typed into the form, bounded, without secrets and hidden machinery."""
    try:
        fields = list(request.POST.lists())
    except (SuspiciousOperation, UnreadablePostError, ValueError):
        return
    left = MAX_CHARACTERS
    for name, values in fields[:MAX_FIELDS]:
        if _SECRET.search(name):
            continue
        text = "\n".join(values)[:left]
        left -= len(text)
        if text.strip():
            yield Typed(label=_label(name), text=text, rows=min(12, text.count("\n") + 2))


def _page_of_the_form(request: HttpRequest) -> str:
    """Return the page that held the form; the address it was sent to is often not one to open."""
    referer = request.META.get("HTTP_REFERER", "")
    allowed = url_has_allowed_host_and_scheme(
        referer, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return referer if allowed else "/"


def _label(name: str) -> str:
    words = re.sub(r"[-_.]+", " ", name).strip()[:80]
    return words[:1].upper() + words[1:]
