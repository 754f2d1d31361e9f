"""What was decided about dates and exemptions, by whom and when: Django's own log, read back.

What administrators change on their pages stands in the same log.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils.dateparse import parse_datetime

from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.grades.models import Assignment, Exemption
from exercises.models import Exercise

SHOWN = 100


@dataclass(frozen=True)
class Decision:
    """One entry: the state that was saved, or in ``other`` what an administrator's page noted."""

    at: datetime
    by: User
    exercise: Exercise
    learner: Enrolment | None = None
    assigned_at: datetime | None = None
    due_at: datetime | None = None
    lifted: bool = False
    reason: str = ""
    other: str = ""


def note(by: User, row: Assignment | Exemption, *, is_new: bool) -> None:
    """Keep the state of a row that was just saved."""
    LogEntry.objects.create(
        user=by,
        content_type=ContentType.objects.get_for_model(row),
        object_id=str(row.pk),
        object_repr=str(row)[:200],
        action_flag=ADDITION if is_new else CHANGE,
        change_message=json.dumps(_state(row)),
    )


def decisions(cohort: Cohort, exercise: Exercise | None = None) -> list[Decision]:
    """Return the latest decisions of a cohort, newest first (five queries)."""
    rows: dict[str, Assignment | Exemption] = {}
    of: dict[str, Any] = {"exercise": exercise} if exercise else {}
    for assignment in Assignment.objects.filter(cohort=cohort, **of).select_related("exercise"):
        rows[str(assignment.pk)] = assignment
    exemptions = Exemption.objects.filter(enrolment__cohort=cohort, **of)
    for exemption in exemptions.select_related("exercise", "enrolment__user"):
        rows[str(exemption.pk)] = exemption
    entries = _entries(rows)
    return [_decision(entry, rows[str(entry.object_id)]) for entry in entries]


def _entries(ids: Iterable[str]) -> Iterable[LogEntry]:
    kinds = ContentType.objects.get_for_models(Assignment, Exemption).values()
    entries = LogEntry.objects.filter(content_type__in=kinds, object_id__in=list(ids))
    return entries.select_related("user").order_by("-action_time", "-pk")[:SHOWN]


def _state(row: Assignment | Exemption) -> dict[str, Any]:
    if isinstance(row, Exemption):
        return {"lifted": row.lifted_at is not None, "reason": row.reason}
    return {
        "assigned_at": row.assigned_at.isoformat(),
        "due_at": row.due_at.isoformat() if row.due_at else "",
    }


def _decision(entry: LogEntry, row: Assignment | Exemption) -> Decision:
    by: Any = entry.user
    learner = row.enrolment if isinstance(row, Exemption) else None
    if not entry.change_message.startswith("{"):
        return Decision(
            entry.action_time, by, row.exercise, learner, other=entry.get_change_message()
        )
    state = json.loads(entry.change_message)
    return Decision(
        entry.action_time,
        by,
        row.exercise,
        learner,
        parse_datetime(state.get("assigned_at", "")),
        parse_datetime(state.get("due_at", "")),
        bool(state.get("lifted")),
        str(state.get("reason", "")),
    )
