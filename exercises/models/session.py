"""A session of a course, as its author's documents describe it."""

import re
from collections.abc import Collection

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7


class Until(models.TextChoices):
    """The event that opens a withheld text."""

    PREDICTION = "prediction", _("until the prediction is stored")
    WORKED_CASE = "worked_case", _("until the worked case is answered")
    SUBMISSION = "submission", _("until an answer is submitted")
    PUBLICATION = "publication", _("until the solution is published")


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
    subtitle = models.TextField(blank=True)
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
    exit_ticket_max_lines = models.PositiveSmallIntegerField(default=6)
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

    def formulas(self) -> list[str]:
        """Return the formulas of the mechanisms, as the documents write them (one query)."""
        return list(self.concepts.exclude(formula="").values_list("formula", flat=True))

    def masked(self, text: str, place: str, opened: Collection[str] = ()) -> str:
        """Return a text of this place with its withheld figures blanked (one query, or none).

        Prefetch ``withheld_figures`` where several texts are masked.

        Parameters
        ----------
        place
            ``starting_data``, ``worked_case``, ``mechanism_map``, ``common_errors``, or an
            exercise's key, ``exercise-3``.
        opened
            What has happened for this learner: values of ``Until``.
        """
        withheld = self.withheld_figures.all()
        for figure in (
            each.figure for each in withheld if each.place == place and each.until not in opened
        ):
            whole = rf"(?<![\d.]){re.escape(figure)}(?!\d)"
            text = re.sub(whole, "▢" * len(figure), text)
        return text


class WithheldFigure(models.Model):
    """A printed result that is blanked in one place of the documents until something happened."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="withheld_figures")
    place = models.CharField(max_length=40)
    figure = models.CharField(max_length=40)
    until = models.CharField(max_length=12, choices=Until.choices)

    class Meta:
        ordering = ["place", "figure"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "place", "figure"], name="exercises_withheld_figure_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.figure} in {self.place}"
