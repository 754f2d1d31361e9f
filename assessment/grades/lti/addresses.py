"""Which addresses of other systems are called: TLS only, public or named, and bounded answers."""

import re
import socket
import time
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError, LocationValueError

TIMEOUT = (3.05, 10)
LONGEST_ANSWER = 30.0  # seconds, from its first byte on
LARGEST_ANSWER = 5_000_000
_PART = 64 * 1024
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
# A name or a number, and a port: nothing else can reach a header that lists hosts.
_HOST = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?",
    re.IGNORECASE | re.ASCII,
)


class AddressRefusedError(requests.exceptions.InvalidURL):
    """The address is none that this service calls."""


def is_callable(url: str) -> bool:
    """Return whether an address is https; the demo also calls its own machine without TLS."""
    if any(character.isspace() or not character.isprintable() for character in url):
        return False
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    if not host or not _HOST.fullmatch(parts.netloc):
        return False
    return parts.scheme == "https" or (
        settings.DEMO and parts.scheme == "http" and host in _LOOPBACK
    )


class PlatformSession(requests.Session):
    """Calls platforms; every redirect is held to the same rules."""

    def __init__(self) -> None:
        super().__init__()
        self.max_redirects = 3
        self.trust_env = False
        # What is not compressed cannot swell.
        self.headers.update({"User-Agent": "Firstbreak", "Accept-Encoding": "identity"})
        if settings.LTI_CA_CERTS:
            self.verify = settings.LTI_CA_CERTS
        for scheme in ("https://", "http://"):
            self.mount(scheme, _Door())


class _Door(HTTPAdapter):
    """What every call goes through, the first and each that a redirect asks for."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _HTTPPool, "https": _HTTPSPool}

    def send(
        self, request: requests.PreparedRequest, *args: Any, **kwargs: Any
    ) -> requests.Response:
        """Send with a time limit, to an address that may be called, and read a bounded answer."""
        if not is_callable(request.url or ""):
            message = f"{request.url} is not called: an LMS is reached by https."
            raise AddressRefusedError(message)
        kwargs |= {"timeout": TIMEOUT, "stream": True}
        try:
            response = super().send(request, *args, **kwargs)
        except LocationValueError as error:
            raise AddressRefusedError(str(error)) from error
        try:
            response._content = _read(response)  # noqa: SLF001 (where requests keeps what was read)
        except (HTTPError, OSError) as error:
            message = f"{response.url} broke off its answer: {error}"
            raise requests.exceptions.ConnectionError(message) from error
        finally:
            response.close()
        return response


def _read(response: requests.Response) -> bytes:
    """Return the whole answer, taken as it comes: a slow one is stopped too."""
    body = bytearray()
    deadline = time.monotonic() + LONGEST_ANSWER
    while part := response.raw.read1(_PART, decode_content=False):
        body += part
        if len(body) > LARGEST_ANSWER:
            message = f"{response.url} answered with more than {LARGEST_ANSWER} bytes."
            raise requests.exceptions.ContentDecodingError(message)
        if time.monotonic() > deadline:
            message = f"{response.url} took more than {LONGEST_ANSWER:.0f} seconds to answer."
            raise requests.exceptions.ReadTimeout(message)
    return bytes(body)


class _Connection(HTTPConnection):
    """A connection that ends before anything is said where it leads into a private network.

    The address that was reached is looked at, not the name: a name may resolve anew each time.
    """

    def _new_conn(self) -> socket.socket:
        made = super()._new_conn()
        reached = ip_address(made.getpeername()[0].partition("%")[0])
        if not _may_reach(self.host, reached):
            made.close()
            message = (
                f"{self.host} is at {reached}, which is not public: name it in LTI_LOCAL_HOSTS"
                " if that is where the LMS is."
            )
            raise LocationValueError(message)
        return made


class _TLSConnection(_Connection, HTTPSConnection):
    """The same with TLS."""


class _HTTPPool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _HTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _TLSConnection


def _may_reach(host: str, reached: IPv4Address | IPv6Address) -> bool:
    if isinstance(reached, IPv6Address) and reached.ipv4_mapped:
        reached = reached.ipv4_mapped
    named = host.strip("[]").lower() in settings.LTI_LOCAL_HOSTS
    return named or reached.is_global or (settings.DEMO and reached.is_loopback)
