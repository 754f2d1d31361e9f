import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessment.attempts import checking
from assessment.attempts.models import Check, Submission
from assessment.attempts.regrading import regrade, selection
from assessment.attempts.submitting import submit
from assessment.cohorts.models import Enrolment
from exercises.models import Exercise
from tests.factories import RIGHT, enrol, make_cohort, make_exercise, make_review

pytestmark = pytest.mark.django_db

State = Submission.State


@pytest.fixture
def exercise() -> Exercise:
    return make_exercise()


@pytest.fixture
def ada(exercise: Exercise) -> Enrolment:
    return enrol(make_cohort(exercise.session))


@pytest.fixture
def checked(exercise: Exercise, ada: Enrolment) -> Submission:
    return answer(exercise, ada)


def answer(exercise: Exercise, who: Enrolment) -> Submission:
    assert exercise.current is not None
    submission = submit(enrolment=who, version=exercise.current, answers=RIGHT)
    checking.check(submission.pk)
    submission.refresh_from_db()
    return submission


def as_an_older_engine_saw(submission: Submission, status: str = "wrong") -> None:
    """Store the verdict of an engine that judged the last step otherwise."""
    check = submission.current_check
    assert check is not None
    check.result["steps"][-1]["status"] = status
    Check.objects.filter(pk=check.pk).update(result=check.result, engine="older")


def run(*options: str) -> dict[str, Any]:
    out = StringIO()
    call_command("regrade", "--json", *options, stdout=out, stderr=StringIO())
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_tells_what_changed_and_why(checked: Submission) -> None:
    as_an_older_engine_saw(checked)

    report = run()

    assert (report["checked"], report["changed"]) == (1, 1)
    (change,) = report["changes"]
    assert change["steps"] == [{"step": "loss", "before": "wrong", "after": "right", "cause": None}]
    assert change["why"].startswith("engine older -> ")


def test_a_second_run_finds_nothing(checked: Submission) -> None:
    as_an_older_engine_saw(checked)
    run()

    assert run()["changed"] == 0
    assert checked.checks.count() == 2


def test_a_dry_run_stores_nothing(checked: Submission) -> None:
    as_an_older_engine_saw(checked)

    assert run("--dry-run")["changed"] == 1
    assert checked.checks.count() == 1
    assert run()["changed"] == 1


def test_keeps_the_check_that_was(checked: Submission) -> None:
    as_an_older_engine_saw(checked)
    old = checked.current_check

    run()

    checked.refresh_from_db()
    assert checked.current_check != old
    assert old in checked.checks.all()


def test_what_a_person_scored_stays(checked: Submission, ada: Enrolment) -> None:
    instructor = enrol(ada.cohort, role="instructor").user
    review = make_review(checked, instructor, "1", "1", "1")
    as_an_older_engine_saw(checked)

    run()

    checked.refresh_from_db()
    assert checked.state == State.REVIEWED
    assert [str(score.points) for score in review.scores.all()] == ["1.0000"] * 3
    assert checked.reviews.count() == 1


def test_what_could_not_be_checked_is_checked_once_it_can(
    checked: Submission, ada: Enrolment
) -> None:
    broken = make_exercise(checked.exercise.session, given={"logits": [2, 1, 0], "target": 7})
    lost = answer(broken, ada)
    assert lost.state == State.UNCHECKABLE

    still = run("--exercise", broken.slug)
    Submission.objects.filter(pk=lost.pk).update(given={"logits": [2, 1, 0], "target": 0})
    now = run("--exercise", broken.slug)

    lost.refresh_from_db()
    assert (still["uncheckable"], still["changed"]) == (1, 0)
    assert (now["uncheckable"], now["changed"]) == (0, 1)
    assert (lost.state, lost.reason) == (State.CHECKED, "")


def test_since_and_exercise_choose(checked: Submission) -> None:
    as_an_older_engine_saw(checked)

    assert run("--since", "2999-01-01")["checked"] == 0
    assert (
        run("--since", "2000-01-01T00:00:00Z", "--exercise", checked.exercise.slug)["checked"] == 1
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(["--exercise", "no-such"], "no exercise has the slug", id="exercise"),
        pytest.param(["--exercise", ""], "no exercise has the slug", id="no exercise"),
        pytest.param(["--since", "yesterday"], "write for example", id="time"),
        pytest.param(["--since", "2026-13-45"], "write for example", id="impossible day"),
        pytest.param(["--since", "0001-01-01T00:00:00+14:00"], "write for", id="before all time"),
        pytest.param(["--since", "9999-12-31T23:00:00-14:00"], "write for", id="after all time"),
    ],
)
def test_wrong_use_is_one_clear_line(options: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run(*options)


def test_an_interrupted_run_goes_on_where_it_stopped(
    exercise: Exercise, ada: Enrolment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assessment.attempts.regrading.BATCH", 2)
    submissions = [answer(exercise, enrol(ada.cohort)) for _each in range(5)]
    for submission in submissions:
        as_an_older_engine_saw(submission)
    next(regrade(selection()))

    assert Check.objects.count() == 5 + 2
    assert run()["changed"] == 3
