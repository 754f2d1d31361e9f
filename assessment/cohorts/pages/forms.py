"""The forms by which cohorts are made and filled."""

import re
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.validators import RegexValidator, slug_re
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from assessment.cohorts.listing import MAX_PEOPLE
from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.cohorts.models.cohort import validate_time_zone
from assessment.cohorts.offering import reachable_by
from assessment.web.csv_files.fields import CSVField
from exercises.models import Session

_MAX_FILE: Final = 2_000_000
_MAX_PASTED: Final = 300_000
_MOST_INSTRUCTORS: Final = 20
_BETWEEN_NAMES: Final = re.compile(r"[\s,;]+")


class UsernamesField(forms.CharField):
    """Usernames of accounts, with blanks or commas between them; of all, or of those in reach."""

    accounts = User.objects.all()
    default_error_messages = {"unknown": _("No account has the username %(names)s.")}

    def clean(self, value: str | None) -> list[User]:
        """Return the accounts, or name those that there are not."""
        names = list(dict.fromkeys(filter(None, _BETWEEN_NAMES.split(super().clean(value)))))
        if len(names) > _MOST_INSTRUCTORS:
            text = gettext("Name at most %(most)s people.")
            raise forms.ValidationError(text % {"most": _MOST_INSTRUCTORS})
        users = list(self.accounts.filter(username__in=names, is_active=True))
        if unknown := sorted(set(names) - {user.username for user in users}):
            raise forms.ValidationError(
                self.error_messages["unknown"], params={"names": ", ".join(unknown)[:300]}
            )
        return users


class CohortForm(forms.Form):
    """A new cohort."""

    name = forms.CharField(
        label=_("Name"), help_text=_("As people read it: “Autumn group”."), max_length=200
    )
    slug = forms.CharField(
        label=_("Short name for addresses"),
        help_text=_("Letters, digits and hyphens: “autumn-2026”. It stays as it is."),
        max_length=80,
        validators=[
            RegexValidator(
                slug_re, _("Letters, digits, hyphens and underscores only: “autumn-2026”.")
            )
        ],
    )
    time_zone = forms.CharField(
        label=_("Time zone"),
        help_text=_("In which its times are shown, for example Europe/Paris."),
        max_length=64,
        validators=[validate_time_zone],
    )
    sessions = forms.ModelMultipleChoiceField(
        label=_("Sessions"),
        queryset=Session.objects.all(),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("Those that are imported; more can be added later."),
    )
    instructors = UsernamesField(
        label=_("Instructors"),
        help_text=_("Usernames of accounts that exist. New people are added on the cohort's page."),
        max_length=2000,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].initial = settings.TIME_ZONE


class InstructorForm(forms.Form):
    """Who becomes an instructor."""

    usernames = UsernamesField(
        label=_("Usernames"),
        help_text=_("Of accounts that exist, with commas between them."),
        max_length=2000,
    )

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["usernames"]
        assert isinstance(field, UsernamesField)  # noqa: S101 (declared above)
        field.accounts = reachable_by(by)
        if not by.is_superuser:
            text = gettext("No account that you can name has the username %(names)s.")
            field.error_messages["unknown"] = text
            field.help_text = gettext("Of people of your cohorts, with commas between them.")


class SessionForm(forms.Form):
    """A session that a cohort does not have yet."""

    session = forms.ModelChoiceField(label=_("Session"), queryset=Session.objects.none())

    def __init__(self, *args: Any, cohort: Cohort, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["session"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 (declared above)
        field.queryset = Session.objects.exclude(cohorts=cohort)


class PeopleForm(forms.Form):
    """A list of people: a file, or what was copied from a table."""

    file = CSVField(label=_("A file (CSV)"), required=False, most=_MAX_FILE)
    pasted = forms.CharField(
        label=_("Or lines pasted from a table"),
        max_length=_MAX_PASTED,
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "class": "value-input", "spellcheck": "false"}),
        help_text=_("The first line names the columns; at most %(most)s people.")
        % {"most": MAX_PEOPLE},
    )

    def clean(self) -> dict[str, Any]:
        """Ask for one of the two."""
        found = super().clean() or self.cleaned_data
        given = [name for name in ("file", "pasted") if found.get(name)]
        if not self.errors and len(given) != 1:
            raise forms.ValidationError(
                gettext("Hand in a file, or paste lines: one of the two.")
                if not given
                else gettext("There are a file and pasted lines: keep one of the two.")
            )
        return found

    def content(self) -> bytes:
        """Return what was handed in."""
        file = self.cleaned_data["file"]
        return bytes(file.read()) if file else self.cleaned_data["pasted"].encode()


class TrackForm(forms.ModelForm):  # type: ignore[type-arg]  # takes none when it runs
    """The track of a learner."""

    class Meta:
        model = Enrolment
        fields = ["track"]
