"""What the engine found in one submission; every check is kept."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7


class Check(models.Model):
    """One run of the engine over one submission.

    ``result`` is the engine's own answer (steps, first_break, faults, score); ``proposed`` the
    points that marking proposes, by criterion. The versions say which engine, reference and content
    judged which answers (``digest``); the content is the submission's version. Each is written
    under the submission's lock, so one delivery too many adds none.
    """

    class Break(models.TextChoices):
        VOCABULARY = "vocabulary", _("vocabulary")
        SHAPES = "shapes", _("shapes")
        OPERATION = "operation", _("operation")
        INTERPRETATION = "interpretation", _("interpretation")
        CLAIM_SCOPE = "claim_scope", _("claim scope")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    submission = models.ForeignKey(
        "attempts.Submission", on_delete=models.CASCADE, related_name="checks"
    )
    digest = models.CharField(max_length=64)
    engine = models.CharField(max_length=40)
    reference = models.CharField(max_length=80, blank=True)
    result = models.JSONField()
    proposed = models.JSONField(default=dict)
    first_step = models.CharField(max_length=80, blank=True)
    cause = models.CharField(max_length=80, blank=True)
    suggested_break = models.CharField(max_length=16, choices=Break.choices, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at", "id"]
        indexes = [
            # All checks of one submission, in order.
            models.Index(fields=["submission", "created_at"], name="attempts_check_history"),
        ]

    def __str__(self) -> str:
        return f"Check of {self.submission} by engine {self.engine}"
