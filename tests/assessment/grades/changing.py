"""Releases, takes back and releases again, in processes of their own, as fast as they are told."""

import json
import random
import sys
import time
from uuid import UUID

from django.core.management import call_command
from django.db import transaction

from assessment.attempts.models import Submission
from assessment.cohorts.models import User
from assessment.grades.oneroster import scopes
from assessment.review.errors import ReviewError
from assessment.review.models import Grade
from assessment.review.releasing import release, withdraw
from tests.factories import (
    enrol,
    make_client,
    make_cohort,
    make_exercise,
    make_review,
    make_submission,
)

_INSTRUCTOR = "soak-instructor"
_SLOWEST = 0.3
_SCOPES = ("grades:read", scopes.GRADEBOOK)


def prepare(learners: int) -> None:
    """Make two cohorts with reviewed work and an LMS that reads both; print its name."""
    call_command("migrate", verbosity=0)
    exercise = make_exercise()
    cohorts = [make_cohort(exercise.session) for _ in range(2)]
    instructor = User.objects.create(username=_INSTRUCTOR)
    for cohort in cohorts:
        enrol(cohort, instructor, role="instructor")
    for number in range(learners):
        # Nobody signs in, and a password's hash is slow by design.
        learner = User.objects.create(username=f"learner-{number}")
        submission = make_submission(enrol(cohorts[number % 2], learner), exercise)
        make_review(submission, instructor, "4.5", "2", "0.5")
    sys.stdout.write(f"{json.dumps(make_client(*cohorts, scopes=_SCOPES).client_id)}\n")


def change(seed: int, until: float, pause: float) -> None:
    """Change grades at random until a time; print how many changes there were, by kind."""
    chance = random.Random(seed)
    by = User.objects.get(username=_INSTRUCTOR)
    submissions = list(Submission.objects.values_list("pk", flat=True))
    done = dict.fromkeys(("released", "withdrawn", "scored anew", "rolled back", "refused"), 0)
    while time.time() < until:
        what = chance.choices(sorted(_KINDS), [_KINDS[kind] for kind in sorted(_KINDS)])[0]
        try:
            for kind, count in _change(what, chance, by, submissions).items():
                done[kind] += count
        except ReviewError:  # another writer was faster
            done["refused"] += 1
        time.sleep(pause * chance.uniform(0.5, 1.5))
    sys.stdout.write(f"{json.dumps(done)}\n")


_KINDS = {
    "release": 30,
    "release several": 10,
    "release slowly": 1,
    "roll back": 1,
    "withdraw": 50,
}


def _change(what: str, chance: random.Random, by: User, submissions: list[UUID]) -> dict[str, int]:
    if what == "withdraw":
        grades = list(Grade.objects.released().values_list("pk", flat=True))
        if not grades:
            return {}
        withdraw(Grade.objects.get(pk=chance.choice(grades)), by)
        return {"withdrawn": 1}
    several = chance.randint(2, 12) if what == "release several" else 1
    chosen = list(Submission.objects.filter(pk__in=chance.sample(submissions, several)))
    scored = _score_anew(chosen[0], chance, by) if chance.random() < 0.5 else 0
    with transaction.atomic():
        released = len(release(chosen, by))
        if what in {"release slowly", "roll back"}:
            time.sleep(chance.uniform(0, _SLOWEST))  # it commits late, or never
        if what == "roll back":
            transaction.set_rollback(True)
            return {"rolled back": 1, "scored anew": scored}
    return {"released": released, "scored anew": scored}


def _score_anew(submission: Submission, chance: random.Random, by: User) -> int:
    if submission.state == Submission.State.RELEASED:
        return 0
    make_review(submission, by, f"{chance.randint(0, 10) / 2}", "2", "0.5")
    return 1
