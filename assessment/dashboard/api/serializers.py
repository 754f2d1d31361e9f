"""The figures of a cohort as other programs read them."""

from typing import Any

from rest_framework import serializers

from assessment.dashboard.figures import BREAKS, LEVELS, CohortFigures, ExerciseFigures


class CountsSerializer(serializers.Serializer[Any]):
    """A count for each of a fixed set of names."""

    def __init__(self, names: tuple[object, ...] = (), **kwargs: Any) -> None:
        self._names = names
        super().__init__(**kwargs)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Make one field for each name."""
        return {str(name): serializers.IntegerField(min_value=0) for name in self._names}


class BreakCountsSerializer(CountsSerializer):
    """Learners by dominant break, in chain order."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(BREAKS, **kwargs)


class LevelCountsSerializer(CountsSerializer):
    """Learners by level."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(LEVELS, **kwargs)

    def to_representation(self, instance: Any) -> dict[str, int]:  # noqa: ANN401 (DRF's signature)
        """Write the levels as names, for JSON has no other keys."""
        return {str(level): count for level, count in instance.items()}


class FiguredExerciseSerializer(serializers.Serializer[Any]):
    """The exercise that the figures are about."""

    slug = serializers.SlugField()
    title = serializers.CharField()


class ExerciseFiguresSerializer(serializers.Serializer[ExerciseFigures]):
    """The figures of one exercise.

    ``n`` is the number of learners of the cohort who have submitted to it; each counts once, by the
    latest attempt. ``alarms`` names the breaks of more than one third of ``n``.
    """

    exercise = FiguredExerciseSerializer()
    n = serializers.IntegerField()
    tagged = serializers.IntegerField()
    untagged = serializers.IntegerField()
    breaks = BreakCountsSerializer()
    none = serializers.IntegerField(source="other.none")
    cannot_tell = serializers.IntegerField(source="other.cannot_tell")
    levels = LevelCountsSerializer()
    without_level = serializers.IntegerField()
    alarms = serializers.ListField(child=serializers.ChoiceField(choices=BREAKS))


class CohortFiguresSerializer(serializers.Serializer[CohortFigures]):
    """The figures of a cohort; a person's tags count, suggestions of the engine never do."""

    cohort = serializers.SlugField(source="cohort.slug")
    learners = serializers.IntegerField()
    exercises = ExerciseFiguresSerializer(many=True)
