"""``regrade``: checks stored submissions again with the present references."""

import json
from dataclasses import asdict
from datetime import UTC, datetime, time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.dateparse import parse_date, parse_datetime

from assessment.attempts.regrading import Report, regrade, selection
from exercises.models import Exercise


class Command(BaseCommand):
    """Check stored submissions again."""

    help = "Check stored submissions again; what a person scored is never touched."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what is checked, and how the report is written."""
        parser.add_argument("--exercise", metavar="SLUG", help="this exercise alone")
        parser.add_argument(
            "--since", metavar="T", help="submitted at or after this time (ISO 8601)"
        )
        parser.add_argument("--dry-run", action="store_true", help="store nothing")
        parser.add_argument("--json", action="store_true", help="print one object")

    def handle(self, *args: object, **options: Any) -> None:
        """Regrade in batches; progress goes to standard error."""
        exercise = options["exercise"]
        # An empty one, as a shell leaves of an unset variable, must not mean all.
        if exercise is not None and not Exercise.objects.filter(slug=exercise).exists():
            raise CommandError(f"no exercise has the slug {exercise!r}", returncode=2)
        chosen = selection(exercise=exercise, since=_time(options["since"]))
        total, report = chosen.count(), Report()
        try:
            for report in regrade(chosen, dry_run=options["dry_run"]):
                self.stderr.write(
                    f"{report.checked} of {total} checked, {len(report.changes)} changed"
                )
        except KeyboardInterrupt:
            self.stderr.write("interrupted: what was done stays done; run it again for the rest")
            raise SystemExit(1) from None
        finally:
            self._write(report, total, options)

    def _write(self, report: Report, total: int, options: dict[str, Any]) -> None:
        if options["json"]:
            told = asdict(report) | {
                "total": total,
                "changed": len(report.changes),
                "dry_run": options["dry_run"],
            }
            self.stdout.write(json.dumps(told, default=str))
            return
        for change in report.changes:
            steps = "; ".join(f"{s['step']}: {s['before']} -> {s['after']}" for s in change.steps)
            self.stdout.write(
                f"{change.exercise} {change.learner} attempt {change.attempt} "
                f"({change.submission}): {steps or 'no step'}; "
                f"proposed {change.proposed[0]} -> {change.proposed[1]}; {change.why}"
            )
        verb = "would change" if options["dry_run"] else "changed"
        self.stdout.write(f"{report.checked} checked, {len(report.changes)} verdicts {verb}")


def _time(text: str | None) -> datetime | None:
    """Return a moment; a day begins at midnight, and a time without a zone is UTC."""
    if text is None:
        return None
    try:
        day = parse_date(text)
        moment = datetime.combine(day, time()) if day else parse_datetime(text)
        if moment is not None:
            # Here and not in the query: near the first and the last year there is no such time.
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise CommandError(
        f"--since is {text!r}; write for example 2026-11-30 or 2026-11-30T08:00:00Z", returncode=2
    )
