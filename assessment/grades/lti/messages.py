"""Checks what a platform sends; the library's checks, and those that it leaves out.

The library checks state, signature and deployment. Added here: one algorithm only, the audience
where there are several, claims that must be there, clocks that differ a little, and that state and
nonce belong together, to this platform and this browser, and are used once.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, TypeGuard

import jwt
from django.core.cache import cache
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse
from jwcrypto.common import JWException
from pylti1p3.contrib.django.cookie import DjangoCookieService
from pylti1p3.contrib.django.message_launch import DjangoMessageLaunch
from pylti1p3.contrib.django.oidc_login import DjangoOIDCLogin
from pylti1p3.contrib.django.request import DjangoRequest
from pylti1p3.contrib.django.session import DjangoSessionService
from pylti1p3.exception import LtiException, LtiKeyException

from assessment.grades.lti.addresses import PlatformSession
from assessment.grades.lti.configuration import Configuration, find_platform
from assessment.grades.models import Launch, Platform
from assessment.grades.models.platform import LAUNCH_LIFETIME

Claims = dict[str, Any]

ALGORITHM = "RS256"
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING_SETTINGS = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
RESOURCE_LINK = "LtiResourceLinkRequest"
DEEP_LINKING = "LtiDeepLinkingRequest"

CLOCK_SKEW = timedelta(minutes=1)
_KEYS_KEPT = timedelta(hours=1).total_seconds()
_ASKED_AGAIN_AFTER = timedelta(seconds=20).total_seconds()
# What library and keys raise at what they cannot use.
_UNUSABLE = (
    LtiException,
    jwt.PyJWTError,
    JWException,
    AssertionError,
    AttributeError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)
_REQUIRED = ["iss", "aud", "sub", "exp", "iat", "nonce"]
_LONGEST_SUBJECT = 255
_LARGEST_TOKEN = 100_000


class LaunchRefusedError(Exception):
    """A launch that is not let in; ``reason`` is for whoever administers the LMS."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class LaunchStore(DjangoSessionService):
    """Keeps what a launch begins with in a signed cookie of its browser.

    Beginning costs the service nothing, however often anybody begins.
    """

    def __init__(self, request: HttpRequest) -> None:
        asked = DjangoRequest(request)
        super().__init__(asked)
        self.cookies: Any = DjangoCookieService(asked)  # type: ignore[no-untyped-call]  # the library's
        self._nonce = ""

    def save_nonce(self, nonce: str) -> None:
        """Remember the nonce until its state is known."""
        self._nonce = nonce

    def save_state_params(self, state: str, params: dict[str, object]) -> None:
        """Bind state, nonce and platform together."""
        bound = _signer(state).sign_object([str(params["platform"]), self._nonce])
        self.cookies.set_cookie(_begun(state), bound, int(LAUNCH_LIFETIME.total_seconds()))

    def begun(self, state: str) -> list[str] | None:
        """Return platform and nonce of a launch that this browser began a short while ago."""
        try:
            found: list[str] = _signer(state).unsign_object(
                self.cookies.get_cookie(_begun(state)) or "", max_age=LAUNCH_LIFETIME
            )
        except BadSignature:
            return None
        return found

    def forget(self, state: str, response: HttpResponse) -> None:
        """Take this launch's cookies back: those of many launches would fill a request."""
        if self.begun(state) is None:
            return
        for name in (state, _begun(state)):
            key = self.cookies._get_key(name)  # noqa: SLF001 (the library's only way to name it)
            samesite: Any = "None" if self.cookies._request.is_secure() else None  # noqa: SLF001 (the same)
            response.delete_cookie(key, samesite=samesite)

    def check_nonce(self, nonce: str) -> bool:
        """Return yes: what the nonce belongs to is looked at once the platform is known."""
        del nonce
        return True

    def check_state_is_valid(self, state: str, id_token_hash: str) -> bool:
        """Return no, so that the cookie of the browser that began is always asked for."""
        del state, id_token_hash
        return False

    def set_state_valid(self, state: str, id_token_hash: str) -> None:
        """Keep nothing: a token that was used is not taken again."""

    def save_launch_data(self, key: str, jwt_body: Mapping[str, Any]) -> None:
        """Keep nothing: what is needed later is stored by name."""


def _begun(state: str) -> str:
    return f"{state}-begun"


def _signer(state: str) -> TimestampSigner:
    return TimestampSigner(salt=f"lti-launch:{state}")


def begin(request: HttpRequest, platform: Platform, launch_url: str) -> Any:  # noqa: ANN401 (the library's redirect)
    """Return the redirect to the platform's own authentication address."""
    configuration: Any = Configuration()  # the library names its own class only
    store = LaunchStore(request)
    login = DjangoOIDCLogin(
        request, configuration, session_service=store, cookie_service=store.cookies
    )
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

    def validate_jwt_signature(self) -> "Message":
        """Check signature and times, by clocks that may differ a little."""
        key, _algorithm = self.get_public_key()
        jwt.decode(
            self._get_id_token(),
            key,
            algorithms=[ALGORITHM],
            options={"verify_aud": False, "require": _REQUIRED},
            leeway=CLOCK_SKEW,
        )
        return self

    def get_public_key(self) -> tuple[str, str]:
        """Return the platform's key; a key that is not known yet is asked for once more.

        Anybody can name keys that do not exist: not each of them is worth a question.
        """
        try:
            return self._known_key()
        except LtiKeyException:
            if not cache.add(f"{self._cache_key()}:asked", True, _ASKED_AGAIN_AFTER):  # noqa: FBT003 (the cache's own)
                raise
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
        found = fetched.get("keys") if isinstance(fetched, dict) else None
        if not isinstance(found, list) or not all(isinstance(key, dict) for key in found):
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
    store = LaunchStore(request)
    message = Message(
        request,
        Configuration(),
        session_service=store,
        cookie_service=store.cookies,
        requests_session=PlatformSession(),
    )
    try:
        claims: Claims = dict(message.get_launch_data())
        platform = find_platform(claims["iss"], message.get_client_id())
    except _UNUSABLE as error:
        raise LaunchRefusedError(f"{type(error).__name__}: {error}") from error
    if platform is None:
        raise LaunchRefusedError("The platform is not registered.")
    if not is_subject(claims["sub"]):
        raise LaunchRefusedError("The token does not say who the person is.")
    kind = claims.get(f"{CLAIM}message_type")
    if kind not in {RESOURCE_LINK, DEEP_LINKING}:
        raise LaunchRefusedError(f"Messages of type {kind} are not taken.")
    state = request.POST.get("state", "")
    if store.begun(state) != [str(platform.pk), claims["nonce"]]:
        raise LaunchRefusedError("This launch began elsewhere, or it took too long. Launch again.")
    _use_up(platform, state)
    return platform, claims


def is_subject(found: object) -> TypeGuard[str]:
    """Return whether this can name a person, as platforms do."""
    return isinstance(found, str) and found.isprintable() and 0 < len(found) <= _LONGEST_SUBJECT


def _use_up(platform: Platform, state: str) -> None:
    """Spend the launch: of two deliveries one is let in."""
    Launch.objects.stale().delete()
    _launch, is_first = Launch.objects.get_or_create(state=state, defaults={"platform": platform})
    if not is_first:
        raise LaunchRefusedError("This launch was used already. Launch again.")
