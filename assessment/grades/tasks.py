"""Tasks of the doors for LMSs; each is harmless when it runs twice."""

import logging

from celery import shared_task

from assessment.grades.lti.rosters import read_roster
from assessment.grades.lti.services import FAILURES
from assessment.grades.models import Context, PointsFile
from assessment.grades.noticing import note_missed
from assessment.grades.outbox.collecting import collect
from assessment.grades.outbox.sending import send_due

log = logging.getLogger(__name__)


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def deliver_scores() -> None:
    """Bring the outbox up to date and send what is due."""
    collect()
    send_due()


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def notice() -> None:
    """Note changes that nobody noted when they were committed."""
    note_missed()


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def forget_files() -> None:
    """Forget files of points that were kept long enough."""
    PointsFile.objects.stale().delete()


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def follow_rosters() -> None:
    """Have every LMS's list of people read, each in a task of its own: some take their time."""
    contexts = Context.objects.filter(deployment__platform__is_active=True)
    for pk in contexts.exclude(memberships_url="").values_list("pk", flat=True):
        follow_roster.delay(str(pk))


@shared_task  # type: ignore[untyped-decorator]  # Celery ships no types
def follow_roster(context_id: str) -> None:
    """Read one list of people."""
    context = Context.objects.select_related("deployment__platform").filter(pk=context_id).first()
    if context is None:
        return
    try:
        read_roster(context)
    except FAILURES:
        log.warning("The list of people of %s was not read", context, exc_info=True)
