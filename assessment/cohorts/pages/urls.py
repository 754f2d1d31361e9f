"""Addresses of cohorts, people and passwords."""

from django.urls import URLPattern, path

from assessment.cohorts.inviting import forgotten_links
from assessment.cohorts.pages import passwords

urlpatterns: list[URLPattern] = [
    # assessment/config/redacting.py knows these two: what follows them is kept out of the log.
    path(
        "link/<uidb64>/<token>/",
        passwords.ChoosePasswordView.as_view(),
        name="sign-in-link",
    ),
    path(
        "forgotten/<uidb64>/<token>/",
        passwords.ChoosePasswordView.as_view(token_generator=forgotten_links),
        name="forgotten-link",
    ),
    path("forgotten/", passwords.forgotten, name="forgotten"),
    path("password/", passwords.ChangePasswordView.as_view(), name="change-password"),
]
