"""The tests' environment, set before Django reads its settings (pytest loads this first).

``TEST_DB=postgresql`` runs them on PostgreSQL: the one ``TEST_DATABASE_URL`` names, else one
started here. The database of every run is new, and so is the data folder of every process.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from tests.ports import free_port
from tests.postgres import Postgres

DATABASE = os.environ.get("TEST_DB", "sqlite")


def _database_url(folder: Path) -> str:
    if DATABASE == "sqlite":
        return f"sqlite:///{folder / 'db.sqlite3'}"
    if DATABASE != "postgresql":
        message = f"TEST_DB is {DATABASE!r}: write sqlite or postgresql."
        raise SystemExit(message)
    if not os.environ.get("TEST_DATABASE_URL"):
        server = Postgres()
        atexit.register(server.stop)
        server.start()
        # The other processes of this run inherit it.
        os.environ["TEST_DATABASE_URL"] = server.url
    return os.environ["TEST_DATABASE_URL"]


def _prepare() -> None:
    folder = Path(tempfile.mkdtemp(prefix="firstbreak-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in ("SECRET_KEY", "SECRET_KEY_FILE", "ALLOWED_HOSTS", "HTTPS", "PORT", "HOST"):
        os.environ.pop(name, None)
    os.environ.update(
        DEMO="1",
        VAR_DIR=str(folder),
        DATABASE_URL=_database_url(folder),
        # Nothing listens there until a test starts a broker: a broker that is down is the default.
        REDIS_URL=f"redis://127.0.0.1:{free_port()}/0",
        # Playwright's loop runs in the thread of the tests.
        DJANGO_ALLOW_ASYNC_UNSAFE="1",
    )


_prepare()
