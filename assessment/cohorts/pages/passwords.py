"""Choosing a password by a link, changing one's own, and what to do without it."""

import time
from http import HTTPStatus
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from kombu.exceptions import OperationalError

from assessment.cohorts import mailing, tasks
from assessment.cohorts.inviting import sign_in_links
from assessment.cohorts.models import User
from assessment.cohorts.signing_in import tried_from
from assessment.cohorts.throttling import Counter, rest_of_the_minute

# The whole address to nobody, its host to this service: its forms are checked by that.
_REFERRERS: Final = "strict-origin"
_PASSWORD_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"  # noqa: S105 (a class)
# In a minute: a school behind one address forgets less.
ASKS_OF_AN_ADDRESS: Final = 20
CHANGES_OF_A_PERSON: Final = 10

_counter = Counter()


class ChoosePasswordView(PasswordResetConfirmView):
    """Where a sign-in link leads; looking at it, as mail scanners do, uses nothing up."""

    http_method_names = ["get", "head", "post"]
    template_name = "cohorts/choose_password.html"
    token_generator = sign_in_links
    post_reset_login = True
    post_reset_login_backend = _PASSWORD_BACKEND
    success_url = reverse_lazy("sessions")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Keep the address from other sites."""
        if str(request.method).lower() not in self.http_method_names:
            return self.http_method_not_allowed(request)
        response = super().dispatch(request, *args, **kwargs)
        response["Referrer-Policy"] = _REFERRERS
        return response

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        """Set the password, sign in, and go to the sessions."""
        response = super().form_valid(form)  # type: ignore[arg-type]  # it is the form of this view
        messages.success(self.request, gettext("Your password is set. You are signed in."))
        return response


class ChangePasswordView(PasswordChangeView):
    """One's own new password; whoever comes from an LMS and has none reads so."""

    http_method_names = ["get", "head", "post"]
    template_name = "cohorts/change_password.html"
    success_url = reverse_lazy("home")

    def dispatch(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Keep the page out of every cache."""
        return never_cache(super().dispatch)(*args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Refuse those who have no password, and guessing at an open screen."""
        user = request.user
        if not isinstance(user, User) or not user.has_usable_password():
            return self.render_to_response(
                self.get_context_data(form=None), status=HTTPStatus.FORBIDDEN
            )
        if _is_too_often(f"password:{user.pk}", CHANGES_OF_A_PERSON):
            return _come_back(request)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: forms.BaseForm) -> HttpResponse:
        """Store it; all other sessions of this person end."""
        response = super().form_valid(form)  # type: ignore[arg-type]  # it is the form of this view
        text = gettext("Your password is changed. Elsewhere you are signed out.")
        messages.success(self.request, text)
        return response


class ForgottenForm(forms.Form):
    """Whose password is forgotten."""

    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Say what to do; with a mail server a link goes to the address, if somebody has it.

    The answer is the same whether somebody has: a worker looks it up, so that it also takes no
    longer.
    """
    if not mailing.is_configured() or request.method != "POST":
        form = ForgottenForm() if mailing.is_configured() else None
        return render(request, "cohorts/forgotten.html", {"form": form})
    if _is_too_often(f"forgotten:{tried_from(request)}", ASKS_OF_AN_ADDRESS):
        return _come_back(request)
    form = ForgottenForm(request.POST)
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "cohorts/forgotten.html", {"form": form}, status=status)
    origin = request.build_absolute_uri("/").rstrip("/")
    try:
        tasks.mail_forgotten.delay(form.cleaned_data["email"], origin)
    except OperationalError:
        messages.error(request, gettext("E-mails cannot be sent right now. Try again later."))
        status = HTTPStatus.SERVICE_UNAVAILABLE
        return render(request, "cohorts/forgotten.html", {"form": form}, status=status)
    return render(request, "cohorts/forgotten.html", {"asked": True})


def _is_too_often(key: str, most: int) -> bool:
    return _counter.count(key, time.time()) > most


def _come_back(request: HttpRequest) -> HttpResponse:
    seconds = rest_of_the_minute(time.time())
    status = HTTPStatus.TOO_MANY_REQUESTS
    page = render(request, "cohorts/too_often.html", {"seconds": seconds}, status=status)
    page["Retry-After"] = str(seconds)
    return page
