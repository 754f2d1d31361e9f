"""A place that is offered to somebody whose account the cohort's instructors do not reach."""

from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from uuid_utils.compat import uuid7

from assessment.cohorts.models.cohort import Cohort, Enrolment

OFFERED_FOR = timedelta(days=60)


class PlaceOfferQuerySet(models.QuerySet["PlaceOffer"]):
    """Named questions about offers."""

    def open(self) -> Self:
        """Leave out people who were given a place in another way since."""
        places = Enrolment.objects.filter(
            cohort=models.OuterRef("cohort"), user=models.OuterRef("user")
        )
        return self.exclude(models.Exists(places))


class PlaceOffer(models.Model):
    """It becomes a place when the person says yes; until then nothing of their account is shown."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="place_offers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="place_offers"
    )
    role = models.CharField(max_length=12, choices=Enrolment.Role.choices)
    track = models.CharField(max_length=12, choices=Enrolment.Track.choices)
    # What the list said of the person: all that instructors read.
    written = models.CharField(max_length=500)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)

    objects = PlaceOfferQuerySet.as_manager()

    class Meta:
        ordering = ["written", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "cohort"], name="cohorts_placeoffer_once_per_cohort"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.written}, {self.cohort}"
