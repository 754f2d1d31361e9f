"""Signing in and out, and tokens for machines."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path
from oauth2_provider.views import RevokeTokenView

from assessment.cohorts.throttling import throttle_clients
from assessment.cohorts.token_requests import ClientTokenView
from assessment.cohorts.views import SignInView

token = throttle_clients(ClientTokenView.as_view())

urlpatterns = [
    path("sign-in/", SignInView.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("", include("assessment.cohorts.pages.urls")),
    path("oauth/token/", token, name="oauth-token"),
    # As many type it into an LMS: a redirect would turn the question into a GET.
    path("oauth/token", token),
    path("oauth/revoke/", throttle_clients(RevokeTokenView.as_view()), name="oauth-revoke"),
]
