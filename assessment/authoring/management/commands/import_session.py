"""``import_session DIR``: reads a session's documents into the database."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from assessment.authoring.importing import Imported, ImportRefusedError, import_package
from exercises.documents.package import Package, read_package
from exercises.documents.text import DocumentError


class Command(BaseCommand):
    """Read a teacher guide, slides and exercises into the database, all or nothing."""

    help = "Read a session's teacher guide, slides and exercises into the database."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the folder, the file of bindings and the manner of reporting."""
        parser.add_argument("folder", metavar="DIR", type=Path)
        parser.add_argument("--checks", metavar="FILE", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="store nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: object, **options: Any) -> None:
        """Import, and report; a document that cannot be read says which line of which file."""
        folder: Path = options["folder"]
        checks: Path | None = options["checks"]
        if not folder.is_dir():
            raise CommandError(f"{folder} is no folder", returncode=2)
        if checks is not None and not checks.is_file():
            raise CommandError(f"{checks} is no file", returncode=2)
        try:
            package = read_package(folder, checks)
            imported = import_package(package, dry_run=options["dry_run"])
        except (DocumentError, ImportRefusedError) as error:
            raise CommandError(f"{error} (nothing was stored)", returncode=1) from error
        except DatabaseError as error:
            reason = str(error).strip().splitlines()[0]
            raise CommandError(
                f"the database refused: {reason} (nothing was stored)", returncode=1
            ) from error
        if options["json"]:
            report = _report(package, imported)
            sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
        elif options["verbosity"]:
            for line in _lines(package, imported, is_dry=options["dry_run"]):
                sys.stdout.write(line + "\n")


def _report(package: Package, imported: Imported) -> dict[str, object]:
    return {
        "session": {
            "number": imported.session.number,
            "title": imported.session.title,
            "created": imported.is_new,
            "changed": imported.is_changed,
        },
        "counts": package.counts(),
        "warnings": list(package.warnings),
    }


def _lines(package: Package, imported: Imported, *, is_dry: bool) -> list[str]:
    if imported.is_new:
        done = "would be stored" if is_dry else "stored"
    elif imported.is_changed:
        done = "would be changed" if is_dry else "changed"
    else:
        done = "unchanged: the documents are the ones already stored"
    lines = [f"{imported.session}: {done}"]
    lines += [f"  {name}: {count}" for name, count in package.counts().items()]
    lines += [f"  new version: {slug}" for slug in imported.changed_exercises]
    return lines + [f"  warning: {warning}" for warning in package.warnings]
