"""``map_people FILE``: writes the school's numbers on people, by username, from a CSV."""

import sys
from collections import Counter
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessment.grades.people.mapping import Outcome, map_people
from assessment.web.csv_files.reading import FileRefusedError, read_table


class Command(BaseCommand):
    """Map usernames to the school's numbers."""

    help = "Write SIS numbers on people from a CSV (sis_id or OneRoster's sourcedId, username)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the file, the column of the number, and the trial run."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--column", default="", help="the number's column, if it has another name"
        )
        parser.add_argument("--dry-run", action="store_true", help="report only")

    def handle(self, *args: object, **options: object) -> None:
        """Map, and report every line that was not mapped."""
        del args
        path = Path(str(options["file"]))
        try:
            table = read_table(path.read_bytes())
            lines = map_people(
                table, column=str(options["column"]), dry_run=bool(options["dry_run"])
            )
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=2) from error
        except FileRefusedError as error:
            raise CommandError(f"{path}: {error}", returncode=1) from error
        for line in lines:
            if line.outcome in {Outcome.UNKNOWN, Outcome.CONFLICT}:
                who = f"{line.username} {line.number}"
                sys.stdout.write(f"line {line.line}: {who}: {line.outcome}. {line.note}\n")
        counts = Counter(line.outcome for line in lines)
        sys.stdout.write(", ".join(f"{outcome}: {counts[outcome]}" for outcome in Outcome) + "\n")
