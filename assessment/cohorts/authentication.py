"""How a bearer token is recognised."""

from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from oauth2_provider.contrib.rest_framework import OAuth2Authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from assessment.cohorts.models import AccessToken, Client

_LAST_USE_PRECISION = timedelta(minutes=1)
_LONGEST_TOKEN = 4096


class HeaderTokenAuthentication(OAuth2Authentication):  # type: ignore[misc]  # the toolkit ships no types
    """OAuth 2.0 bearer tokens of the ``Authorization`` header; anywhere else they are refused.

    A query string ends up in logs, histories and referrers (RFC 6750, section 2.3).
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the token's user (or ``None`` for a client of its own) and the token."""
        if "access_token" in request.query_params:
            raise AuthenticationFailed(
                "Send the token in the Authorization header, never in the address."
            )
        header = request.headers.get("Authorization", "")
        if header.partition(" ")[0].lower() != "bearer":
            return None
        found = super().authenticate(request) if len(header) <= _LONGEST_TOKEN else None
        user, token = found or (None, None)
        if token is None or not _is_alive(token):
            raise AuthenticationFailed("This token is unknown, revoked or expired.")
        _note_use(token)
        return user, token


def _is_alive(token: AccessToken) -> bool:
    """Return whether someone still stands behind the token: an active person, or a client."""
    return token.user.is_active if token.user is not None else token.application_id is not None


def _note_use(token: AccessToken) -> None:
    """Write down the last use, at most once a minute."""
    now = timezone.now()
    if token.last_used_at and token.last_used_at > now - _LAST_USE_PRECISION:
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - _LAST_USE_PRECISION)
    if AccessToken.objects.filter(stale, pk=token.pk).update(last_used_at=now):
        Client.objects.filter(pk=token.application_id).update(last_used_at=now)
