"""Makes a deployment's secrets once, into a folder; run again it changes nothing.

``python -m assessment.config.make_secrets FOLDER``: addresses of the database and the broker come
from ``DATABASE_ADDRESS`` and ``BROKER_ADDRESS`` (``host:port``), the database's name and user from
``DATABASE_NAME``.
"""

import os
import secrets
import sys
from pathlib import Path


def make(folder: Path, *, database: str, name: str, broker: str) -> list[str]:
    """Write what is missing, readable by its owner alone; return the names of the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    password = _kept(folder / "database-password")
    broker_password = _kept(folder / "broker-password")
    _kept(folder / "secret-key")
    files = {
        "database-url": f"postgresql://{name}:{password}@{database}/{name}",
        "broker-url": f"redis://:{broker_password}@{broker}/0",
        # Nothing is kept on disk: the broker only carries wake-ups.
        "broker.conf": f'requirepass {broker_password}\nsave ""\nappendonly no\n',
    }
    return [file for file, text in files.items() if _write_once(folder / file, text)]


def _kept(path: Path) -> str:
    # URL-safe, so that it stands in an address as it is.
    _write_once(path, secrets.token_urlsafe(48))
    return path.read_text(encoding="utf-8")


def _write_once(path: Path, text: str) -> bool:
    if path.exists():
        return False
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    unfinished.write_text(text, encoding="utf-8")
    unfinished.rename(path)
    return True


def main() -> int:
    """Run from the command line."""
    if len(sys.argv) != 2:  # noqa: PLR2004 (the program and the folder)
        sys.stderr.write("Usage: python -m assessment.config.make_secrets FOLDER\n")
        return 2
    try:
        make(
            Path(sys.argv[1]),
            database=os.environ.get("DATABASE_ADDRESS", "postgres:5432"),
            name=os.environ.get("DATABASE_NAME", "firstbreak"),
            broker=os.environ.get("BROKER_ADDRESS", "valkey:6379"),
        )
    except OSError as error:
        sys.stderr.write(f"Cannot write secrets to {sys.argv[1]}: {error.strerror}.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
