"""One web process as the service runs it, behind a real socket, and what it takes."""

import http.client
import resource
import secrets
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from assessment.demo import services
from assessment.demo.processes import Child
from tests.ports import free_port

SERVICE = "assessment.config.wsgi:application"
BARE = "tests.benchmarks.bare:application"
_READY_WITHIN = 30.0
_PIECE = 65536
# The server closes a connection on which nothing comes for two seconds.
_IDLE = 1.0


def production(folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a service in production, its data in a folder."""
    return {
        "DEMO": "0",
        "HTTPS": "0",  # the proxy's part is left out
        "SECRET_KEY": secrets.token_urlsafe(64),
        "ALLOWED_HOSTS": services.LOOPBACK,
        "VAR_DIR": str(folder),
        "STATIC_ROOT": str(folder),
        "DJANGO_SETTINGS_MODULE": "assessment.config.settings",
        # Calls are counted as ever, and allowed.
        "API_CALLS_PER_MINUTE": "1000000000",
        **settings,
    }


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, the seconds until its first byte, and until its last."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    first: float
    seconds: float


class Web(AbstractContextManager["Web"]):
    """Gunicorn with one process, as ``serve`` starts it."""

    def __init__(
        self, environment: Mapping[str, str], folder: Path, application: str = SERVICE
    ) -> None:
        self.port = free_port()
        command = [
            application if each == SERVICE else each
            for each in services.web(services.LOOPBACK, self.port).command
        ]
        log = folder / f"web-{self.port}.log"
        self._child = Child("the web server", command, log, environment)

    def __enter__(self) -> "Web":
        self._child.start()
        end = time.monotonic() + _READY_WITHIN
        while True:
            try:
                Caller(self.port).get("/health/")
            except OSError as error:
                if time.monotonic() > end or not self._child.is_running():
                    self._child.end(within=0)
                    said = self._child.log.read_text(errors="replace")
                    raise RuntimeError(f"No web server:\n{said}") from error
                time.sleep(0.05)
            else:
                return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._child.ask_to_end()
        self._child.end(within=10)

    @property
    def process(self) -> "Process":
        """The process that answers."""
        master = self._child.pid
        children = Path(f"/proc/{master}/task/{master}/children").read_text(encoding="ascii")
        (worker,) = children.split()
        return Process(int(worker))

    def said(self) -> str:
        """Return its log."""
        return self._child.log.read_text(errors="replace")


class Caller:
    """One connection that is kept, as clients keep theirs."""

    def __init__(self, port: int, headers: Mapping[str, str] | None = None) -> None:
        self._connection = http.client.HTTPConnection(services.LOOPBACK, port, timeout=120)
        self._headers = dict(headers or {})
        self._used = 0.0

    def get(self, path: str) -> Answer:
        """Ask for an address and read the whole answer."""
        return self.call("GET", path)

    def call(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Send a request and read the whole answer."""
        if time.monotonic() - self._used > _IDLE:
            self._connection.close()
        began = time.perf_counter()
        self._connection.request(method, path, body, self._headers | headers)
        response = self._connection.getresponse()
        pieces = [response.read1(1)]
        first = time.perf_counter() - began
        while piece := response.read(_PIECE):
            pieces.append(piece)
        seconds = time.perf_counter() - began
        self._used = time.monotonic()
        return Answer(
            response.status, dict(response.getheaders()), b"".join(pieces), first, seconds
        )


class Process:
    """What a process has taken, as Linux tells it."""

    def __init__(self, pid: int) -> None:
        self._folder = Path(f"/proc/{pid}")

    def seconds(self) -> float:
        """Return the processor time of all its threads so far."""
        spent = 0
        for entry in self._folder.glob("task/*/schedstat"):
            spent += int(entry.read_text(encoding="ascii").split()[0])
        return spent / 1e9

    def held(self) -> float:
        """Return the memory that it holds now, in MiB."""
        pages = int((self._folder / "statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() / 2**20

    def peak(self) -> float:
        """Return the most memory that it has held since ``forget_peak``, in MiB."""
        lines = (self._folder / "status").read_text(encoding="ascii").splitlines()
        (line,) = (line for line in lines if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024

    def forget_peak(self) -> None:
        """Begin a new peak."""
        (self._folder / "clear_refs").write_text("5", encoding="ascii")
