"""Signing in."""

from typing import Any

from django.conf import settings
from django.contrib.auth.views import LoginView


class SignInView(LoginView):
    """The sign-in page; in demo mode it names the demo accounts."""

    template_name = "cohorts/sign_in.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the demo accounts, which only demo mode has."""
        return super().get_context_data(
            demo_accounts=settings.DEMO_ACCOUNTS.items() if settings.DEMO else (),
            demo_password=settings.DEMO_PASSWORD,
            **kwargs,
        )
