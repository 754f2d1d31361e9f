"""Which addresses of other systems are called: TLS only, bounded in time and size."""

from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings

TIMEOUT = (3.05, 10)
LARGEST_ANSWER = 5_000_000
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class AddressRefusedError(requests.exceptions.InvalidURL):
    """The address is none that this service calls."""


def is_callable(url: str) -> bool:
    """Return whether an address is https; the demo also calls its own machine without TLS."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        return bool(parts.hostname)
    return settings.DEMO and parts.scheme == "http" and parts.hostname in _LOOPBACK


class PlatformSession(requests.Session):
    """Calls platforms; every redirect is held to the same rule."""

    def __init__(self) -> None:
        super().__init__()
        self.max_redirects = 3
        self.trust_env = False
        self.headers["User-Agent"] = "Firstbreak"

    def send(self, request: requests.PreparedRequest, **kwargs: Any) -> requests.Response:
        """Send with a time limit, to an address that may be called, and read a bounded answer."""
        if not is_callable(request.url or ""):
            message = f"{request.url} is not called: an LMS is reached by https."
            raise AddressRefusedError(message)
        kwargs |= {"timeout": TIMEOUT, "stream": True}
        response = super().send(request, **kwargs)
        if not response.is_redirect:
            _read(response)
        return response


def _read(response: requests.Response) -> None:
    body = bytearray()
    for part in response.iter_content(64 * 1024):
        body += part
        if len(body) > LARGEST_ANSWER:
            response.close()
            message = f"{response.url} answered with more than {LARGEST_ANSWER} bytes."
            raise requests.exceptions.ContentDecodingError(message)
    response._content = bytes(body)  # noqa: SLF001 (where requests keeps what was read)
