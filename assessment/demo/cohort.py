"""The demo cohort: one group in the middle of its session, with work of every kind.

Everything is stored by the verbs that learners' and reviewers' pages call; only the clock is moved
back, so that the group has a past.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from django.db import transaction
from django.utils import timezone

from assessment.attempts import checking
from assessment.attempts.casing import case_for
from assessment.attempts.models import Prediction, Submission
from assessment.attempts.predicting import predict
from assessment.attempts.submitting import submit
from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.demo import chains, people, sentences
from assessment.demo.work import WORK, Attempt
from assessment.review.releasing import release
from assessment.review.scoring import Scoring, rubric_of, save_review
from exercises import references
from exercises.models import ExerciseVersion, Field, Session

SLUG = "demo"
# What words of that quality earn of a criterion.
_SHARE = {
    sentences.THOROUGH: Decimal(1),
    sentences.PARTIAL: Decimal("0.5"),
    sentences.BARE: Decimal(0),
}
_FIRST_WORK = timedelta(days=2, hours=5)
_BETWEEN = timedelta(minutes=37)


@transaction.atomic
def make() -> Cohort:
    """Make the cohort, its people and their work; all or nothing."""
    cohort = Cohort.objects.create(slug=SLUG, name="Autumn group", time_zone="Europe/Paris")
    cohort.sessions.set(Session.objects.all())
    people.enrol(cohort)
    session = cohort.sessions.order_by("number").first()
    if session is not None:
        _answer(cohort, session)
    return cohort


def _answer(cohort: Cohort, session: Session) -> None:
    versions = {
        exercise.number: exercise.current
        for exercise in session.exercises.select_related("current")
        if exercise.current
    }
    places = {
        place.user.username: place
        for place in Enrolment.objects.filter(cohort=cohort).select_related("user", "cohort")
    }
    moment = timezone.now() - _FIRST_WORK
    stored: list[tuple[Attempt, Submission]] = []
    for username, attempts in WORK.items():
        for attempt in attempts:
            if version := versions.get(attempt.exercise):
                moment += _BETWEEN
                stored.append((attempt, _submit(places[username], version, attempt, at=moment)))
    for submission in {each.version_id: each for _, each in stored}.values():
        checking.check(submission.pk)
    _review(stored, assistant=places["emil"].user, instructor=places["sofia"].user)


def _submit(
    place: Enrolment, version: ExerciseVersion, attempt: Attempt, *, at: datetime
) -> Submission:
    case = case_for(place, version)
    if case.needs_prediction:
        direction = Prediction.Direction(attempt.predicts)
        predict(case=case, direction=direction, reason=sentences.REASONS[attempt.predicts])
        Prediction.objects.filter(case=case).update(created_at=at - timedelta(minutes=20))
    answers: dict[str, object] = dict(_words(version, attempt.quality))
    if version.reference:
        reference = references.get(version.reference)
        answers |= chains.work(reference, case.shown(), attempt.manner)
    submission = submit(enrolment=place, version=version, answers=answers)
    Submission.objects.filter(pk=submission.pk).update(submitted_at=at)
    return submission


def _words(version: ExerciseVersion, quality: int) -> Iterator[tuple[str, str]]:
    for field in version.fields.all():
        if field.kind == Field.Kind.CHOICE and field.options:
            yield field.name, list(field.options)[quality % len(field.options)]
        elif field.kind == Field.Kind.TEXT and field.name in sentences.BY_FIELD:
            yield field.name, sentences.BY_FIELD[field.name][quality][: field.max_length]


def _review(stored: list[tuple[Attempt, Submission]], *, assistant: User, instructor: User) -> None:
    checked = Submission.objects.select_related("current_check", "enrolment__cohort", "exercise")
    fresh = checked.in_bulk([submission.pk for _, submission in stored])
    to_release = []
    for number, (attempt, submission) in enumerate(stored):
        if attempt.tag is None:
            continue
        found = fresh[submission.pk]
        reviewer = assistant if number % 3 == 0 else instructor
        save_review(found, reviewer, _scoring(found, attempt), expected_number=0)
        if attempt.released:
            to_release.append(found)
    release(to_release, instructor)


def _scoring(submission: Submission, attempt: Attempt) -> Scoring:
    """Take proposed points where the engine has some, and judge the words by their quality."""
    check = submission.current_check
    proposed = check.proposed.get("criteria", {}) if check else {}
    points: dict[str, Decimal | None] = {}
    for criterion in rubric_of(submission).criteria.all():
        known = proposed.get(criterion.title, {}).get("points")
        share = criterion.points * _SHARE[attempt.quality]
        points[criterion.title] = (
            Decimal(known) if known is not None else share.quantize(Decimal("0.5"), ROUND_HALF_UP)
        )
    return Scoring(
        points=points,
        dominant_break=attempt.tag or "",
        level=attempt.level,
        note=sentences.NOTES.get(attempt.tag or "", ""),
        check_seen=check.pk if check else None,
    )
