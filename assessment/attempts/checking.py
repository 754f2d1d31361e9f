"""Checks what waits: one conditional update claims it, and a result lands only where one is due."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
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


@transaction.atomic
def _claim(version_id: UUID, *, first: UUID, claim: UUID) -> list[Submission]:
    """Claim a batch; what was tried before is tried alone, so that it drags nothing along."""
    free = claimable(claim).filter(version=version_id)
    # Where rows can be locked one by one, workers at the same queue take disjoint batches.
    unlocked = free.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True)
    wanted = list(unlocked.filter(pk=first))
    if not free.filter(pk=first, tries__gt=0).exists():
        wanted += unlocked.filter(tries=0).exclude(pk=first)[: BATCH - 1]
    now = timezone.now()
    free.filter(pk__in=wanted).order_by().update(claim=claim, claimed_at=now, tries=F("tries") + 1)
    held = Submission.objects.waiting().filter(pk__in=wanted, claim=claim)
    return list(held.select_related("exercise", "enrolment").order_by("pk"))


@transaction.atomic
def record(verdicts: Sequence[Verdict]) -> int:
    """Store verdicts of submissions that still wait with the answers that were judged."""
    waiting = _locked(verdict.submission for verdict in verdicts)
    due = [
        verdict
        for verdict in verdicts
        if verdict.submission.pk in waiting
        and waiting[verdict.submission.pk] == verdict.submission.digest
    ]
    found = [verdict for verdict in due if not verdict.reason]
    Check.objects.bulk_create(check_of(verdict.submission, verdict) for verdict in found)
    newest = Check.objects.filter(submission=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    # A batch is a handful of statements, however many rows it has; ids begin with the time.
    _of(found).update(
        state=Submission.State.CHECKED,
        reason="",
        claim=None,
        claimed_at=None,
        current_check=Subquery(newest),
    )
    unreadable = [verdict for verdict in found if verdict.is_unreadable]
    _of(each for each in unreadable if _may_be_free(each.submission)).update(counts=False)
    for verdict in due:
        if verdict.reason:
            _give_up([verdict.submission.pk], verdict.reason)
    return len(due)


def _of(verdicts: Iterable[Verdict]) -> QuerySet[Submission]:
    return Submission.objects.filter(pk__in=[verdict.submission.pk for verdict in verdicts])


def _give_up(keys: Iterable[UUID], reason: str) -> None:
    Submission.objects.filter(pk__in=list(keys)).update(
        state=Submission.State.UNCHECKABLE,
        counts=False,
        reason=reason,
        claim=None,
        claimed_at=None,
    )


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
    _give_up(_locked(worn_out), reason)


def _locked(submissions: Iterable[Submission]) -> dict[UUID, str]:
    """Lock those that still wait, in one order for all workers; return their digests."""
    keys = [submission.pk for submission in submissions]
    locked = Submission.objects.waiting().filter(pk__in=keys).select_for_update(no_key=True)
    return dict(locked.order_by("pk").values_list("pk", "digest"))


def _may_be_free(submission: Submission) -> bool:
    free = Submission.objects.filter(
        enrolment=submission.enrolment_id, exercise=submission.exercise_id, counts=False
    )
    return free.exclude(pk=submission.pk).count() < MOST_FREE_ATTEMPTS
