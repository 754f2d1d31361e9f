"""OAuth 2.0 clients and tokens: django-oauth-toolkit's models, swapped for our own.

Only checksums of tokens are kept (``COMPLIANT_BCP_RFC9700_TOKEN_STORAGE``), and client secrets are
hashed.
"""

from typing import ClassVar

from django.db import models
from oauth2_provider.models import (
    AbstractAccessToken,
    AbstractApplication,
    AbstractDeviceGrant,
    AbstractGrant,
    AbstractIDToken,
    AbstractRefreshToken,
    ApplicationManager,
)
from uuid_utils.compat import uuid7

from assessment.cohorts.models.cohort import Cohort


class Client(AbstractApplication):
    """A machine that calls the API, bound to the cohorts whose rows it may read."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    cohorts = models.ManyToManyField(Cohort, related_name="clients", blank=True)
    # The scopes this client may ask for, and gets when it asks for none.
    scopes = models.JSONField(default=list)
    last_used_at = models.DateTimeField(null=True, blank=True)
    # A revoked client stays in the list, so that nobody wonders who read the grades before.
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[ApplicationManager] = ApplicationManager()

    def __str__(self) -> str:
        return str(self.name or self.client_id)

    def is_usable(self, request: object) -> bool:  # noqa: ARG002 (the toolkit's signature)
        """Return whether the client gets tokens and its tokens still work."""
        return self.revoked_at is None


class AccessToken(AbstractAccessToken):
    """A bearer token, kept as its checksum only."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)


class RefreshToken(AbstractRefreshToken):
    """A refresh token, kept as its checksum only."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)


class Grant(AbstractGrant):
    """An authorization code; the toolkit wants the model, this service hands none out."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)


class IDToken(AbstractIDToken):
    """An OpenID Connect token; the toolkit wants the model, this service hands none out."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)


class DeviceGrant(AbstractDeviceGrant):
    """A device code; the toolkit wants the model, this service hands none out."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
