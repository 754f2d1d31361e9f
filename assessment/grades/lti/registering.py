"""Brings a platform in: by hand, or by itself through an invitation."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any, TypeGuard
from urllib.parse import urlsplit

import requests
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from pylti1p3.dynamic_registration import DynamicRegistration
from pylti1p3.exception import LtiException

from assessment.cohorts.models import User
from assessment.grades.lti.addresses import PlatformSession, is_callable
from assessment.grades.lti.messages import DEEP_LINKING
from assessment.grades.lti.services import GRADE_SCOPES, ROSTER_SCOPE
from assessment.grades.models import Deployment, Platform, Registration

_TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
_LONGEST = 500
# Canvas writes its token into the address of its configuration.
_LONGEST_QUESTION = 4000
# What the library raises at answers that hold something else than what it wants.
_UNUSABLE = (LtiException, AssertionError, KeyError, RecursionError, TypeError, ValueError)


class RegistrationRefusedError(Exception):
    """The platform cannot be registered; the text says why."""


@dataclass(frozen=True, slots=True)
class ToolAddresses:
    """What a platform has to know of this tool."""

    origin: str

    @property
    def login(self) -> str:
        """Where a launch begins."""
        return self.origin + reverse("lti-login")

    @property
    def launch(self) -> str:
        """Where a launch arrives."""
        return self.origin + reverse("lti-launch")

    @property
    def keys(self) -> str:
        """Where the public keys are."""
        return self.origin + reverse("lti-keys")


def invite(by: User) -> str:
    """Return the secret of a fresh invitation; it is shown once and kept as its digest."""
    secret = secrets.token_urlsafe(32)
    Registration.objects.create(digest=_digest(secret), created_by=by)
    return secret


def open_invitation(secret: str) -> Registration | None:
    """Return the invitation, if it may still be used."""
    found = Registration.objects.filter(digest=_digest(secret)).first()
    return found if found and found.is_open(timezone.now()) else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class _Registrar(DynamicRegistration):
    """Talks to the platform: what it is, what this tool is, what it answers."""

    client_name = "Firstbreak"
    description = "Exercises that find where a chain of reasoning first breaks"

    def __init__(self, addresses: ToolAddresses, configuration_url: str, token: str) -> None:
        self._addresses = addresses
        self._configuration_url = configuration_url
        self._token = token

    def get_request_session(self) -> requests.Session:
        """Return a session that calls platforms only."""
        return PlatformSession()

    def get_openid_configuration_endpoint(self) -> str:
        return self._configuration_url

    def get_registration_token(self) -> Any:  # noqa: ANN401 (the library leaves it out where it is None)
        return self._token or None

    def get_initiate_login_uri(self) -> str:
        return self._addresses.login

    def get_jwks_uri(self) -> str:
        return self._addresses.keys

    def get_redirect_uris(self) -> list[str]:
        return [self._addresses.launch]

    def get_target_link_uri(self) -> str:
        return self._addresses.launch

    def get_domain(self) -> str:
        return urlsplit(self._addresses.origin).netloc

    def get_logo_uri(self) -> str:
        return f"{self._addresses.origin}/static/web/icon.svg"

    def get_scopes(self) -> list[str]:
        return [*GRADE_SCOPES, ROSTER_SCOPE]

    def get_claims(self) -> list[str]:
        return ["iss", "sub", "name", "given_name", "family_name", "email"]

    def get_messages(self) -> list[dict[str, str]]:
        return [{"type": DEEP_LINKING, "target_link_uri": self._addresses.launch}]

    def complete_registration(
        self, openid_configuration: dict[str, Any], openid_registration: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        for answer in (openid_configuration, openid_registration):
            if not isinstance(answer, dict):
                raise LtiException("The platform's answers are no JSON objects.")
        return openid_configuration, openid_registration


def register_itself(
    invitation: Registration, addresses: ToolAddresses, configuration_url: str, token: str
) -> Platform:
    """Register the platform that presents an invitation, which is used up by it.

    Raises
    ------
    RegistrationRefusedError
        The platform cannot be reached, or its answers do not fit; nothing is stored.
    """
    if len(configuration_url) > _LONGEST_QUESTION or not is_callable(configuration_url):
        raise RegistrationRefusedError("The platform's configuration is not at an https address.")
    registrar: Any = _Registrar(addresses, configuration_url, token)
    try:
        configuration, registered = registrar.register()
    except _UNUSABLE as error:
        raise RegistrationRefusedError(str(error) or type(error).__name__) from error
    except requests.RequestException as error:
        raise RegistrationRefusedError(f"The platform cannot be reached: {error}") from error
    return _store(invitation, configuration_url, configuration, registered)


@transaction.atomic
def _store(
    invitation: Registration,
    configuration_url: str,
    configuration: dict[str, Any],
    registered: dict[str, Any],
) -> Platform:
    issuer = _address(configuration, "issuer")
    if urlsplit(issuer).netloc != urlsplit(configuration_url).netloc:
        raise RegistrationRefusedError("The issuer is not at home where its configuration is.")
    client_id = registered.get("client_id")
    if not _is_id(client_id):
        raise RegistrationRefusedError("The platform gave no client id.")
    if not Registration.objects.filter(pk=invitation.pk, used_at=None).update(
        used_at=timezone.now()
    ):
        raise RegistrationRefusedError("This invitation was used already.")
    if Platform.objects.filter(issuer=issuer, client_id=client_id).exists():
        raise RegistrationRefusedError("This client is registered already.")
    audience = configuration.get("authorization_server")
    platform = Platform.objects.create(
        name=_name(configuration, issuer),
        issuer=issuer,
        client_id=client_id,
        auth_login_url=_address(configuration, "authorization_endpoint"),
        auth_token_url=_address(configuration, "token_endpoint"),
        key_set_url=_address(configuration, "jwks_uri"),
        auth_audience=audience[:_LONGEST] if isinstance(audience, str) else "",
    )
    tool = registered[_TOOL]
    deployment_id = tool.get("deployment_id") if isinstance(tool, dict) else None
    if _is_id(deployment_id):
        platform.deployments.create(deployment_id=deployment_id)
    Registration.objects.filter(pk=invitation.pk).update(platform=platform)
    return platform


def _address(configuration: dict[str, Any], name: str) -> str:
    found = configuration.get(name)
    if not isinstance(found, str) or len(found) > _LONGEST or not is_callable(found):
        raise RegistrationRefusedError(
            f"The platform's {name} is {str(found)[:100]!r}. It has to be https:// and a host name,"
            " without blanks or other signs."
        )
    return found


def _is_id(found: object) -> TypeGuard[str]:
    printable = isinstance(found, str) and found.isprintable()
    return printable and 0 < len(str(found)) <= Deployment.LONGEST_ID


def _name(configuration: dict[str, Any], issuer: str) -> str:
    described = configuration.get("https://purl.imsglobal.org/spec/lti-platform-configuration")
    family = described.get("product_family_code") if isinstance(described, dict) else None
    return f"{family or 'LMS'} ({urlsplit(issuer).netloc})"[:200]
