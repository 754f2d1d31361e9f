"""A group that works through sessions together, and who is in it."""

from collections.abc import Iterable
from typing import Any, Self
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from assessment.cohorts.models.user import User


def validate_time_zone(name: str) -> None:
    """Refuse a name that is no IANA time zone; a city alone is told its whole name."""
    known = available_timezones()
    if name not in known:
        city = f"/{name.strip().replace(' ', '_').casefold()}"
        meant = min(
            (zone for zone in known if zone.casefold().endswith(city)), default="Europe/Paris"
        )
        raise ValidationError(
            _("%(name)s is no time zone; write for example %(meant)s."),
            params={"name": name, "meant": meant},
        )


class CohortQuerySet(models.QuerySet["Cohort"]):
    """Named questions about cohorts."""

    def taught_by(self, user: User) -> Self:
        """Narrow to those where this user is an instructor or an assistant."""
        return self.filter(enrolments__in=Enrolment.objects.active().filter(user=user).staff())

    def instructed_by(self, user: User) -> Self:
        """Narrow to those where this user is an instructor."""
        places = Enrolment.objects.active().instructors().filter(user=user)
        return self.filter(pk__in=places.values("cohort"))

    def attended_by(self, user: User) -> Self:
        """Narrow to those where this user takes part in any role."""
        return self.filter(enrolments__in=Enrolment.objects.active().filter(user=user))


class Cohort(models.Model):
    """A group of learners and the sessions they work through; every time is shown in its zone."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    sessions = models.ManyToManyField("exercises.Session", related_name="cohorts", blank=True)

    objects = CohortQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which this cohort's times are shown."""
        return ZoneInfo(self.time_zone)


# Django says nothing of rows that are made or changed many at once; who follows places has to know.
places_changed = Signal()


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    """Named questions about enrolments."""

    @transaction.atomic(savepoint=False)
    def bulk_create(self, objs: Iterable["Enrolment"], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (Django's signature)
        """Make many places, and tell who follows them."""
        made = super().bulk_create(objs, *args, **kwargs)
        places_changed.send(sender=self.model, places=made)
        return made

    @transaction.atomic(savepoint=False)
    def update(self, **changes: Any) -> int:
        """Change many places, and tell who follows them."""
        keys = list(self.order_by().values_list("pk", flat=True))
        changed = super().update(**changes)
        if keys:
            places_changed.send(sender=self.model, places=self.model.objects.filter(pk__in=keys))
        return changed

    def named(self, text: str) -> Self:
        """Narrow to people in whose name, username or SIS id this stands."""
        if not text:
            return self
        return self.filter(
            models.Q(user__username__icontains=text)
            | models.Q(user__first_name__icontains=text)
            | models.Q(user__last_name__icontains=text)
            | models.Q(user__sis_id__icontains=text)
        )

    def active(self) -> Self:
        """Leave out those who left."""
        return self.filter(left_at=None)

    def learners(self) -> Self:
        """Narrow to those who answer."""
        return self.filter(role=Enrolment.Role.LEARNER)

    def staff(self) -> Self:
        """Narrow to those who review: instructors and assistants."""
        return self.filter(role__in=[Enrolment.Role.INSTRUCTOR, Enrolment.Role.ASSISTANT])

    def instructors(self) -> Self:
        """Narrow to those who release grades."""
        return self.filter(role=Enrolment.Role.INSTRUCTOR)


class Enrolment(models.Model):
    """One person's place in one cohort."""

    class Role(models.TextChoices):
        LEARNER = "learner", _("learner")
        ASSISTANT = "assistant", _("assistant")
        INSTRUCTOR = "instructor", _("instructor")

    class Track(models.TextChoices):
        SUPPORT = "support", _("support")
        CORE = "core", _("core")
        EXTENSION = "extension", _("extension")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="enrolments"
    )
    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="enrolments")
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.LEARNER)
    track = models.CharField(max_length=12, choices=Track.choices, default=Track.CORE)
    joined_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)
    # Whether the account was made for this place: only then may the cohort's instructors hand out
    # a link to its password. Someone else's account never becomes theirs by being enrolled.
    made_account = models.BooleanField(default=False)

    objects = EnrolmentQuerySet.as_manager()

    class Meta:
        ordering = ["cohort", "user"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "cohort"], name="cohorts_enrolment_once_per_cohort"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.cohort} ({self.get_role_display()})"
