"""The LMSs that launch this tool by LTI 1.3, and the keys that sign for it."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

REGISTRATION_LIFETIME = timedelta(hours=24)
LAUNCH_LIFETIME = timedelta(minutes=10)


class ToolKey(models.Model):
    """A signing key of this tool; the private half is kept encrypted under the service's secret.

    The newest key that is not retired signs. A retired one stays in the public set for a while, so
    that what it signed can still be verified.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kid = models.CharField(max_length=64, unique=True)
    public_pem = models.TextField()
    private_sealed = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.kid


class Platform(models.Model):
    """One registration of this tool at an LMS."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(_("name"), max_length=200)
    issuer = models.URLField(_("issuer"), max_length=500)
    client_id = models.CharField(_("client id"), max_length=255)
    auth_login_url = models.URLField(_("authentication request URL"), max_length=500)
    auth_token_url = models.URLField(_("access token URL"), max_length=500)
    key_set_url = models.URLField(_("public key set URL"), max_length=500)
    auth_audience = models.CharField(_("token audience"), max_length=500, blank=True)
    # Whether its person numbers (lis person_sourcedid) are the school's own: only then do they
    # name people here. A platform that may name people could otherwise sign in as anybody.
    names_people = models.BooleanField(_("its person numbers are the school's"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    registered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["issuer", "client_id"], name="grades_platform_registered_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Deployment(models.Model):
    """One place inside a platform where the tool was made available."""

    LONGEST_ID = 255

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="deployments")
    deployment_id = models.CharField(_("deployment id"), max_length=LONGEST_ID)

    class Meta:
        ordering = ["platform", "deployment_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "deployment_id"], name="grades_deployment_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deployment_id} of {self.platform}"


class Registration(models.Model):
    """An invitation to register by itself, given to one LMS; used once, within a day."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # SHA-256 of the secret in the address; the address itself is shown once.
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
    platform = models.OneToOneField(
        Platform, on_delete=models.SET_NULL, null=True, blank=True, related_name="registration"
    )

    def __str__(self) -> str:
        return f"Invitation of {self.created_at:%Y-%m-%d %H:%M}"

    def is_open(self, now: datetime) -> bool:
        """Whether it may still be used."""
        return self.used_at is None and now < self.created_at + REGISTRATION_LIFETIME


class LaunchQuerySet(models.QuerySet["Launch"]):
    """Named questions about launches."""

    def stale(self) -> Self:
        """Narrow to those that would be refused for their age alone."""
        return self.filter(used_at__lt=timezone.now() - LAUNCH_LIFETIME)


class Launch(models.Model):
    """A launch that was let in, kept as long as its token could be presented again."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="launches")
    state = models.CharField(max_length=64, unique=True)
    used_at = models.DateTimeField(default=timezone.now)

    objects = LaunchQuerySet.as_manager()

    class Meta:
        indexes = [
            # The clearing of what is over.
            models.Index(fields=["used_at"], name="grades_launch_by_age"),
        ]

    def __str__(self) -> str:
        return f"Launch from {self.platform}"
