"""What a learner predicts."""

from django import forms
from django.utils.translation import gettext_lazy as _

from assessment.attempts.models import Prediction


class PredictionForm(forms.Form):
    """A direction, a number where the learner dares one, and why."""

    direction = forms.ChoiceField(
        label=_("Direction"), choices=Prediction.Direction.choices, widget=forms.RadioSelect
    )
    value = forms.CharField(
        label=_("Value"),
        required=False,
        max_length=200,
        help_text=_("A number where you dare one: an order of magnitude is enough."),
        widget=forms.TextInput(
            attrs={
                "class": "value-input",
                "inputmode": "text",
                "autocapitalize": "off",
                "autocomplete": "off",
                "spellcheck": "false",
            }
        ),
    )
    reason = forms.CharField(
        label=_("Why"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
