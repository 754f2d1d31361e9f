"""Issues and revokes people's bearer tokens; only their checksums are kept."""

import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone
from oauth2_provider.models import set_token_value

from assessment.cohorts.models import AccessToken, User


def issue_token(user: User, *, scopes: Sequence[str], lifetime: timedelta) -> str:
    """Return a fresh bearer token that acts as this user; it is shown this once."""
    text = secrets.token_urlsafe(32)
    token = AccessToken(user=user, scope=" ".join(scopes), expires=timezone.now() + lifetime)
    set_token_value(token, text)
    token.save()
    return text


def revoke_tokens(user: User) -> int:
    """End all tokens that act as this user; returns how many stopped working."""
    now = timezone.now()
    closed: int
    closed, _by_model = AccessToken.objects.filter(user=user, expires__gt=now).delete()
    return closed
