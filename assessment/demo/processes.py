"""Child processes that never outlive the one that started them."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_LOG_LIMIT = 5_000_000
# A child that lives this long was healthy; its earlier ends are forgiven.
_HEALTHY_AFTER = 60.0
_QUICK_ENDS_ALLOWED = 5
_LONGEST_WAIT = 15.0


def end_with_parent(signal_number: int) -> Callable[[], None]:
    """Return what a child runs before its program so that it gets a signal when we are gone.

    Linux only: elsewhere a killed parent can leave children behind.
    """
    if not sys.platform.startswith("linux"):
        return lambda: None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def ask() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal_number)
        if os.getppid() != parent:  # gone between fork and prctl
            os._exit(1)

    return ask


class KeepsEndingError(Exception):
    """A child ended again and again, soon after each start."""

    def __init__(self, child: "Child", status: int) -> None:
        super().__init__(child.name, status)
        self.child = child
        self.status = status


@dataclass
class Child:
    """One long-running program, in a process group of its own, its output in a log file."""

    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    _process: subprocess.Popen[bytes] | None = None
    _started: float = 0.0
    _quick_ends: int = 0
    _start_again_at: float | None = None

    def start(self) -> None:
        """Start the program."""
        _begin_anew_when_long(self.log)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 (our own fixed commands)
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.environment},
                start_new_session=True,
                preexec_fn=end_with_parent(signal.SIGTERM),  # noqa: PLW1509 (we have one thread)
            )
        self._started = time.monotonic()
        self._start_again_at = None

    @property
    def pid(self) -> int | None:
        """The process id, once started."""
        return self._process.pid if self._process else None

    def is_running(self) -> bool:
        """Whether the program has started and not ended."""
        return self._process is not None and self._process.poll() is None

    def look_after(self) -> None:
        """Start an ended program again, after a longer wait each time, and give up in the end."""
        if self.is_running() or self._process is None:
            return
        now = time.monotonic()
        if self._start_again_at is None:
            self._kill_group()  # what a killed program left behind
            self._quick_ends = 0 if now - self._started > _HEALTHY_AFTER else self._quick_ends + 1
            if self._quick_ends > _QUICK_ENDS_ALLOWED:
                raise KeepsEndingError(self, self._process.returncode)
            wait = min(2.0 ** (self._quick_ends - 1), _LONGEST_WAIT) if self._quick_ends else 0.0
            self._start_again_at = now + wait
        if now >= self._start_again_at:
            self.start()

    def ask_to_end(self) -> None:
        """Let the program finish what it is at."""
        if self.is_running() and self._process is not None:
            self._process.terminate()

    def end(self, *, within: float) -> None:
        """Wait for the program to end; kill it, and all that it started, when it does not."""
        if self._process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=max(within, 0.0))
        self._kill_group()
        self._process.wait()

    def _kill_group(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


def _begin_anew_when_long(log: Path) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > _LOG_LIMIT:
            log.replace(log.with_suffix(".1.log"))
