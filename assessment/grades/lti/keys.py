"""The tool's signing keys: made here, kept encrypted, replaced without a gap."""

import base64
import hashlib
import json
from datetime import timedelta
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from jwcrypto.jwk import JWK
from pylti1p3.exception import LtiException

from assessment.grades.models import ToolKey

KEY_BITS = 2048
# A fresh key is published this long before it signs: platforms keep our key set for a while.
PUBLISHED_AHEAD = timedelta(hours=24)
# A retired key stays published this long: what it signed last is still to be verified.
PUBLISHED_AFTER = timedelta(days=7)


def signing_key() -> ToolKey:
    """Return the key that signs now; the first one is made when it is first needed.

    Raises
    ------
    KeysUnreadableError
        ``SECRET_KEY`` is not the one the keys were encrypted with.
    """
    now = timezone.now()
    keys = list(ToolKey.objects.filter(retired_at=None))
    if not keys:
        return _first_key()
    ripe = [key for key in keys if key.created_at <= now - PUBLISHED_AHEAD]
    return ripe[0] if ripe else keys[-1]


def rotate() -> ToolKey:
    """Make the next key and return it; it signs once platforms had a day to see it.

    Keys older than the one that signs now are retired.
    """
    present = signing_key()
    older = ToolKey.objects.filter(retired_at=None, created_at__lt=present.created_at)
    older.update(retired_at=timezone.now())
    return _make()


def public_key_set() -> dict[str, Any]:
    """Return the public keys that platforms verify with."""
    signing_key()
    since = timezone.now() - PUBLISHED_AFTER
    keys = ToolKey.objects.exclude(retired_at__lt=since)
    return {"keys": [_public_jwk(key) for key in keys]}


def private_pem(key: ToolKey) -> str:
    """Return the private half."""
    try:
        return _box().decrypt(key.private_sealed.encode()).decode()
    except InvalidToken as error:
        raise KeysUnreadableError from error


class KeysUnreadableError(LtiException):
    """The keys were encrypted under another ``SECRET_KEY``."""

    def __str__(self) -> str:
        return (
            "The LTI keys were encrypted under another SECRET_KEY. Set the former one, or delete"
            " the keys and register this tool's key set at the platforms again."
        )


@transaction.atomic
def _first_key() -> ToolKey:
    """Make the first key, of two callers at once only one."""
    made = _make()
    first = ToolKey.objects.order_by("created_at", "pk")[0]
    if first.pk != made.pk:
        made.delete()
    return first


def _make() -> ToolKey:
    pair = JWK.generate(kty="RSA", size=KEY_BITS)
    public = pair.export_to_pem().decode()
    private = pair.export_to_pem(private_key=True, password=None).decode()
    return ToolKey.objects.create(
        # The key's own digest: what libraries derive from the public half.
        kid=JWK.from_pem(public.encode()).get("kid"),
        public_pem=public,
        private_sealed=_box().encrypt(private.encode()).decode(),
    )


def _public_jwk(key: ToolKey) -> dict[str, Any]:
    jwk: dict[str, Any] = json.loads(JWK.from_pem(key.public_pem.encode()).export_public())
    return jwk | {"kid": key.kid, "alg": "RS256", "use": "sig"}


def _box() -> Fernet:
    secret = hashlib.sha256(b"lti-keys:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(secret))
