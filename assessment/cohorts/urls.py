"""Signing in and out, and tokens for machines."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path
from oauth2_provider.views import RevokeTokenView, TokenView

from assessment.cohorts.throttling import throttle_clients
from assessment.cohorts.views import SignInView

urlpatterns = [
    path("sign-in/", SignInView.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("", include("assessment.cohorts.pages.urls")),
    path("oauth/token/", throttle_clients(TokenView.as_view()), name="oauth-token"),
    path("oauth/revoke/", throttle_clients(RevokeTokenView.as_view()), name="oauth-revoke"),
]
