"""Makes rows with plain functions; every default is the ordinary case."""

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from assessment.attempts import checking
from assessment.attempts.judging import judge
from assessment.attempts.models import Case, Submission
from assessment.cohorts.models import Client, Cohort, Enrolment, User
from assessment.cohorts.tokens import issue_token
from assessment.review.models import Review
from assessment.review.scoring import Scoring, save_review
from exercises.models import Exercise, ExerciseVersion, Session
from rubrics.models import Criterion, Rubric

_numbers = count(1)

RUBRIC = {"Traceable calculation": "5", "Prediction before variation": "2.5", "Limitation": "2.5"}
EVIDENCE = {
    "Traceable calculation": "trace",
    "Prediction before variation": "prediction",
    "Limitation": "limitation",
}
GIVEN = {"logits": [2, 1, 0], "target": 0}
RIGHT = {
    "exp": {"result": "[7.389, 2.718, 1]"},
    "sum": {"result": "11.107"},
    "softmax": {"result": "[0.665, 0.245, 0.090]"},
    "loss": {"result": "0.408"},
}
# The sum of the logits themselves: a known mistake, carried forward.
WRONG_SUM = RIGHT | {
    "sum": {"result": "3"},
    "softmax": {"result": "[2.463, 0.906, 0.333]"},
    "loss": {"result": "-0.901"},
}


def make_user(username: str = "", **fields: Any) -> User:
    """Make a person whose password is ``secret``."""
    name = username or f"person-{next(_numbers)}"
    return User.objects.create_user(username=name, password="secret", **fields)


def make_session(**fields: Any) -> Session:
    """Make a session without material."""
    number = next(_numbers)
    defaults: dict[str, Any] = {
        "slug": f"session-{number}",
        "course": "Mechanisms",
        "level": "advanced",
        "number": number,
        "title": "From a loss to a checkpoint",
        "duration_minutes": 120,
        "digest": "0" * 64,
    }
    return Session.objects.create(**defaults | fields)


def make_exercise(
    session: Session | None = None, *, rubric: Mapping[str, str] | None = None, **fields: Any
) -> Exercise:
    """Make an exercise with one version and its rubric; other fields are the version's."""
    session = session or make_session()
    number = next(_numbers)
    exercise = Exercise.objects.create(
        session=session,
        number=number,
        slug=f"{session.slug}-exercise-{number}",
        key=f"exercise-{number}",
        title="Trace the loss",
    )
    defaults: dict[str, Any] = {
        "number": 1,
        "digest": "0" * 64,
        "title": exercise.title,
        "reference": "cross_entropy",
        "given": GIVEN,
    }
    version = ExerciseVersion.objects.create(exercise=exercise, **defaults | fields)
    for position, name in enumerate(RIGHT, start=1):
        version.fields.create(position=position, name=name, kind="step", title=name)
    make_rubric(version, rubric or RUBRIC)
    exercise.current = version
    exercise.save(update_fields=["current"])
    return exercise


def make_rubric(version: ExerciseVersion, points: Mapping[str, str], *, number: int = 1) -> Rubric:
    """Make a rubric from criteria and their points."""
    total = sum((Decimal(text) for text in points.values()), Decimal(0))
    rubric = Rubric.objects.create(version=version, number=number, total=total)
    Criterion.objects.bulk_create(
        Criterion(
            rubric=rubric,
            position=position,
            title=title,
            points=Decimal(text),
            evidence=EVIDENCE.get(title, "text"),
        )
        for position, (title, text) in enumerate(points.items(), start=1)
    )
    return rubric


def make_cohort(*sessions: Session, **fields: Any) -> Cohort:
    """Make a cohort that works through these sessions."""
    number = next(_numbers)
    cohort = Cohort.objects.create(
        **{"slug": f"cohort-{number}", "name": f"Cohort {number}"} | fields
    )
    cohort.sessions.set(sessions)
    return cohort


def enrol(cohort: Cohort, user: User | None = None, role: str = "learner") -> Enrolment:
    """Give someone a place in a cohort."""
    return Enrolment.objects.create(cohort=cohort, user=user or make_user(), role=role)


def make_submission(
    enrolment: Enrolment,
    exercise: Exercise,
    *,
    answers: Mapping[str, Any] | None = None,
    state: str = Submission.State.CHECKED,
) -> Submission:
    """Make the learner's next attempt, right by default; ``checked`` means by the real engine."""
    version = exercise.current
    assert version is not None
    case, _created = Case.objects.get_or_create(
        enrolment=enrolment, version=version, defaults={"given": version.given}
    )
    attempts = Submission.objects.filter(enrolment=enrolment, exercise=exercise)
    submission = Submission.objects.create(
        enrolment=enrolment,
        exercise=exercise,
        version=version,
        case=case,
        number=attempts.count() + 1,
        given=version.given,
        answers=RIGHT if answers is None else dict(answers),
        digest="0" * 64,
        state=Submission.State.SUBMITTED if state == Submission.State.CHECKED else state,
    )
    if state == Submission.State.CHECKED:
        checking.record(judge(version, [submission]))
        submission.refresh_from_db()
    return submission


def make_review(
    submission: Submission,
    reviewer: User,
    *points: str,
    dominant_break: str = "operation",
    level: int | None = 2,
    note: str = "",
) -> Review:
    """Score a submission: points in the rubric's order, all of them by default."""
    rubric = Rubric.objects.filter(version=submission.version).order_by("-number")[:1].get()
    criteria = list(rubric.criteria.all())
    given = [Decimal(text) for text in points] or [criterion.points for criterion in criteria]
    present = Review.objects.present().filter(submission=submission).first()
    scoring = Scoring(
        points={criterion.title: found for criterion, found in zip(criteria, given, strict=False)},
        dominant_break=dominant_break,
        level=level,
        note=note,
    )
    number = present.number if present else 0
    return save_review(submission, reviewer, scoring, expected_number=number)


def make_client(*cohorts: Cohort, scopes: tuple[str, ...] = ("grades:read",)) -> Client:
    """Make an LMS's client, whose secret is ``client-secret``, bound to these cohorts."""
    client: Client = Client.objects.create(
        name=f"LMS {next(_numbers)}",
        client_type=Client.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Client.GRANT_CLIENT_CREDENTIALS,
        client_secret="client-secret",
        scopes=list(scopes),
    )
    client.cohorts.set(cohorts)
    return client


def bearer(user: User, *scopes: str, lifetime: timedelta = timedelta(hours=1)) -> dict[str, str]:
    """Return the header of a fresh token of this person."""
    return {"Authorization": f"Bearer {issue_token(user, scopes=scopes, lifetime=lifetime)}"}
