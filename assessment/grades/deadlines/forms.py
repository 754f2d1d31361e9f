"""The forms of dates and exemptions; times are read on the cohort's clock."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from assessment.cohorts.models import Cohort, Enrolment

_EARLIEST, _LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_MINUTES = "%Y-%m-%dT%H:%M"


def _in_reach(moment: datetime) -> None:
    if not _EARLIEST <= moment < _LATEST:
        raise ValidationError(_("Write a year between 2000 and 2099."))


class _Moment(forms.DateTimeField):
    """A day and a time of day, to the minute."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "60"}, format=_MINUTES)
    default_validators = [_in_reach]
    default_error_messages = {
        "invalid": _("Write a day and a time, for example 2026-12-03 23:59."),
    }


class DatesForm(forms.Form):
    """When an exercise is given and due."""

    assigned_at = _Moment(label=_("Given"))
    due_at = _Moment(
        label=_("Due"),
        required=False,
        help_text=_("Empty: no deadline here; LMSs are told the end of the term."),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a deadline that is not after the day on which the exercise is given."""
        found = super().clean() or self.cleaned_data
        assigned_at, due_at = found.get("assigned_at"), found.get("due_at")
        if assigned_at and due_at and due_at <= assigned_at:
            self.add_error("due_at", _("An exercise is due after it was given."))
        return found


class _Learners(forms.ModelChoiceField):  # type: ignore[type-arg]  # takes none when it runs
    def label_from_instance(self, obj: Enrolment) -> str:
        return f"{obj.user} ({obj.user.username})"


class ExcuseForm(forms.Form):
    """Who is excused, and why."""

    learner = _Learners(
        label=_("Learner"),
        queryset=Enrolment.objects.none(),
        error_messages={"invalid_choice": _("Choose a learner of this cohort.")},
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        help_text=_("For those who teach; learners only read that they are excused."),
    )

    def __init__(self, *args: Any, cohort: Cohort, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["learner"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 (declared above)
        places = Enrolment.objects.active().learners().filter(cohort=cohort)
        field.queryset = places.select_related("user").order_by(
            "user__last_name", "user__first_name", "user__username"
        )
