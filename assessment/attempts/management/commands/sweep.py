"""``sweep``: dispatches again every submission still waiting for a check."""

from django.core.management.base import BaseCommand

from assessment.attempts import sweeping
from assessment.attempts.models import Submission


class Command(BaseCommand):
    """Send again what waits for a check."""

    help = "Dispatch again every submission still waiting for a check; beat does it every 30 s."

    def handle(self, *args: object, **options: object) -> None:
        """Sweep, and say how many were sent and how many wait in all."""
        dispatched = sweeping.sweep()
        waiting = Submission.objects.waiting().count()
        self.stdout.write(f"{dispatched} dispatched, {waiting} waiting")
