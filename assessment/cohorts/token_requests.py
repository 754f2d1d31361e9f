"""What a client may ask of the token endpoint, and how it says who it is."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.scopes import get_scopes_backend
from oauth2_provider.views import TokenView

from assessment.cohorts.models import Client


class ClientTokenView(TokenView):  # type: ignore[misc]  # the toolkit ships no types
    """Hands out tokens to machines; the toolkit's own would look for codes of devices first."""

    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer with a token, or with an error of RFC 6749, section 5.2."""
        response: HttpResponse = self.authorization_flow_token_response(request)
        return response


class ClientValidator(OAuth2Validator):  # type: ignore[misc]  # the same
    """The toolkit's rules, a few of them closer to RFC 6749."""

    def authenticate_client(self, request: Any, *args: object, **kwargs: object) -> bool:  # noqa: ANN401, ARG002 (oauthlib's request and signature)
        """Read one pair of credentials: those of the header, where it has some.

        A second pair in the form would be a second guess (section 2.3).
        """
        if self._extract_basic_auth(request) is None:
            return bool(self._authenticate_request_body(request))
        is_known = bool(self._authenticate_basic_auth(request))
        return is_known and request.client_id in {None, "", request.client.client_id}

    def _extract_basic_auth(self, request: Any) -> str | None:  # noqa: ANN401 (oauthlib's request)
        """Return what follows the scheme, in whatever case that is written (RFC 9110, 11.1)."""
        scheme, _blank, pair = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "basic":
            return None
        return pair.strip() if pair.isascii() else ""

    def _load_application(self, client_id: str, request: Any) -> Client | None:  # noqa: ANN401 (the same)
        """Look for nobody under a name that PostgreSQL cannot be asked for."""
        if "\0" in (client_id or ""):
            return None
        found: Client | None = super()._load_application(client_id, request)
        return found

    def validate_scopes(
        self,
        client_id: str,  # noqa: ARG002 (oauthlib's signature)
        scopes: Sequence[str],
        client: Client,
        request: Any,  # noqa: ANN401 (oauthlib's request)
        *args: object,  # noqa: ARG002 (the same)
        **kwargs: object,  # noqa: ARG002 (the same)
    ) -> bool:
        """Grant the client's own among those asked (section 3.3); the answer names them.

        Many LMSs ask for all that their standard has.
        """
        own = get_scopes_backend().get_available_scopes(application=client, request=request)
        request.scopes = [scope for scope in own if scope in scopes]
        return bool(request.scopes) or not scopes

    def save_bearer_token(self, token: Any, request: Any, *args: object, **kwargs: object) -> None:  # noqa: ANN401 (the same)
        """Keep the token; which resource it was asked for is not kept, as there is one here."""
        request.resource = []
        super().save_bearer_token(token, request, *args, **kwargs)
