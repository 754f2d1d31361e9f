"""The colour choice: the system's setting, or the one a person stored in a cookie."""

from typing import Final

from django.http import HttpRequest

COOKIE: Final = "theme"
COOKIE_AGE: Final = 365 * 24 * 3600
THEMES: Final = frozenset({"light", "dark"})


def chosen(request: HttpRequest | None) -> str:
    """Return ``light``, ``dark``, or ``system`` when nothing valid was chosen."""
    value = request.COOKIES.get(COOKIE, "") if request else ""
    return value if value in THEMES else "system"
