"""A file of points that someone handed in, looked at, applied and may take back."""

from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from uuid_utils.compat import uuid7

KEPT = timedelta(days=7)


class PointsFileQuerySet(models.QuerySet["PointsFile"]):
    """Named questions about files of points."""

    def stale(self) -> Self:
        """Narrow to those that were kept long enough, applied or not."""
        return self.filter(handed_in_at__lt=timezone.now() - KEPT)


class PointsFile(models.Model):
    """The rows of a file as they were read, until it is applied; then what that did.

    Applying plans anew against what holds then.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    cohort = models.ForeignKey(
        "cohorts.Cohort", on_delete=models.CASCADE, related_name="points_files"
    )
    handed_in_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    name = models.CharField(max_length=255)
    columns = models.JSONField(default=list)
    # Each row: the line of the file and its cells by column.
    rows = models.JSONField(default=list)
    handed_in_at = models.DateTimeField(default=timezone.now)
    applied_at = models.DateTimeField(null=True, blank=True)
    # What was saved and what stood there before, what was refused, and what taking it back did.
    outcome = models.JSONField(default=dict)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    objects = PointsFileQuerySet.as_manager()

    class Meta:
        ordering = ["-handed_in_at", "-id"]

    def __str__(self) -> str:
        return self.name
