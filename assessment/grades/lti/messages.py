"""Checks what a platform sends; the library's checks, and those that it leaves out.

The library checks state, nonce, signature, expiry and deployment. Added here: one algorithm only,
the audience where there are several, claims that must be there, and that state and nonce belong
together, to this platform, and are used once.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import jwt
from django.core.cache import cache
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from pylti1p3.contrib.django.message_launch import DjangoMessageLaunch
from pylti1p3.contrib.django.oidc_login import DjangoOIDCLogin
from pylti1p3.contrib.django.session import DjangoSessionService
from pylti1p3.exception import LtiException, LtiKeyException

from assessment.grades.lti.addresses import PlatformSession
from assessment.grades.lti.configuration import Configuration, find_platform
from assessment.grades.models import Launch, Platform
from assessment.grades.models.platform import LAUNCH_LIFETIME

Claims = dict[str, Any]

ALGORITHM = "RS256"
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
RESOURCE_LINK = "LtiResourceLinkRequest"
DEEP_LINKING = "LtiDeepLinkingRequest"

_KEYS_KEPT = timedelta(hours=1).total_seconds()
_REQUIRED = ["iss", "aud", "sub", "exp", "iat", "nonce"]
_LONGEST = 255
_LARGEST_TOKEN = 100_000


class LaunchRefusedError(Exception):
    """A launch that is not let in; ``reason`` is for whoever administers the LMS."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class LaunchStore(DjangoSessionService):
    """Keeps state and nonce of launches in the database, where each is used once."""

    def __init__(self, request: Any) -> None:  # noqa: ANN401 (the library's request)
        super().__init__(request)
        self._nonce = ""

    def save_nonce(self, nonce: str) -> None:
        """Remember the nonce until its state is known."""
        self._nonce = nonce

    def save_state_params(self, state: str, params: dict[str, object]) -> None:
        """Store the launch that begins."""
        Launch.objects.stale().delete()
        platform_id = str(params["platform"])
        Launch.objects.create(state=state, nonce=self._nonce, platform_id=platform_id)

    def check_nonce(self, nonce: str) -> bool:
        """Return whether a launch with this nonce is under way."""
        return Launch.objects.filter(nonce=nonce, used_at=None).exists()

    def check_state_is_valid(self, state: str, id_token_hash: str) -> bool:
        """Return no, so that the cookie of the browser that began is always asked for."""
        del state, id_token_hash
        return False

    def set_state_valid(self, state: str, id_token_hash: str) -> None:
        """Keep nothing: a token that was used is not taken again."""

    def save_launch_data(self, key: str, jwt_body: Mapping[str, Any]) -> None:
        """Keep nothing: what is needed later is stored by name."""


def begin(request: HttpRequest, platform: Platform, launch_url: str) -> Any:  # noqa: ANN401 (the library's redirect)
    """Return the redirect to the platform's own authentication address."""
    configuration: Any = Configuration()  # the library names its own class only
    login = DjangoOIDCLogin(request, configuration, session_service=LaunchStore(request))
    login.pass_params_to_launch({"platform": platform.pk})
    return login.redirect(launch_url)


class Message(DjangoMessageLaunch):
    """A launch message."""

    def get_client_id(self) -> str:
        """Return the audience that the platform means: ``azp`` where there is one."""
        body = self._get_jwt_body()
        audiences = body.get("aud")
        named = audiences if isinstance(audiences, list) else [audiences]
        party = body.get("azp")
        if len(named) > 1 and not party:
            raise LtiException("The token has several audiences and names no authorized party.")
        wanted = party or next(iter(named), None)
        if wanted not in named or not isinstance(wanted, str):
            raise LtiException("The authorized party of the token is not among its audiences.")
        return wanted

    def validate_jwt_format(self) -> "Message":
        """Take one algorithm only, whatever the token claims."""
        if len(self._get_id_token()) > _LARGEST_TOKEN:
            raise LtiException("The token is too long.")
        super().validate_jwt_format()
        header: Any = self._jwt.get("header")
        if not isinstance(header, dict) or not isinstance(self._jwt.get("body"), dict):
            raise LtiException("The token holds no JSON objects.")
        if header.get("alg") != ALGORITHM:
            raise LtiException(f"The token is signed by {header.get('alg')!r}, not {ALGORITHM}.")
        return self

    def get_public_key(self) -> tuple[str, str]:
        """Return the platform's key; a key that is not known yet is asked for once more."""
        try:
            return self._known_key()
        except LtiKeyException:
            cache.delete(self._cache_key())
            if self._registration:
                self._registration.set_key_set(None)
            return self._known_key()

    def _known_key(self) -> tuple[str, str]:
        pem, algorithm = super().get_public_key()
        if algorithm != ALGORITHM:
            raise LtiException(f"The platform's key is for {algorithm}, not {ALGORITHM}.")
        return pem, ALGORITHM

    def fetch_public_key(self, key_set_url: str) -> Any:  # noqa: ANN401 (JSON)
        """Return the platform's key set, kept for a while."""
        kept = cache.get(self._cache_key())
        if kept is not None:
            return kept
        fetched: Any = super().fetch_public_key(key_set_url)
        if not isinstance(fetched, dict) or not isinstance(fetched.get("keys"), list):
            raise LtiKeyException("The platform's key set is none.")
        cache.set(self._cache_key(), fetched, _KEYS_KEPT)
        return fetched

    def _cache_key(self) -> str:
        return f"lti-keys:{self.get_iss()}:{self.get_client_id()}"


def read_launch(request: HttpRequest) -> tuple[Platform, Claims]:
    """Return who launches and the claims, all checked; the launch is used up.

    Raises
    ------
    LaunchRefusedError
        With the reason; nothing was changed but that the nonce may be spent.
    """
    message = Message(
        request,
        Configuration(),
        session_service=LaunchStore(request),
        requests_session=PlatformSession(),
    )
    message.set_jwt_verify_options({"verify_aud": False, "require": _REQUIRED})
    try:
        claims: Claims = dict(message.get_launch_data())
        platform = find_platform(claims["iss"], message.get_client_id())
    except (LtiException, jwt.PyJWTError, AssertionError, KeyError, TypeError) as error:
        raise LaunchRefusedError(f"{type(error).__name__}: {error}") from error
    if platform is None:
        raise LaunchRefusedError("The platform is not registered.")
    if not isinstance(claims["sub"], str) or not 0 < len(claims["sub"]) <= _LONGEST:
        raise LaunchRefusedError("The token does not say who the person is.")
    kind = claims.get(f"{CLAIM}message_type")
    if kind not in {RESOURCE_LINK, DEEP_LINKING}:
        raise LaunchRefusedError(f"Messages of type {kind} are not taken.")
    _use_up(platform, state=request.POST.get("state", ""), nonce=claims["nonce"])
    return platform, claims


def _use_up(platform: Platform, *, state: str, nonce: object) -> None:
    """Spend the launch in one conditional update: of two deliveries one is let in."""
    now = timezone.now()
    begun = Q(state=state, nonce=str(nonce), platform=platform, used_at=None)
    alive = Q(created_at__gte=now - LAUNCH_LIFETIME)
    if not Launch.objects.filter(begun & alive).update(used_at=now):
        raise LaunchRefusedError("This launch was used already, or it took too long. Launch again.")
