"""How a bearer token is recognised."""

import hashlib
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from oauth2_provider.contrib.rest_framework import OAuth2Authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from assessment.cohorts.models import AccessToken, Client, User

_LAST_USE_PRECISION = timedelta(minutes=1)


class HeaderTokenAuthentication(OAuth2Authentication):  # type: ignore[misc]  # the toolkit ships no types
    """OAuth 2.0 bearer tokens of the ``Authorization`` header; anywhere else they are refused.

    A query string ends up in logs, histories and referrers (RFC 6750, section 2.3).
    """

    def authenticate(self, request: Request) -> tuple[User | None, AccessToken] | None:
        """Return the token's user (or ``None`` for a client of its own) and the token.

        The body is left unread: nothing of it may matter before the caller is known.
        """
        if "access_token" in request.query_params:
            raise AuthenticationFailed(
                "Send the token in the Authorization header, never in the address."
            )
        scheme, _blank, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = _find(text.strip())
        if token is None or not _is_alive(token):
            request.oauth2_error = {"error": "invalid_token"}  # type: ignore[attr-defined]  # the challenge names it
            raise AuthenticationFailed("This token is unknown, revoked or expired.")
        _note_use(token)
        return token.user, token


def _find(text: str) -> AccessToken | None:
    checksum = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    tokens = AccessToken.objects.select_related("user", "application")
    found: AccessToken | None = tokens.filter(token_checksum=checksum).first()
    return found


def _is_alive(token: AccessToken) -> bool:
    """Return whether the token still holds, and someone stands behind it: a person or a client."""
    if token.is_expired():
        return False
    if token.application is not None and token.application.revoked_at is not None:
        return False
    return bool(token.user.is_active if token.user is not None else token.application is not None)


def _note_use(token: AccessToken) -> None:
    """Write down the last use, at most once a minute."""
    now = timezone.now()
    if token.last_used_at and token.last_used_at > now - _LAST_USE_PRECISION:
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - _LAST_USE_PRECISION)
    if AccessToken.objects.filter(stale, pk=token.pk).update(last_used_at=now):
        Client.objects.filter(pk=token.application_id).update(last_used_at=now)
