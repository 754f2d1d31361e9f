"""The levels of a session's scale."""

from django.db import models
from uuid_utils.compat import uuid7

from exercises.models import Session


class Scale(models.Model):
    """The scale of one session."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="scale")

    def __str__(self) -> str:
        return f"Scale of {self.session}"


class Level(models.Model):
    """A level and what shows it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    scale = models.ForeignKey(Scale, on_delete=models.CASCADE, related_name="levels")
    number = models.PositiveSmallIntegerField()
    criterion = models.TextField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["scale", "number"], name="rubrics_level_numbered")
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.criterion}"
