"""The pages of people: choosing what to link, registering platforms."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from pylti1p3.exception import LtiException

from assessment.cohorts.http import PersonRequest, person_required
from assessment.cohorts.models import Cohort
from assessment.grades.lti import deep_linking, frames, keys, registering
from assessment.grades.lti.addresses import is_callable
from assessment.grades.lti.views import DEEP_LINK_KEY, tool_addresses
from assessment.grades.models import Context, Deployment, Platform
from assessment.grades.numbers import number
from exercises.models import Exercise


class _Exercises(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]  # not generic at run time
    """Exercises, each with its session and what it is worth."""

    def label_from_instance(self, exercise: Any) -> str:  # noqa: ANN401 (what Django's field holds)
        """Return a line that tells exercises apart."""
        total = exercise.total
        worth = (
            ngettext("%(total)s point", "%(total)s points", int(total)) % {"total": number(total)}
            if total
            else gettext("no points, so no column")
        )
        return f"{exercise.session.title}: {exercise} ({worth})"


class ExerciseChoice(forms.Form):
    """What to link to."""

    exercises = _Exercises(
        queryset=Exercise.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        label=_("Exercises"),
        error_messages={"required": _("Choose at least one exercise.")},
    )

    def __init__(self, *args: Any, takes_many: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._takes_many = takes_many
        field: Any = self.fields["exercises"]
        field.queryset = deep_linking.linkable()

    def clean_exercises(self) -> Any:  # noqa: ANN401 (Django's queryset of the field)
        """Refuse several where the platform takes one."""
        found = self.cleaned_data["exercises"]
        if not self._takes_many and len(found) > 1:
            raise ValidationError(gettext("The LMS takes one link here: choose one exercise."))
        return found


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def deep_link(request: PersonRequest) -> HttpResponse:
    """Let an instructor choose exercises, and answer the platform with links to them."""
    kept = request.session.get(DEEP_LINK_KEY)
    if not kept:
        raise Http404
    asked = deep_linking.Request(**kept)
    context = get_object_or_404(
        Context.objects.filter(cohort__in=Cohort.objects.instructed_by(request.user)),
        pk=asked.context_id,
    )
    form = ExerciseChoice(
        request.POST if request.method == "POST" else None, takes_many=asked.takes_many
    )
    if request.method == "POST" and form.is_valid():
        chosen = list(form.cleaned_data["exercises"])
        try:
            token = deep_linking.answer(asked, chosen, tool_addresses(request).launch)
        except LtiException as error:
            form.add_error(None, str(error))
        else:
            context.cohort.sessions.add(*{exercise.session for exercise in chosen})
            del request.session[DEEP_LINK_KEY]
            page = render(request, "lti/answer.html", {"address": asked.return_url, "token": token})
            return frames.sends_forms_to(page, frames.origin_of(asked.return_url))
    return render(request, "lti/deep_link.html", {"form": form, "context": context})


_NO_ADDRESS = _("Write an address that begins with https:// and a host name.")


def _address(label: Any, help_text: Any = "") -> forms.URLField:  # noqa: ANN401 (texts to be translated)
    return forms.URLField(
        label=label,
        help_text=help_text,
        max_length=500,
        assume_scheme="https",
        error_messages={"invalid": _NO_ADDRESS},
    )


class PlatformForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's forms are not generic at run time
    """A platform as its administrator describes it."""

    issuer = _address(_("Issuer"), _("Moodle calls it “Platform ID”."))
    auth_login_url = _address(_("Authentication request URL"))
    auth_token_url = _address(_("Access token URL"))
    key_set_url = _address(_("Public key set URL"))
    deployment_id = forms.CharField(
        max_length=Deployment.LONGEST_ID,
        required=False,
        label=_("Deployment id"),
        help_text=_("Only launches of known deployments are let in; more can be added later."),
    )

    class Meta:
        model = Platform
        fields = [
            "name",
            "issuer",
            "client_id",
            "auth_login_url",
            "auth_token_url",
            "key_set_url",
            "auth_audience",
            "names_people",
        ]
        help_texts = {
            "auth_audience": _("Only where the LMS says that its tokens want another one."),
            "names_people": _(
                "Only where the LMS's person numbers are the school's own: it can then launch as"
                " anyone who has such a number here, except administrators."
            ),
        }

    def clean(self) -> dict[str, Any]:
        """Ask for https wherever secrets travel."""
        found = super().clean() or {}
        for name in ("issuer", "auth_login_url", "auth_token_url", "key_set_url"):
            if found.get(name) and not is_callable(found[name]):
                self.add_error(name, _NO_ADDRESS)
        return found


def _administrator(request: PersonRequest) -> None:
    if not request.user.is_superuser:
        raise Http404


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def platforms(request: PersonRequest) -> HttpResponse:
    """List the platforms, and register one by hand."""
    _administrator(request)
    form = PlatformForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        platform = form.save()
        if deployment_id := form.cleaned_data["deployment_id"]:
            platform.deployments.create(deployment_id=deployment_id)
        messages.success(request, gettext("The LMS is registered."))
        return redirect("lti-platforms")
    context = {
        "platforms": Platform.objects.prefetch_related("deployments"),
        "addresses": tool_addresses(request),
        "form": form,
        "invitation": request.session.pop("lti-invitation", ""),
    }
    return render(request, "lti/platforms.html", context)


@require_POST
@person_required
def invite(request: PersonRequest) -> HttpResponse:
    """Make an invitation; its address is shown once."""
    _administrator(request)
    secret = registering.invite(request.user)
    path = request.build_absolute_uri(reverse("lti-register", args=[secret]))
    request.session["lti-invitation"] = path
    return redirect(f"{reverse('lti-platforms')}#invite")


@require_POST
@person_required
def add_deployment(request: PersonRequest, pk: str) -> HttpResponse:
    """Let one more deployment of a platform in."""
    _administrator(request)
    platform = get_object_or_404(Platform, pk=pk)
    text = request.POST.get("deployment_id", "").strip()
    if text.isprintable() and 0 < len(text) <= Deployment.LONGEST_ID:
        platform.deployments.get_or_create(deployment_id=text)
        messages.success(request, gettext("The deployment is let in."))
    else:
        messages.error(request, gettext("Write the deployment id that the LMS shows."))
    return redirect("lti-platforms")


@require_POST
@person_required
def close(request: PersonRequest, pk: str) -> HttpResponse:
    """Let a platform in no longer, or again."""
    _administrator(request)
    platform = get_object_or_404(Platform, pk=pk)
    # What was wanted, not the other of what holds: a button is pressed twice easily.
    platform.is_active = request.POST.get("let_in") == "yes"
    platform.save(update_fields=["is_active"])
    return redirect("lti-platforms")


@require_POST
@person_required
def rotate_keys(request: PersonRequest) -> HttpResponse:
    """Make the next signing key."""
    _administrator(request)
    key = keys.rotate()
    message = gettext("Key %(kid)s is published now and signs from tomorrow on.")
    messages.success(request, message % {"kid": key.kid[:12]})
    return redirect("lti-platforms")
