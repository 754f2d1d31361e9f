"""One saved scoring of one submission; a later one is a new row, so nothing is ever overwritten."""

from decimal import Decimal
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7


class ReviewQuerySet(models.QuerySet["Review"]):
    """Named questions about reviews."""

    def present(self) -> Self:
        """Narrow to the review that holds for each submission: its highest number."""
        later = Review.objects.filter(
            submission=models.OuterRef("submission"), number__gt=models.OuterRef("number")
        )
        return self.filter(~models.Exists(later))


class Review(models.Model):
    """What one person decided: points by criterion, the dominant break, a level, a note.

    The highest ``number`` of a submission is the review that holds. The pair (submission, number)
    is unique: of two people who save on the same older version, the second is refused and sees
    both.
    """

    class Break(models.TextChoices):
        UNTAGGED = "", _("not yet tagged")
        VOCABULARY = "vocabulary", _("vocabulary")
        SHAPES = "shapes", _("shapes")
        OPERATION = "operation", _("operation")
        INTERPRETATION = "interpretation", _("interpretation")
        CLAIM_SCOPE = "claim_scope", _("claim scope")
        NONE = "none", _("no break")
        CANNOT_TELL = "cannot_tell", _("cannot tell")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    submission = models.ForeignKey(
        "attempts.Submission", on_delete=models.CASCADE, related_name="reviews"
    )
    number = models.PositiveIntegerField()
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reviews"
    )
    # The check that was on the screen; a later one with other findings asks for a second look.
    check_seen = models.ForeignKey(
        "attempts.Check", on_delete=models.PROTECT, null=True, related_name="+"
    )
    rubric = models.ForeignKey("rubrics.Rubric", on_delete=models.PROTECT, related_name="+")
    dominant_break = models.CharField(max_length=16, choices=Break.choices, blank=True)
    level = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(3)]
    )
    note = models.TextField(max_length=4000, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        ordering = ["submission", "number"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "number"], name="review_review_numbered"),
            models.CheckConstraint(
                condition=models.Q(level=None) | models.Q(level__lte=3),
                name="review_review_level_0_to_3",
            ),
        ]

    def __str__(self) -> str:
        return f"Review {self.number} of {self.submission}"

    @property
    def total(self) -> Decimal:
        """The points of all scored criteria (one query, none where ``scores`` is prefetched)."""
        return sum((score.points for score in self.scores.all()), Decimal(0))

    def missing(self) -> list[str]:
        """Return what a release still asks for: criteria without points, ``break`` (two queries).

        No query where ``scores`` and ``rubric__criteria`` are prefetched.
        """
        scored = {score.criterion_id for score in self.scores.all()}
        unscored = [c.title for c in self.rubric.criteria.all() if c.pk not in scored]
        return unscored if self.dominant_break else [*unscored, "break"]


class CriterionScore(models.Model):
    """The points a person gave for one criterion, whose text and maximum are kept as they were."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="scores")
    criterion = models.ForeignKey("rubrics.Criterion", on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=300)
    points = models.DecimalField(max_digits=9, decimal_places=4)
    maximum = models.DecimalField(max_digits=9, decimal_places=4)

    class Meta:
        ordering = ["review", "criterion__position"]
        constraints = [
            models.UniqueConstraint(
                fields=["review", "criterion"], name="review_score_once_per_criterion"
            ),
            models.CheckConstraint(
                condition=models.Q(points__gte=0) & models.Q(points__lte=models.F("maximum")),
                name="review_score_within_maximum",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title}: {self.points}/{self.maximum}"
