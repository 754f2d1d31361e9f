"""Reads which server sends e-mail, failing loudly on a bad value."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

from assessment.config import environment

# The scheme says how the connection is kept private, and which port is the usual one.
_PORTS: Final = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
_EXAMPLE: Final = "smtp+starttls://user:password@mail.example.org:587"


@dataclass(frozen=True, slots=True)
class MailServer:
    """The server that takes our e-mails, and whom they come from."""

    host: str
    port: int
    user: str
    password: str
    starttls: bool
    tls: bool
    sender: str


def mail_server() -> MailServer | None:
    """Return the server that ``EMAIL_URL`` names; ``None`` where there is none."""
    url = environment.text("EMAIL_URL")
    if not url:
        return None
    # No message repeats the address: there is a password in it.
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"EMAIL_URL cannot be read: write {_EXAMPLE}") from error
    if parts.scheme not in _PORTS:
        raise ImproperlyConfigured(
            "EMAIL_URL must begin with smtp+starttls://, smtps:// or, inside one machine, smtp://."
        )
    if not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise ImproperlyConfigured(f"EMAIL_URL names no server, or more than one: write {_EXAMPLE}")
    return MailServer(
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp+starttls",
        tls=parts.scheme == "smtps",
        sender=_sender(),
    )


def _sender() -> str:
    sender = environment.required(
        "EMAIL_FROM", "the address that e-mails come from (EMAIL_URL is set)"
    )
    try:
        validate_email(sender)
    except ValidationError as error:
        raise ImproperlyConfigured(f"EMAIL_FROM is {sender!r}: write one address.") from error
    return sender
