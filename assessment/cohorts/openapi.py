"""How the OpenAPI document names the ways to sign in."""

from typing import Any

from django.urls import reverse
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from oauth2_provider.scopes import get_scopes_backend

from assessment.cohorts.authentication import HeaderTokenAuthentication


class BearerToken(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # its metaclass
    """Bearer tokens: client credentials for other systems, issued ones for people."""

    target_class = HeaderTokenAuthentication
    name = "bearerToken"
    priority = 1

    def get_security_requirement(self, auto_schema: AutoSchema) -> dict[str, list[str]]:
        """Name the scope that the operation asks for."""
        scopes = getattr(auto_schema.view, "scopes", {})
        scope = scopes.get(auto_schema.method, "") if isinstance(scopes, dict) else ""
        return {self.name: [scope] if scope else []}

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002 (its signature)
        """Describe the client credentials flow with all scopes."""
        scopes = get_scopes_backend().get_all_scopes()
        return {
            "type": "oauth2",
            "description": (
                "Send the token in the Authorization header only. Clients ask the token endpoint; "
                "for a person, `manage.py issue_token` prints one."
            ),
            "flows": {
                "clientCredentials": {
                    "tokenUrl": reverse("oauth-token"),
                    "scopes": {name: str(text) for name, text in scopes.items()},
                }
            },
        }
