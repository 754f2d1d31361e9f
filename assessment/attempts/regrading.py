"""Checks stored answers again with the present references; a person's points stay as they are."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from assessment.attempts.checking import check_of
from assessment.attempts.judging import Verdict, judge
from assessment.attempts.models import Check, Submission
from exercises.models import ExerciseVersion

BATCH = 500
_UNCHECKED = "could not be checked"


@dataclass(frozen=True)
class Change:
    """One verdict that is no longer what it was, and why."""

    submission: UUID
    exercise: str
    learner: str
    attempt: int
    state: str
    steps: list[dict[str, Any]]
    score: list[float | None]
    proposed: list[str | None]
    why: str


@dataclass
class Report:
    """What a run found so far."""

    checked: int = 0
    uncheckable: int = 0
    changes: list[Change] = field(default_factory=list)


def selection(
    *, exercise: str | None = None, since: datetime | None = None
) -> QuerySet[Submission]:
    """Return what is checked again: all that was checked, or could not be, by exercise."""
    found = Submission.objects.exclude(state=Submission.State.SUBMITTED)
    if exercise:
        found = found.filter(exercise__slug=exercise)
    if since:
        found = found.filter(submitted_at__gte=since)
    return found.order_by("version", "pk")


def regrade(chosen: QuerySet[Submission], *, dry_run: bool = False) -> Iterator[Report]:
    """Check the chosen submissions again, a batch at a time; yield the report after each batch.

    Every batch is a transaction of its own: a run that is interrupted keeps what it did, and the
    next one finds nothing to change there.
    """
    report = Report()
    versions = chosen.order_by().values_list("version", flat=True).distinct()
    for version in ExerciseVersion.objects.filter(pk__in=versions).select_related("exercise"):
        keys = iter(list(chosen.filter(version=version).values_list("pk", flat=True)))
        while batch := list(islice(keys, BATCH)):
            _regrade_batch(version, batch, report, dry_run=dry_run)
            yield report


def _regrade_batch(
    version: ExerciseVersion, keys: list[UUID], report: Report, *, dry_run: bool
) -> None:
    rows = Submission.objects.filter(pk__in=keys).select_related(
        "current_check", "exercise", "enrolment__user"
    )
    submissions = list(rows.order_by("pk"))
    for verdict in judge(version, submissions):
        report.checked += 1
        if verdict.reason:
            report.uncheckable += 1
            if not dry_run:
                _note_reason(verdict)
            continue
        change = _change(verdict)
        if change and (dry_run or _store(verdict)):
            report.changes.append(change)


def _note_reason(verdict: Verdict) -> None:
    """Say why it still cannot be checked; a check that holds from before goes on holding."""
    waiting = Submission.objects.filter(
        pk=verdict.submission.pk, state=Submission.State.UNCHECKABLE
    )
    waiting.update(reason=verdict.reason)


@transaction.atomic
def _store(verdict: Verdict) -> bool:
    """Write the new verdict unless a newer check arrived meanwhile; return whether it was."""
    judged = verdict.submission
    locked = Submission.objects.select_for_update(no_key=True).get(pk=judged.pk)
    if locked.current_check_id != judged.current_check_id or locked.digest != judged.digest:
        return False
    check = check_of(locked, verdict)
    check.save()
    locked.current_check = check
    if locked.state == Submission.State.UNCHECKABLE:
        locked.state, locked.reason = Submission.State.CHECKED, ""
    if verdict.is_unreadable:
        # Never the other way: nobody loses an attempt by a regrade.
        locked.counts = False
    locked.save(update_fields=["current_check", "state", "reason", "counts"])
    return True


def _change(verdict: Verdict) -> Change | None:
    """Return what is different from the check that holds, or nothing."""
    before = verdict.submission.current_check
    if before is None:
        return _told(verdict, None, steps=_steps({}, verdict.result), why=f"it {_UNCHECKED} before")
    if before.result == verdict.result and before.proposed == verdict.proposed:
        return None
    steps = _steps(before.result, verdict.result)
    return _told(verdict, before, steps=steps, why=_why(before, verdict))


def _told(
    verdict: Verdict, before: Check | None, *, steps: list[dict[str, Any]], why: str
) -> Change:
    submission = verdict.submission
    return Change(
        submission=submission.pk,
        exercise=submission.exercise.slug,
        learner=submission.enrolment.user.username,
        attempt=submission.number,
        state=submission.state,
        steps=steps,
        score=[before.result.get("score") if before else None, verdict.result.get("score")],
        proposed=[
            before.proposed.get("total") if before else None,
            verdict.proposed.get("total"),
        ],
        why=why,
    )


def _steps(before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the steps whose status or cause is another one now."""
    old = {step["name"]: step for step in before.get("steps", [])}
    return [
        {
            "step": step["name"],
            "before": old.get(step["name"], {}).get("status"),
            "after": step["status"],
            "cause": step.get("cause"),
        }
        for step in after.get("steps", [])
        if any(old.get(step["name"], {}).get(key) != step.get(key) for key in ("status", "cause"))
    ]


def _why(before: Check, verdict: Verdict) -> str:
    moved = [
        f"{name} {old or '(none)'} -> {new or '(none)'}"
        for name, old, new in (
            ("engine", before.engine, verdict.engine),
            ("reference", before.reference, verdict.reference),
        )
        if old != new
    ]
    return "; ".join(moved) or "the rubric, the fields or the stored check are not what they were"
