"""Checks what waits: one conditional update claims it, and a result lands only where one is due."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from assessment.attempts.judging import Verdict, judge
from assessment.attempts.models import Check, Submission
from exercises.models import ExerciseVersion

# A worker takes at most this many along; a batch of it takes well under a second.
BATCH: Final = 500
# A claim older than this belongs to a worker that died; if it only was slow, its result is dropped.
STALE_AFTER: Final = timedelta(seconds=30)
# An answer that ended its worker this often is parked, so that it ends no more of them.
MOST_TRIES: Final = 3
# Texts nobody can read cost no attempt, up to a number that no honest learner reaches.
MOST_FREE_ATTEMPTS: Final = 20


def check(submission_id: UUID, *, claim: UUID | None = None) -> int:
    """Check one submission and whatever waits for the same exercise; return how many were checked.

    ``claim`` is the same when the same message is delivered again: what its lost worker had claimed
    is taken up at once instead of after ``STALE_AFTER``.
    """
    version = Submission.objects.filter(pk=submission_id).values_list("version", flat=True).first()
    if version is None:
        return 0
    return check_waiting(version, first=submission_id, claim=claim)


def check_waiting(version_id: UUID, *, first: UUID, claim: UUID | None = None) -> int:
    """Check one batch of what waits for an exercise version, ``first`` among it."""
    claimed = _claim(version_id, first=first, claim=claim or uuid4())
    if not claimed:
        return 0
    worn_out = [each for each in claimed if each.tries > MOST_TRIES]
    _park(worn_out)
    fresh = [each for each in claimed if each.tries <= MOST_TRIES]
    version = ExerciseVersion.objects.select_related("exercise").get(pk=version_id)
    return record(judge(version, fresh)) if fresh else 0


def claimable(claim: UUID | None = None) -> QuerySet[Submission]:
    """Return what waits and no living worker holds, oldest first."""
    stale = timezone.now() - STALE_AFTER
    free = Q(claim=None) | Q(claimed_at__lt=stale)
    if claim:
        free |= Q(claim=claim)
    return Submission.objects.waiting().filter(free).order_by("submitted_at", "pk")


def _claim(version_id: UUID, *, first: UUID, claim: UUID) -> list[Submission]:
    """Claim a batch; what was tried before is tried alone, so that it drags nothing along."""
    free = claimable(claim).filter(version=version_id)
    if free.filter(pk=first, tries__gt=0).exists():
        wanted = [first]
    else:
        untried = free.filter(tries=0).values_list("pk", flat=True)
        mates = untried.exclude(pk=first)[: BATCH - 1]
        wanted = [*untried.filter(pk=first), *mates]
    now = timezone.now()
    free.filter(pk__in=wanted).order_by().update(claim=claim, claimed_at=now, tries=F("tries") + 1)
    held = Submission.objects.waiting().filter(pk__in=wanted, claim=claim)
    return list(held.select_related("exercise", "enrolment").order_by("pk"))


@transaction.atomic
def record(verdicts: Sequence[Verdict]) -> int:
    """Store verdicts of submissions that still wait with the answers that were judged."""
    waiting = _locked(verdict.submission for verdict in verdicts)
    due = [
        (waiting[verdict.submission.pk], verdict)
        for verdict in verdicts
        if verdict.submission.pk in waiting
        and waiting[verdict.submission.pk].digest == verdict.submission.digest
    ]
    checks = {
        submission.pk: check_of(submission, verdict)
        for submission, verdict in due
        if not verdict.reason
    }
    Check.objects.bulk_create(checks.values())
    for submission, verdict in due:
        submission.claim = submission.claimed_at = None
        submission.reason = verdict.reason
        submission.current_check = checks.get(submission.pk)
        if verdict.reason:
            submission.state, submission.counts = Submission.State.UNCHECKABLE, False
        else:
            submission.state = Submission.State.CHECKED
            submission.counts = not (verdict.is_unreadable and _may_be_free(submission))
    Submission.objects.bulk_update(
        [submission for submission, _verdict in due],
        ["claim", "claimed_at", "reason", "current_check", "state", "counts"],
    )
    return len(due)


def check_of(submission: Submission, verdict: Verdict) -> Check:
    """Return the row, not yet stored, that keeps a verdict."""
    fault = verdict.first_break
    return Check(
        submission=submission,
        digest=submission.digest,
        engine=verdict.engine,
        reference=verdict.reference,
        result=verdict.result,
        proposed=verdict.proposed,
        first_step=fault.get("step") or "",
        cause=fault.get("cause") or "",
        suggested_break=fault.get("break") or "",
    )


@transaction.atomic
def _park(worn_out: Sequence[Submission]) -> None:
    reason = (
        f"The check of this answer stopped its worker {MOST_TRIES} times before it came to an end. "
        "Read the answer and the worker's log, then run: manage.py regrade"
    )
    for submission in _locked(worn_out).values():
        submission.state, submission.counts = Submission.State.UNCHECKABLE, False
        submission.reason = reason
        submission.claim = submission.claimed_at = None
        submission.save(update_fields=["state", "counts", "reason", "claim", "claimed_at"])


def _locked(submissions: Iterable[Submission]) -> dict[UUID, Submission]:
    """Lock those that still wait, in one order for all workers."""
    keys = [submission.pk for submission in submissions]
    locked = Submission.objects.waiting().filter(pk__in=keys).select_for_update(no_key=True)
    return {submission.pk: submission for submission in locked.order_by("pk")}


def _may_be_free(submission: Submission) -> bool:
    free = Submission.objects.filter(
        enrolment=submission.enrolment_id, exercise=submission.exercise_id, counts=False
    )
    return free.exclude(pk=submission.pk).count() < MOST_FREE_ATTEMPTS
