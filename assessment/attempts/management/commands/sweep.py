"""``sweep``: dispatches again every submission still waiting for a check."""

from django.core.management.base import BaseCommand, CommandError

from assessment.attempts import sweeping
from assessment.attempts.checking import claimable
from assessment.attempts.models import Submission


class Command(BaseCommand):
    """Send again what waits for a check."""

    help = "Dispatch again every submission still waiting for a check; beat does it every 30 s."

    def handle(self, *args: object, **options: object) -> None:
        """Sweep, and say how many were sent and how many wait in all."""
        due = claimable().exists()
        dispatched = sweeping.sweep()
        waiting = Submission.objects.waiting().count()
        if due and not dispatched:
            raise CommandError(
                f"the broker does not answer; {waiting} submissions go on waiting", returncode=1
            )
        self.stdout.write(f"{dispatched} dispatched, {waiting} waiting")
