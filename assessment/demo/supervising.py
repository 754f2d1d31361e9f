"""Runs the whole service in front of one terminal, and ends all of it together."""

import contextlib
import fcntl
import signal
import socket
import time
from collections.abc import Callable, Iterator
from http.client import OK, HTTPConnection, HTTPException
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import NoReturn

from assessment.demo import services
from assessment.demo.processes import Child

_ANSWERS_WITHIN = 60.0
_ENDS_WITHIN = 8.0


class CannotServeError(Exception):
    """Why the service cannot start, in one line for the person at the terminal."""


def check_address(host: str, port: int) -> None:
    """Refuse an address that the demo must not, or cannot, listen on."""
    try:
        loopback = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise CannotServeError(
            f"The demo listens on this machine only (127.0.0.1), never on {host}: its first page "
            "names passwords. To serve others, see docker-compose.yml."
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen()
        except PermissionError as error:
            raise CannotServeError(f"Port {port} is for administrators: try PORT=8000.") from error
        except OSError as error:
            raise CannotServeError(
                f"Port {port} is in use, perhaps by a service that already runs: "
                f"open http://{host}:{port}/ or choose another port, as in PORT={port + 1}."
            ) from error


@contextlib.contextmanager
def sole_user_of(folder: Path) -> Iterator[None]:
    """Hold the data folder: two services on one SQLite file and one broker note would collide."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "serve.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotServeError(
                f"A service already runs on the data in {folder}: end it first, or set VAR_DIR "
                "to another folder."
            ) from error
        yield


def stop_on_signals() -> None:
    """Turn Ctrl-C, SIGTERM and a closed terminal into the same orderly end."""

    def stop(_signal: int, _frame: FrameType | None) -> NoReturn:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


@contextlib.contextmanager
def running(children: list[Child]) -> Iterator[None]:
    """Start children in order; end all of them, the first one last, whatever happens between."""
    try:
        for child in children:
            child.start()
        yield
    finally:
        end_at = time.monotonic() + _ENDS_WITHIN
        # The broker comes first and goes last: the others finish what they are at.
        for group in (children[1:], children[:1]):
            for child in group:
                child.ask_to_end()
            for child in group:
                child.end(within=end_at - time.monotonic())


def look_after(
    children: list[Child], *, host: str, port: int, announce: Callable[[], None]
) -> NoReturn:
    """Keep the children running until a signal; announce the service once it answers."""
    begun = time.monotonic()
    announced = False
    while True:
        for child in children:
            child.look_after()
        if not announced and answers(host, port):
            announced = True
            announce()
        if not announced and time.monotonic() - begun > _ANSWERS_WITHIN:
            raise CannotServeError(f"The web server does not answer: see {services.log_folder()}.")
        time.sleep(0.2)


def answers(host: str, port: int) -> bool:
    """Whether the web server answers a request."""
    request = HTTPConnection(host, port, timeout=5)
    try:
        request.request("GET", "/health/")
        return request.getresponse().status == OK
    except (OSError, HTTPException):
        return False
    finally:
        request.close()
