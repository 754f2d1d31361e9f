from datetime import timedelta
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from assessment.attempts import checking
from assessment.attempts.casing import case_for
from assessment.attempts.models import Prediction, Submission
from assessment.attempts.predicting import predict
from assessment.attempts.submitting import submit
from assessment.cohorts.models import Enrolment
from exercises.models import Exercise
from tests.factories import RIGHT, enrol, make_cohort, make_exercise

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def exercise() -> Exercise:
    return make_exercise()


@pytest.fixture
def ada(exercise: Exercise) -> Enrolment:
    return enrol(make_cohort(exercise.session, time_zone="Asia/Tokyo"))


@pytest.fixture
def learner(client: Client, ada: Enrolment) -> Client:
    client.force_login(ada.user)
    return client


def answer(exercise: Exercise, who: Enrolment, **changed: str) -> Submission:
    assert exercise.current is not None
    typed = RIGHT | {name: {"result": text} for name, text in changed.items()}
    return submit(enrolment=who, version=exercise.current, answers=typed)


def checked(submission: Submission) -> Submission:
    checking.check(submission.pk)
    submission.refresh_from_db()
    return submission


def test_waits_with_the_receipt_and_asks_again(
    learner: Client, exercise: Exercise, ada: Enrolment
) -> None:
    submission = answer(exercise, ada)

    page = learner.get(submission.get_absolute_url()).content.decode()
    poll = learner.get(submission.get_absolute_url(), headers=HTMX)

    assert 'hx-trigger="every 400ms"' in page
    assert submission.digest[:16] in page
    assert "JST" in page
    assert poll.status_code == HTTPStatus.NO_CONTENT


def test_asks_less_often_when_the_check_is_late(
    learner: Client, exercise: Exercise, ada: Enrolment
) -> None:
    submission = answer(exercise, ada)
    late = timezone.now() - timedelta(minutes=1)
    Submission.objects.filter(pk=submission.pk).update(submitted_at=late)

    poll = learner.get(submission.get_absolute_url(), headers=HTMX).content.decode()

    assert 'hx-trigger="every 5s"' in poll
    assert "Nothing is lost" in poll


def test_the_fragment_stops_asking_and_announces_the_break_once(
    learner: Client, exercise: Exercise, ada: Enrolment
) -> None:
    submission = checked(answer(exercise, ada, sum="3", loss="1.0"))

    poll = learner.get(submission.get_absolute_url(), headers=HTMX).content.decode()

    assert "hx-trigger" not in poll
    assert "The chain first breaks at: sum" in poll
    assert "the logits were summed" in poll
    assert poll.count("Checked. The chain first breaks at: sum") == 1
    assert "11.107" not in poll
    assert "<html" not in poll


def test_a_chain_that_holds_says_so(learner: Client, exercise: Exercise, ada: Enrolment) -> None:
    submission = checked(answer(exercise, ada))

    assert "The chain holds" in learner.get(submission.get_absolute_url()).content.decode()


def test_lists_what_a_reader_still_misses(
    learner: Client, exercise: Exercise, ada: Enrolment
) -> None:
    submission = checked(answer(exercise, ada))

    page = learner.get(submission.get_absolute_url()).content.decode()

    assert "A reader still misses" in page
    assert "<li>transformation</li>" in page


def test_unreadable_text_costs_none_and_says_so(
    learner: Client, exercise: Exercise, ada: Enrolment
) -> None:
    submission = checked(answer(exercise, ada, loss="1,234"))

    page = learner.get(submission.get_absolute_url()).content.decode()

    assert "this attempt costs none" in page
    assert "3 of 3 attempts left" in page


def test_feedback_that_waits_says_nothing_of_the_findings(
    learner: Client, exercise: Exercise, ada: Enrolment
) -> None:
    later = make_exercise(exercise.session, feedback="at_release")
    submission = checked(answer(later, ada, sum="3"))

    page = learner.get(submission.get_absolute_url()).content.decode()

    assert "Feedback on this exercise comes later" in page
    assert "breaks at" not in page
    assert "summed" not in page


def test_what_could_not_be_checked_tells_each_their_own(
    learner: Client, exercise: Exercise, ada: Enrolment
) -> None:
    broken = make_exercise(exercise.session, given={"logits": [2, 1, 0], "target": 7})
    submission = checked(answer(broken, ada))
    staff = Client()
    staff.force_login(enrol(ada.cohort, role="assistant").user)

    own = learner.get(submission.get_absolute_url()).content.decode()
    theirs = staff.get(submission.get_absolute_url()).content.decode()

    assert "costs no attempt" in own
    assert "class index" not in own
    assert "class index" in theirs
    assert f"/review/{submission.pk}/" in theirs


@pytest.mark.parametrize("who", ["learner", "other cohort's learner", "other cohort's instructor"])
def test_strangers_get_a_404(client: Client, exercise: Exercise, ada: Enrolment, who: str) -> None:
    submission = answer(exercise, ada)
    cohort = ada.cohort if who == "learner" else make_cohort(exercise.session)
    role = "instructor" if "instructor" in who else "learner"
    client.force_login(enrol(cohort, role=role).user)

    assert client.get(submission.get_absolute_url()).status_code == HTTPStatus.NOT_FOUND


def test_typed_markup_stays_text(learner: Client, exercise: Exercise, ada: Enrolment) -> None:
    submission = checked(answer(exercise, ada, loss="<script>alert(1)</script>"))

    page = learner.get(submission.get_absolute_url()).content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


RIGHT_OF_VARIATION = {
    "exp": "[11.023; 2.718; 1]",
    "sum": "14.741",
    "softmax": "[0.7478; 0.1844; 0.0678]",
}


@pytest.mark.parametrize(
    ("direction", "loss", "is_told"),
    [
        pytest.param("up", "0.2907", True, id="contradicted and seen"),
        pytest.param("down", "0.2907", False, id="as predicted"),
        pytest.param("up", "0.9", False, id="not seen yet"),
    ],
)
def test_a_contradicted_prediction_is_traced_once_the_learner_has_seen_the_change(
    learner: Client, exercise: Exercise, ada: Enrolment, direction: str, loss: str, is_told: bool
) -> None:
    varied = make_exercise(exercise.session, variation={"logits": [2.4, 1, 0]}, predicted="loss")
    assert varied.current is not None
    predict(case=case_for(ada, varied.current), direction=Prediction.Direction(direction))
    submission = checked(answer(varied, ada, **RIGHT_OF_VARIATION, loss=loss))

    page = learner.get(submission.get_absolute_url()).content.decode()

    assert ("went against your prediction" in page) is is_told


def test_written_answers_are_checked_for_what_they_show(
    learner: Client, exercise: Exercise, ada: Enrolment
) -> None:
    written = make_exercise(exercise.session, reference="")
    version = written.current
    assert version is not None
    version.fields.all().delete()
    for position, element in enumerate(["data", "check", "limitation", ""], start=1):
        version.fields.create(
            position=position, name=f"f{position}", kind="text", title="T", element=element
        )
    submission = submit(enrolment=ada, version=version, answers={"f1": "B = 2", "f4": "prose"})

    page = learner.get(checked(submission).get_absolute_url()).content.decode()

    assert submission.state == Submission.State.CHECKED
    assert "<li>check</li>" in page
    assert "<li>limitation</li>" in page
    assert "<li>data</li>" not in page
    assert "chain" not in page.split("<footer")[0].split("<main")[1]
