"""A list of people that someone handed in and is looking at before anybody is enrolled."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from uuid_utils.compat import uuid7

from assessment.cohorts.models.cohort import Cohort

KEPT = timedelta(days=1)


class PeopleList(models.Model):
    """The rows as they were read; what they would change is worked out anew at every look."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="people_lists")
    handed_in_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    # Each row: the line it stood on and its cells, by what they say of the person.
    rows = models.JSONField(default=list)
    handed_in_at = models.DateTimeField(default=timezone.now)
    applied_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-handed_in_at", "-id"]

    def __str__(self) -> str:
        return f"{self.cohort}: {len(self.rows)}"
