"""Reviews and the queue as other programs read and write them."""

import re
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from assessment.attempts.api.serializers import BREAKS
from assessment.attempts.models import Submission
from assessment.review.api.pages import HIGHEST_LIMIT
from assessment.review.models import Review
from assessment.review.points import PLACES
from assessment.review.queue import BREAKS as FILTERED_BREAKS
from assessment.review.queue import STATES
from assessment.review.scoring import HIGHEST_LEVEL, LONGEST_NOTE, Scoring
from assessment.web.numbers import plain
from assessment.web.parameters import (
    EXACT,
    LONGEST_COHORT,
    SLUG,
    TEXT,
    ClosedSerializer,
    one_of,
)
from assessment.web.problems import ProblemSerializer

_MOST_CRITERIA = 100
_LONGEST_TITLE = 300


TAGS = list(filter(None, Review.Break.values))
_EXACT = {"type": "string", "pattern": EXACT}
_NUMBER = {"type": "number", "minimum": 0, "maximum": 99_999, "multipleOf": 0.0001}


@extend_schema_field({"type": "string", "pattern": TEXT, "maxLength": LONGEST_NOTE})
class NoteField(serializers.CharField):
    """A text without what no keyboard types."""

    def to_internal_value(self, data: Any) -> str:  # noqa: ANN401 (DRF's signature)
        """Take texts alone: a number is no note."""
        if not isinstance(data, str):
            self.fail("invalid")
        if not re.fullmatch(TEXT, data):
            raise serializers.ValidationError("holds a control character; remove it")
        return super().to_internal_value(data)


@extend_schema_field({"anyOf": [_EXACT, _NUMBER, {"type": "null"}]})
class PointsField(serializers.DecimalField):
    """Exact points: send them as strings (``"7.5"``) or as numbers of few digits."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_digits=9, decimal_places=PLACES, min_value=0, allow_null=True, **kwargs
        )

    def run_validation(self, data: Any = serializers.empty) -> Any:  # noqa: ANN401 (DRF's signature)
        """Take strings in the one form that points are written in, numbers, and null."""
        if isinstance(data, bool) or (isinstance(data, str) and not re.fullmatch(EXACT, data)):
            self.fail("invalid")
        return super().run_validation(data)


class ScoringSerializer(ClosedSerializer):
    """What a reviewer decides; what is left out is *not scored* or *not yet tagged*."""

    points = serializers.DictField(
        child=PointsField(),
        help_text="Points by the criterion's title.",
    )
    level = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_LEVEL, allow_null=True, default=None
    )
    note = NoteField(default="", allow_blank=True, max_length=LONGEST_NOTE)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add ``break``, which Python reserves."""
        choice = serializers.ChoiceField(
            choices=TAGS,
            allow_null=True,
            default=None,
            error_messages=one_of(TAGS),
            help_text="null: not yet tagged. none: no break. cannot_tell: the work does not show.",
        )
        return super().get_fields() | {"break": choice}

    def validate_points(self, value: dict[str, Any]) -> dict[str, Any]:
        """Bound the number of criteria and the length of their titles."""
        if len(value) > _MOST_CRITERIA or any(len(title) > _LONGEST_TITLE for title in value):
            raise serializers.ValidationError("There are no such criteria in this rubric.")
        return value

    def scoring(self, *, rubric_seen: int) -> Scoring:
        """Return the validated decision."""
        found = self.validated_data
        return Scoring(
            points=found["points"],
            dominant_break=found["break"] or "",
            level=found["level"],
            note=found["note"],
            rubric_seen=rubric_seen,
        )


class ReviewSerializer(serializers.Serializer[Review]):
    """The review that holds; ``number`` counts its versions."""

    submission = serializers.UUIDField(source="submission_id")
    number = serializers.IntegerField(min_value=1)
    rubric = serializers.IntegerField(source="rubric.number", min_value=1)
    reviewer = serializers.CharField(source="reviewer.username")
    points = serializers.SerializerMethodField()
    total = serializers.SerializerMethodField()
    maximum = serializers.SerializerMethodField()
    level = serializers.IntegerField(min_value=0, max_value=HIGHEST_LEVEL, allow_null=True)
    note = serializers.CharField()
    missing = serializers.SerializerMethodField(
        help_text="What a release still asks for: criteria without points, break."
    )
    saved_at = serializers.DateTimeField(source="created_at")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add ``break``, which Python reserves."""
        return super().get_fields() | {"break": BreakField(source="dominant_break")}

    @extend_schema_field({"type": "object", "additionalProperties": _EXACT})
    def get_points(self, review: Review) -> dict[str, str]:
        """Return the points by criterion."""
        return {score.title: plain(score.points) for score in review.scores.all()}

    @extend_schema_field(_EXACT)
    def get_total(self, review: Review) -> str:
        """Return the sum of the points."""
        return plain(review.total)

    @extend_schema_field(_EXACT)
    def get_maximum(self, review: Review) -> str:
        """Return the most that the rubric gives."""
        return plain(review.rubric.total)

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_missing(self, review: Review) -> list[str]:
        """Return what a release still asks for."""
        return review.missing()


class StaleSerializer(ProblemSerializer):
    """A problem document that carries the review that holds, or null where there is none."""

    present = ReviewSerializer(allow_null=True)


class BreakField(serializers.ChoiceField):
    """A person's tag; ``null`` where there is none yet."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=TAGS, allow_null=True, read_only=True, **kwargs)

    def to_representation(self, value: str) -> str | None:  # type: ignore[override]  # null is a value
        """Write *not yet tagged* as null."""
        return value or None


class QueueRowSerializer(serializers.ModelSerializer[Submission]):
    """One submission of the review queue."""

    learner = serializers.CharField(source="enrolment.user.username")
    cohort = serializers.SlugField(source="enrolment.cohort.slug")
    exercise = serializers.SlugField(source="exercise.slug")
    attempt = serializers.IntegerField(source="number", min_value=1)
    level = serializers.IntegerField(min_value=0, max_value=HIGHEST_LEVEL, allow_null=True)
    suggested_break = serializers.ChoiceField(
        choices=["", *BREAKS],
        source="current_check.suggested_break",
        default="",
        help_text="The engine's suggestion; it counts nowhere until a person tags.",
    )

    class Meta:
        model = Submission
        fields = read_only_fields = [
            *("id", "learner", "cohort", "exercise", "attempt", "state", "submitted_at"),
            *("level", "suggested_break"),
        ]

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add ``break``, which Python reserves."""
        return super().get_fields() | {"break": BreakField(source="stored_tag")}


class SlugField(serializers.RegexField):
    """A slug as typed; an empty one stands for none."""

    def __init__(self, *, longest: int, **kwargs: Any) -> None:
        kwargs |= {"allow_blank": True, "max_length": longest, "trim_whitespace": False}
        super().__init__(f"^{SLUG}*$", **kwargs)


class QueueQuerySerializer(serializers.Serializer[dict[str, Any]]):
    """The filters of the queue."""

    cohort = SlugField(longest=LONGEST_COHORT, required=False)
    exercise = SlugField(longest=160, required=False)
    state = serializers.ChoiceField(
        choices=STATES, required=False, allow_blank=True, error_messages=one_of(STATES)
    )
    latest = serializers.BooleanField(required=False)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=HIGHEST_LIMIT)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add ``break``, which Python reserves."""
        choice = serializers.ChoiceField(
            choices=FILTERED_BREAKS,
            required=False,
            allow_blank=True,
            error_messages=one_of(FILTERED_BREAKS),
        )
        return super().get_fields() | {"break": choice}
