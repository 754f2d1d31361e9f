"""What tokens open, and how they are given: the settings of django-oauth-toolkit."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

# What the names of OneRoster's scopes begin with.
ONEROSTER: Final = "https://purl.imsglobal.org/spec/or/v1p2/scope/"

SETTINGS: dict[str, Any] = {
    # Only the checksum of a token is kept; the token itself is shown once.
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    # It knows the one grant of machines: no other is even looked at.
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.BackendApplicationServer",
    "OAUTH2_VALIDATOR_CLASS": "assessment.cohorts.token_requests.ClientValidator",
    "SCOPES_BACKEND_CLASS": "assessment.cohorts.scopes.ClientScopes",
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    # The toolkit's stricter choices, where it still defaults to the looser ones.
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    **{
        f"{name}_ADMIN_CLASS": "assessment.cohorts.client_admin.Closed"
        for name in ("APPLICATION", "ACCESS_TOKEN", "REFRESH_TOKEN", "GRANT", "ID_TOKEN")
    },
    "SCOPES": {
        "learn": _("Read exercises and submit answers as the token's owner"),
        "teach": _("Review submissions and read the figures of the owner's cohorts"),
        "grades:read": _("Read released grades"),
        # The standard's own names (assessment/grades/oneroster/scopes.py).
        f"{ONEROSTER}gradebook.readonly": _("OneRoster: read the gradebook"),
        f"{ONEROSTER}gradebook-core.readonly": _("OneRoster: read the gradebook, nothing nested"),
        f"{ONEROSTER}assessment.readonly": _("OneRoster: read released points by criterion"),
        f"{ONEROSTER}roster.readonly": _("OneRoster: read people and classes"),
        f"{ONEROSTER}roster-core.readonly": _("OneRoster: read people and classes, nothing nested"),
    },
    "DEFAULT_SCOPES": ["grades:read"],
}
