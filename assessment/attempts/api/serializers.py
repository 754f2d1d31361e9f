"""Sessions, exercises and submissions as other programs read them."""

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from assessment.attempts import disclosure
from assessment.attempts.answers import STEP_PARTS
from assessment.attempts.models import Prediction, Submission
from assessment.web.parameters import BLANK, EXACT, TEXT, ClosedSerializer
from exercises.checking.verdicts import Break, Status
from exercises.models import Exercise, ExerciseVersion, Field, Session

STATUSES = [str(status) for status in Status]
BREAKS = [str(each) for each in Break]
ELEMENTS = [str(each) for each in Field.Element if each != Field.Element.NONE]
# The longest that an exercise can allow for one field.
LONGEST_TEXT = 10_000


def plain(points: Decimal | None) -> str | None:
    """Write points exactly, without trailing zeros: ``7.5``, ``10``."""
    if points is None:
        return None
    text = f"{points:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class ExerciseLinkSerializer(serializers.ModelSerializer[Exercise]):
    """An exercise in a list."""

    class Meta:
        model = Exercise
        fields = read_only_fields = ["slug", "number", "title"]


class SessionSerializer(serializers.ModelSerializer[Session]):
    """A session in a list, with its exercises."""

    exercises = ExerciseLinkSerializer(many=True, source="offered")

    class Meta:
        model = Session
        fields = read_only_fields = ["slug", "course", "level", "number", "title", "exercises"]


class ConceptSerializer(serializers.Serializer[Any]):
    """A mechanism: its text and its formula."""

    number = serializers.IntegerField()
    title = serializers.CharField()
    text = serializers.CharField()
    formula = serializers.CharField()


class SessionDetailSerializer(serializers.Serializer[Any]):
    """What learners may read of a session; figures still withheld are blanked."""

    slug = serializers.SlugField()
    course = serializers.CharField()
    level = serializers.CharField()
    number = serializers.IntegerField()
    title = serializers.CharField()
    positioning = serializers.CharField()
    general_instruction = serializers.CharField()
    starting_data = serializers.CharField()
    boundary = serializers.CharField()
    evidence_status = serializers.CharField()
    outcomes = serializers.ListField(child=serializers.CharField())
    concepts = ConceptSerializer(many=True)
    lab_protocol = serializers.ListField(child=serializers.CharField())
    exit_ticket_parts = serializers.ListField(child=serializers.CharField())
    sources = serializers.ListField(child=serializers.CharField())
    exercises = ExerciseLinkSerializer(many=True)


class FieldSerializer(serializers.ModelSerializer[Field]):
    """One thing to fill in; ``shape`` names the axes of its value."""

    shape = serializers.ListField(
        child=serializers.JSONField(), help_text="The names or sizes of the axes of its value."
    )
    options = serializers.SerializerMethodField(help_text="The names a choice offers.")
    given = serializers.SerializerMethodField(help_text="What the support track is given.")

    class Meta:
        model = Field
        fields = read_only_fields = [
            *("name", "kind", "title", "hint", "unit", "shape", "options", "max_length"),
            *("element", "given"),
        ]

    def get_options(self, field: Field) -> list[str]:
        """Return the names alone: synonyms say what is expected."""
        return list(field.options)

    def get_given(self, field: Field) -> str:
        """Return the result that the learner's track is given, or nothing."""
        given: dict[str, str] = self.context.get("given_steps", {})
        return given.get(field.name, "")


class AttemptsSerializer(serializers.Serializer[Any]):
    """How many attempts there are, and how many are left."""

    allowed = serializers.IntegerField(min_value=0)
    left = serializers.IntegerField(min_value=0, allow_null=True)


class PredictionSerializer(serializers.Serializer[Any]):
    """A stored prediction; it never changes."""

    direction = serializers.ChoiceField(choices=Prediction.Direction.choices)
    value = serializers.CharField()
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()


class ExerciseSerializer(serializers.Serializer[Any]):
    """An exercise as its learner may see it now, with their own given values."""

    slug = serializers.SlugField()
    session = serializers.SlugField()
    number = serializers.IntegerField()
    title = serializers.CharField()
    version = serializers.IntegerField()
    prompt = serializers.ListField(child=serializers.CharField())
    items = serializers.ListField(child=serializers.CharField())
    deliverable = serializers.CharField()
    cohort = serializers.SlugField(allow_null=True)
    given = serializers.DictField(help_text="The values shown so far, by name.")
    needs_prediction = serializers.BooleanField()
    prediction = PredictionSerializer(allow_null=True)
    fields = FieldSerializer(many=True)  # type: ignore[assignment]  # the contract's word
    attempts = AttemptsSerializer()
    feedback = serializers.ChoiceField(
        choices=ExerciseVersion.Feedback.choices, help_text="When step feedback is shown."
    )
    solution = serializers.ListField(
        child=serializers.CharField(), help_text="The worked solution; empty until published."
    )


# null stands for a text that is left out.
_TEXT = {"type": ["string", "null"], "pattern": TEXT, "maxLength": LONGEST_TEXT}
_PARTS = {
    "type": "object",
    "properties": dict.fromkeys(STEP_PARTS, _TEXT),
    "additionalProperties": False,
}
_BLANK = {
    "anyOf": [
        {"type": ["string", "null"], "pattern": BLANK},
        {"type": "object", "additionalProperties": {"pattern": BLANK}},
    ]
}


