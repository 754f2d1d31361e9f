"""Which scopes a client may ask for: its own, and all of them when it asks for none."""

from collections.abc import Sequence

from oauth2_provider.scopes import SettingsScopes

from assessment.cohorts.models import Client


class ClientScopes(SettingsScopes):  # type: ignore[misc]  # the toolkit ships no types
    """The scopes backend of the token endpoint."""

    def get_available_scopes(
        self,
        application: Client | None = None,
        request: object = None,
        *args: object,
        **kwargs: object,
    ) -> Sequence[str]:
        """Return the client's own scopes among those that exist."""
        known: Sequence[str] = super().get_available_scopes(application, request, *args, **kwargs)
        if application is None:
            return known
        return [scope for scope in known if scope in application.scopes]

    def get_default_scopes(
        self,
        application: Client | None = None,
        request: object = None,
        *args: object,
        **kwargs: object,
    ) -> Sequence[str]:
        """Return all that the client may ask for."""
        return self.get_available_scopes(application, request, *args, **kwargs)
