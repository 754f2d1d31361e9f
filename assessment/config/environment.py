"""Reads the environment, failing loudly on a bad value."""

import contextlib
import os
import secrets
import ssl
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off", ""})


def flag(name: str, *, default: bool = False) -> bool:
    """Return a boolean setting; anything but a clear yes or no is refused."""
    value = os.environ.get(name)
    if value is None:
        return default
    if value.strip().lower() in _TRUE:
        return True
    if value.strip().lower() in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}: write 1 or 0.")


def whole(name: str, *, default: int) -> int:
    """Return a whole number above zero; anything else is refused."""
    value = os.environ.get(name, str(default))
    if not value.isdecimal() or int(value) < 1:
        raise ImproperlyConfigured(f"{name} is {value!r}: write a whole number above zero.")
    return int(value)


def names(name: str) -> list[str]:
    """Return a comma-separated list, without blanks."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def text(name: str) -> str:
    """Return a setting, or what the file that ``NAME_FILE`` names holds, or ``""``."""
    path = os.environ.get(f"{name}_FILE")
    if not path or os.environ.get(name):
        return os.environ.get(name, "")
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE names {path}: it cannot be read.") from error


def required(name: str, purpose: str) -> str:
    """Return a setting that production cannot do without."""
    value = text(name)
    if not value.strip(" ,"):
        raise ImproperlyConfigured(f"Set {name}: {purpose}. (For the demo, use: make run)")
    return value


def make_folder(path: Path) -> None:
    """Make a folder of the demo's data."""
    try:
        # Answers and grades lie there: for the eyes of its owner alone.
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Data cannot be kept in {path} ({error.strerror}): set VAR_DIR to another folder."
        ) from error


def kept_secret(path: Path) -> str:
    """Return the secret in a file, made once, readable by its owner alone."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8") as made:
            made.write(secrets.token_urlsafe(64))
            made.flush()
            # Of several processes that start at once the first decides.
            with contextlib.suppress(FileExistsError):
                os.link(made.name, path)
    return path.read_text(encoding="utf-8")


def database(default: str) -> dict[str, Any]:
    """Return the database that ``DATABASE_URL`` names: PostgreSQL or SQLite."""
    url = text("DATABASE_URL") or default
    if urlsplit(url).scheme not in {"postgres", "postgresql", "sqlite"}:
        raise ImproperlyConfigured("DATABASE_URL must begin with postgresql:// or sqlite:///.")
    try:
        return dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    except ValueError as error:
        raise ImproperlyConfigured("DATABASE_URL cannot be read as an address.") from error


def broker_url(note: Path) -> str:
    """Return the broker's address: ``REDIS_URL``, or the one the running demo noted down."""
    url = text("REDIS_URL")
    if not url and note.exists():
        url = note.read_text(encoding="utf-8").strip()
    url = url or "redis://127.0.0.1:6379/0"
    if urlsplit(url).scheme not in {"redis", "rediss"}:
        raise ImproperlyConfigured("REDIS_URL must begin with redis:// or rediss://.")
    return url


def broker_tls(url: str) -> dict[str, Any] | None:
    """Return how ``rediss://`` is verified: always, against ``REDIS_CA_CERTS`` where it is set."""
    if urlsplit(url).scheme != "rediss":
        return None
    authorities = os.environ.get("REDIS_CA_CERTS")
    return {
        "ssl_cert_reqs": ssl.CERT_REQUIRED,
        "ssl_check_hostname": True,
        **({"ssl_ca_certs": authorities} if authorities else {}),
    }
