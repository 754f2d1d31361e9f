"""Stores a learner's attempt before anything else happens to it."""

from functools import partial

from django.db import transaction

from assessment.attempts import answers as typed_answers
from assessment.attempts import supporting
from assessment.attempts.casing import case_for
from assessment.attempts.errors import KeyReused, NoAttemptsLeft
from assessment.attempts.models import Draft, Submission
from assessment.attempts.sending import wake
from assessment.cohorts.models import Enrolment
from exercises.models import ExerciseVersion


def submit(
    *,
    enrolment: Enrolment,
    version: ExerciseVersion,
    answers: object,
    key: str | None = None,
    may_repeat: bool = False,
) -> Submission:
    """Store an attempt and wake a worker once it is committed.

    The same key returns the attempt that is stored already, and so do the same answers twice in a
    row, unless ``may_repeat``: a caller who names each attempt by a key means what a new one says.

    Raises
    ------
    UnfitAnswers, NothingWritten
        The answers do not fit the version's fields.
    KeyReused
        The key came before with other answers.
    NoAttemptsLeft
        Every attempt that counts is used.
    """
    with transaction.atomic():
        # Attempts are counted and numbered one at a time for each learner.
        Enrolment.objects.select_for_update(no_key=True).get(pk=enrolment.pk)
        if first := _stored_under(key, enrolment, version, answers):
            return first
        kept = typed_answers.clean(version.fields.all(), answers)
        case = case_for(enrolment, version)
        given, given_steps = case.shown(), supporting.given_steps(case)
        kept |= {name: {"result": text} for name, text in given_steps.items()}
        digest = typed_answers.digest(kept)
        attempts = Submission.objects.filter(enrolment=enrolment, exercise=version.exercise_id)
        latest = attempts.order_by("-number").first()
        is_known = latest and _is_the_same(latest, version=version, digest=digest, given=given)
        if latest and is_known and not may_repeat:
            return latest
        if attempts_left(enrolment, version) < 1:
            raise NoAttemptsLeft(version.attempts)
        submission = Submission.objects.create(
            enrolment=enrolment,
            exercise_id=version.exercise_id,
            version=version,
            case=case,
            number=latest.number + 1 if latest else 1,
            given=given,
            answers=kept,
            given_steps=list(given_steps),
            digest=digest,
            idempotency_key=key or None,
        )
        Draft.objects.filter(enrolment=enrolment, exercise=version.exercise_id).delete()
        transaction.on_commit(partial(wake, submission.pk), robust=True)
    return submission


def attempts_left(enrolment: Enrolment, version: ExerciseVersion) -> int:
    """Return how many attempts the learner still has at this exercise, in whatever version."""
    used = Submission.objects.filter(
        enrolment=enrolment, exercise=version.exercise_id, counts=True
    ).count()
    return max(0, version.attempts - used)


def _stored_under(
    key: str | None, enrolment: Enrolment, version: ExerciseVersion, answers: object
) -> Submission | None:
    """Return the attempt that this key stored; the exercise may have a newer version since."""
    if not key:
        return None
    attempts = Submission.objects.filter(enrolment=enrolment, exercise=version.exercise_id)
    first = attempts.filter(idempotency_key=key).select_related("version").first()
    if first is None:
        return None
    given = {name: first.answers[name] for name in first.given_steps}
    kept = typed_answers.clean(first.version.fields.all(), answers) | given
    if typed_answers.digest(kept) != first.digest:
        raise KeyReused
    return first


def _is_the_same(
    latest: Submission, *, version: ExerciseVersion, digest: str, given: dict[str, object]
) -> bool:
    return (latest.version_id, latest.digest, latest.given) == (version.pk, digest, given)
