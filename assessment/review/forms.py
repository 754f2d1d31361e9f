"""The form in which a person scores a submission."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from assessment.review.errors import ScoringRefused
from assessment.review.models import Review
from assessment.review.points import LONGEST, UnreadablePoints, read_points
from assessment.review.scoring import HIGHEST_LEVEL, LONGEST_NOTE, Scoring
from assessment.web.marks import BREAKS
from assessment.web.numbers import plain
from rubrics.models import Criterion, Level, Rubric


class PointsField(forms.CharField):
    """Points as typed, with a decimal point or comma; a text field, so nothing spins or rounds."""

    def __init__(self, **kwargs: Any) -> None:
        attributes = {"class": "value-input", "inputmode": "decimal", "autocomplete": "off"}
        super().__init__(
            required=False,
            max_length=LONGEST,
            widget=forms.TextInput(attrs=attributes),
            **kwargs,
        )

    def clean(self, value: object) -> Decimal | None:
        """Return the exact points, or ``None`` where nothing is typed."""
        text: str = super().clean(value)
        try:
            return read_points(text)
        except UnreadablePoints as error:
            raise ValidationError(str(error)) from error


class ScoringForm(forms.Form):
    """Points by criterion, the dominant break, the level and a note.

    The hidden fields say which review, rubric and check were on the screen.
    """

    number = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    rubric = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    check_seen = forms.UUIDField(required=False, widget=forms.HiddenInput)
    dominant_break = forms.ChoiceField(
        label=_("Dominant break"),
        help_text=_("The first one in the chain. Keys 0 to 7 choose while no field is open."),
        required=False,
        widget=forms.RadioSelect,
    )
    level = forms.TypedChoiceField(
        label=_("Level"), required=False, coerce=int, empty_value=None, widget=forms.RadioSelect
    )
    note = forms.CharField(
        label=_("Note"),
        help_text=_("The learner reads it after the release."),
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        criteria: Iterable[Criterion],
        levels: Iterable[Level] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self._titles: dict[str, str] = {}
        for criterion in criteria:
            name = f"points-{criterion.position}"
            self._titles[name] = criterion.title
            self.fields[name] = PointsField(
                label=criterion.title,
                help_text=gettext("0 to %(maximum)s") % {"maximum": plain(criterion.points)},
            )
        self._choice("dominant_break").choices = break_choices()
        self._choice("level").choices = level_choices(levels)

    def _choice(self, name: str) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 (declared above)
        return field

    def scoring(self) -> Scoring:
        """Return the validated decision."""
        found = self.cleaned_data
        return Scoring(
            points={title: found[name] for name, title in self._titles.items()},
            dominant_break=found["dominant_break"],
            level=found["level"],
            note=found["note"],
            check_seen=found["check_seen"],
            rubric_seen=found["rubric"],
        )

    def refuse(self, refusal: ScoringRefused) -> None:
        """Put each problem at its field."""
        names = {title: name for name, title in self._titles.items()} | {"break": "dominant_break"}
        for key, problem in refusal.problems.items():
            name = names.get(key, key)
            self.add_error(name if name in self.fields else None, problem)

    def typed_points(self) -> dict[str, str]:
        """Return what was typed for each criterion, by its title."""
        return {title: str(self[name].value() or "") for name, title in self._titles.items()}

    def points_fields(self) -> dict[str, forms.BoundField]:
        """Return the fields of points, by the criterion's title."""
        return {title: self[name] for name, title in self._titles.items()}


def initial_of(review: Review | None, rubric: Rubric, check_id: object) -> dict[str, Any]:
    """Return the form's first content: the review that holds, or nothing."""
    initial: dict[str, Any] = {
        "number": review.number if review else 0,
        "rubric": rubric.number,
        "check_seen": check_id,
        "dominant_break": review.dominant_break if review else "",
    }
    if review is None:
        return initial
    given = {score.title: score.points for score in review.scores.all()}
    level = "" if review.level is None else review.level
    return initial | {"level": level, "note": review.note} | points_initial(rubric, given)


def points_initial(rubric: Rubric, points: Mapping[str, Decimal]) -> dict[str, str]:
    """Return points by the name of their field."""
    return {
        f"points-{criterion.position}": plain(points[criterion.title])
        for criterion in rubric.criteria.all()
        if criterion.title in points
    }


def break_choices() -> list[tuple[str, str]]:
    """Return the breaks in chain order, each with the key that chooses it."""
    return [
        (value, f"{key} · {BREAKS[value or 'untagged'].label}")
        for key, value in enumerate(Review.Break.values)
    ]


def level_choices(levels: Iterable[Level]) -> list[tuple[str, str]]:
    """Return the levels of the session's scale, and *not decided*."""
    words = {level.number: level.criterion for level in levels}
    numbers = range(HIGHEST_LEVEL + 1)
    return [
        ("", gettext("not decided")),
        *(
            (str(number), f"{number} · {words[number]}" if number in words else str(number))
            for number in numbers
        ),
    ]
