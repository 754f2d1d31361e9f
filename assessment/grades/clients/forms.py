"""The form that makes a client."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from assessment.cohorts.clients import client_scopes, instructed_by
from assessment.cohorts.models import Cohort, User


class ClientForm(forms.Form):
    """A name, the cohorts that the client reads, and what it reads of them."""

    name = forms.CharField(
        label=_("Name"), help_text=_("Whose it is, for example “School LMS”."), max_length=100
    )
    cohorts = forms.ModelMultipleChoiceField(
        label=_("Cohorts"),
        help_text=_("The client reads these and no others."),
        queryset=Cohort.objects.none(),
        widget=forms.CheckboxSelectMultiple,
    )
    scopes = forms.MultipleChoiceField(
        label=_("Scopes"),
        help_text=_(
            "What it reads. A system that speaks OneRoster mostly needs the gradebook, and people"
            " and classes."
        ),
        initial=["grades:read"],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, user: User) -> None:
        super().__init__(data)
        cohorts, scopes = self.fields["cohorts"], self.fields["scopes"]
        assert isinstance(cohorts, forms.ModelMultipleChoiceField)  # noqa: S101 (declared above)
        assert isinstance(scopes, forms.MultipleChoiceField)  # noqa: S101 (declared above)
        cohorts.queryset = instructed_by(user)
        scopes.choices = [(name, text) for name, text in client_scopes().items()]
