"""A session of a course, as its author's documents describe it."""

from django.db import models
from django.urls import reverse
from uuid_utils.compat import uuid7


class Session(models.Model):
    """A session; course, level and number name it together.

    Texts that occur once are fields here; everything that comes in a list is a row of its own
    (``exercises.models.material``). ``digest`` is that of the documents, so that importing the same
    ones again is seen to change nothing.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=120, unique=True)
    course = models.CharField(max_length=200)
    level = models.CharField(max_length=100)
    number = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=300)
    positioning = models.TextField(blank=True)
    duration_minutes = models.PositiveSmallIntegerField()
    general_instruction = models.TextField(blank=True)
    starting_data = models.TextField(blank=True)
    boundary = models.TextField(blank=True)
    expected_evidence = models.TextField(blank=True)
    evidence_status = models.TextField(blank=True)
    evidence_scope = models.TextField(blank=True)
    mechanism_map = models.TextField(blank=True)
    lab_address = models.CharField(max_length=500, blank=True)
    teaching_decision = models.TextField(blank=True)
    exit_threshold = models.TextField(blank=True)
    exit_ticket_instruction = models.TextField(blank=True)
    digest = models.CharField(max_length=64)
    imported_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["course", "level", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["course", "level", "number"], name="exercises_session_named_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.course} · {self.level} · {self.number}: {self.title}"

    def get_absolute_url(self) -> str:
        """Return the learner's page of this session."""
        return reverse("session", args=[self.slug])
