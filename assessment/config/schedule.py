"""What is done again and again, and how often."""

from datetime import timedelta
from typing import Any

TASKS: dict[str, dict[str, Any]] = {
    "sweep": {
        "task": "assessment.attempts.tasks.sweep",
        "schedule": timedelta(seconds=30),
        # With no worker running, sweeps do not pile up.
        "options": {"expires": 30},
    },
    "deliver-scores": {
        "task": "assessment.grades.tasks.deliver_scores",
        "schedule": timedelta(seconds=20),
        "options": {"expires": 20},
    },
    "notice": {
        "task": "assessment.grades.tasks.notice",
        "schedule": timedelta(hours=1),
        "options": {"expires": 3600},
    },
    "forget-expired": {
        "task": "assessment.cohorts.tasks.forget_expired",
        "schedule": timedelta(hours=6),
    },
    "forget-files": {
        "task": "assessment.grades.tasks.forget_files",
        "schedule": timedelta(hours=6),
    },
    "follow-rosters": {
        "task": "assessment.grades.tasks.follow_rosters",
        "schedule": timedelta(hours=6),
    },
}
