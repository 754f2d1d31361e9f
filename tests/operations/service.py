"""The whole service as a newcomer starts it: a process of its own, a real port, its own data."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_OURS = ("DATABASE_URL", "REDIS_URL", "DEMO", "DJANGO_ALLOW_ASYNC_UNSAFE", "TEST_DATABASE_URL")


def environment(data: Path, **settings: str) -> dict[str, str]:
    """Return a newcomer's environment: nothing of these tests' own."""
    plain = {name: value for name, value in os.environ.items() if name not in _OURS}
    return {**plain, "VAR_DIR": str(data), "PYTHONUNBUFFERED": "1", **settings}


class Service:
    """One ``manage.py serve``."""

    def __init__(self, data: Path, port: int, **settings: str) -> None:
        self.data = data
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._output = data.parent / f"serve-{time.monotonic_ns()}.txt"
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(port)],
                cwd=ROOT,
                env=environment(data, **settings),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """The supervisor's process id."""
        return self._process.pid

    def said(self) -> str:
        """Return all that it printed."""
        return self._output.read_text(encoding="utf-8")

    def wait_until_it_answers(self, within: float = 120.0) -> float:
        """Wait for the line that names the address; return how many seconds that took."""
        begun = time.monotonic()
        while "runs at" not in self.said():
            assert self._process.poll() is None, f"it ended:\n{self.said()}\n{self.logs()}"
            assert time.monotonic() - begun < within, f"it never answered:\n{self.logs()}"
            time.sleep(0.1)
        return time.monotonic() - begun

    def get(self, path: str) -> str:
        """Return a page."""
        with urllib.request.urlopen(self.url + path, timeout=60) as response:  # noqa: S310 (our own address)
            text: str = response.read().decode()
            return text

    def answers(self) -> bool:
        """Whether it serves pages."""
        try:
            return "Firstbreak" in self.get("/sign-in/")
        except OSError:
            return False

    def send(self, number: signal.Signals) -> None:
        """Send the supervisor a signal."""
        self._process.send_signal(number)

    def end(self, number: signal.Signals = signal.SIGINT, within: float = 90.0) -> int:
        """Send a signal and return the exit status."""
        if self._process.poll() is None:
            self.send(number)
        return self._process.wait(timeout=within)

    def logs(self) -> str:
        """Return the end of every child's log."""
        files = sorted((self.data / "log").glob("*.log"))
        return "\n".join(f"== {f.name}\n{f.read_text(errors='replace')[-2000:]}" for f in files)

    def processes(self) -> dict[int, str]:
        """Return every living process that works on this data, by id, wherever it now belongs."""
        return processes_of(self.data)


def processes_of(data: Path) -> dict[int, str]:
    """Return the processes that were told of this data folder or log into it, by id.

    Some (gunicorn, Valkey) write a title over their environment; all of those log.
    """
    mark = f"VAR_DIR={data}".encode()
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            told = mark in (entry / "environ").read_bytes().split(b"\0")
            logs = str((entry / "fd" / "1").readlink()).startswith(f"{data}/")
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
        except OSError:  # it ended meanwhile
            continue
        if command and (told or logs):  # one that ended and waits to be collected has no command
            found[int(entry.name)] = command
    return found


def run_command(*arguments: str, data: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py`` to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(data, **settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