@extend_schema_field(
    {
        "type": "object",
        "description": (
            "By the name of a field of the exercise: the text as typed, and for a step either its "
            "result or its parts. At least one is not blank; `max_length` of the field is the "
            "narrower bound."
        ),
        "additionalProperties": {"anyOf": [_TEXT, _PARTS]},
        "not": {"additionalProperties": _BLANK},
    }
)
class AnswersField(serializers.JSONField):
    """Texts by field; the exercise decides what fits, so they are read by its fields."""


class AnswersSerializer(ClosedSerializer):
    """What a learner sends."""

    answers = AnswersField()


class FaultSerializer(serializers.Serializer[Any]):
    """Where the chain breaks."""

    step = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    cause = serializers.CharField(allow_null=True)
    message = serializers.CharField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add ``break``, which Python reserves."""
        choice = serializers.ChoiceField(choices=BREAKS, allow_null=True)
        return super().get_fields() | {"break": choice}


_VALUE = {"type": ["number", "string", "boolean"]}


@extend_schema_field({"anyOf": [_VALUE, {"type": "array", "items": {}}]})
class ReadField(serializers.JSONField):
    """The value understood: a number, `"nan"`, a list of them, or null where none was."""


class StepSerializer(serializers.Serializer[Any]):
    """One step: its status, and the value understood."""

    name = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    read = ReadField(allow_null=True)
    message = serializers.CharField(allow_blank=True)


_POINTS = {"type": ["string", "null"], "pattern": EXACT}


class SubmissionSerializer(serializers.ModelSerializer[Submission]):
    """One attempt, as far as the caller may see it."""

    exercise = serializers.SlugField(source="exercise.slug")
    cohort = serializers.SlugField(source="enrolment.cohort.slug")
    learner = serializers.CharField(source="enrolment.user.username")
    attempt = serializers.IntegerField(source="number", min_value=1)
    given = serializers.DictField(help_text="The values that were shown, by name.")
    answers = serializers.DictField(help_text="The answers as they are stored, by field.")
    reason = serializers.SerializerMethodField()
    steps = serializers.SerializerMethodField()
    first_break = serializers.SerializerMethodField()
    faults = serializers.SerializerMethodField()
    score = serializers.SerializerMethodField()
    missing_elements = serializers.SerializerMethodField()
    points = serializers.SerializerMethodField(help_text="Exact decimal, as a string.")
    maximum = serializers.SerializerMethodField()
    provisional = serializers.SerializerMethodField(
        help_text="Whether the points are only proposed; null where there are none to see."
    )

    class Meta:
        model = Submission
        fields = read_only_fields = [
            *("id", "state", "reason", "exercise", "cohort", "learner", "attempt", "counts"),
            *("submitted_at", "digest", "given", "answers", "steps", "first_break", "faults"),
            *("score", "missing_elements", "points", "maximum", "provisional"),
        ]

    def get_reason(self, submission: Submission) -> str | None:
        """Return why it could not be checked, or null."""
        return disclosure.reason_for(submission, self._seen(submission)) or None

    @extend_schema_field(StepSerializer(many=True))
    def get_steps(self, submission: Submission) -> list[Any]:
        """Return each step's status."""
        return list(StepSerializer(self._result(submission).get("steps", []), many=True).data)

    @extend_schema_field(FaultSerializer(allow_null=True))
    def get_first_break(self, submission: Submission) -> dict[str, Any] | None:
        """Return the first break, or null."""
        found = self._result(submission).get("first_break")
        return dict(FaultSerializer(found).data) if found else None

    @extend_schema_field(FaultSerializer(many=True))
    def get_faults(self, submission: Submission) -> list[Any]:
        """Return every fault, in order."""
        return list(FaultSerializer(self._result(submission).get("faults", []), many=True).data)

    @extend_schema_field({"type": ["number", "null"], "minimum": 0, "maximum": 1})
    def get_score(self, submission: Submission) -> float | None:
        """Return the share of steps that hold, or null."""
        score: float | None = self._result(submission).get("score")
        return score

    @extend_schema_field({"type": "array", "items": {"type": "string", "enum": ELEMENTS}})
    def get_missing_elements(self, submission: Submission) -> list[str]:
        """Return what of data, transformation, result, check, limitation nothing shows."""
        return list(self._result(submission).get("missing_elements", []))

    @extend_schema_field(_POINTS)
    def get_points(self, submission: Submission) -> str | None:
        """Return the points that the caller may see."""
        points = self._points(submission)
        return plain(points.value) if points else None

    @extend_schema_field(_POINTS)
    def get_maximum(self, submission: Submission) -> str | None:
        """Return the most that can be earned."""
        points = self._points(submission)
        return plain(points.maximum) if points else None

    def get_provisional(self, submission: Submission) -> bool | None:
        """Return whether the points are only proposed."""
        points = self._points(submission)
        return points.provisional if points else None

    def _seen(self, submission: Submission) -> disclosure.Disclosure:
        return disclosure.of(submission, self.context["request"].user)

    def _result(self, submission: Submission) -> dict[str, Any]:
        check = disclosure.check_for(submission, self._seen(submission))
        return dict(check.result) if check else {}

    def _points(self, submission: Submission) -> disclosure.Points | None:
        return disclosure.points_of(submission, self._seen(submission))
