"""What may fail between a learner and a check: broker, worker, message, reference."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from assessment.attempts import checking, sending, sweeping
from assessment.attempts.judging import judge
from assessment.attempts.models import Check, Submission
from assessment.attempts.submitting import submit
from assessment.attempts.tasks import check_submission
from assessment.cohorts.models import Enrolment
from exercises.models import Exercise, ExerciseVersion
from tests.factories import RIGHT, enrol, make_cohort, make_exercise
from tests.queue import Broker, Worker
from tests.waiting import eventually, takes_less_than

pytestmark = [pytest.mark.queue, pytest.mark.django_db(transaction=True)]

State = Submission.State
# As in service; tests are more patient.
PATIENCE = sending.PATIENCE_SECONDS


@pytest.fixture
def exercise(transactional_db: None) -> Exercise:  # noqa: ARG001 (rows must be committed)
    return make_exercise()


@pytest.fixture
def ada(exercise: Exercise) -> Enrolment:
    return enrol(make_cohort(exercise.session))


def version_of(exercise: Exercise) -> ExerciseVersion:
    assert exercise.current is not None
    return exercise.current


def answer(exercise: Exercise, who: Enrolment, loss: str = "0.408") -> Submission:
    answers = RIGHT | {"loss": {"result": loss}}
    return submit(enrolment=who, version=version_of(exercise), answers=answers)


def state_of(submission: Submission) -> str:
    return Submission.objects.values_list("state", flat=True).get(pk=submission.pk)


def in_threads(calls: list[Callable[[], object]]) -> None:
    """Run the calls at once, each with a connection of its own; the first error is raised."""
    errors: list[BaseException] = []

    def run(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 (raised below, in the test's own thread)
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    if errors:
        raise errors[0]


def becomes_checked(submission: Submission) -> bool:
    return eventually(lambda: state_of(submission) == State.CHECKED)


@pytest.mark.usefixtures("worker")
def test_a_worker_checks_within_a_second(exercise: Exercise, ada: Enrolment) -> None:
    # The first message opens the connections.
    assert becomes_checked(answer(exercise, ada, "0.4"))

    def seconds() -> float:
        mate = enrol(ada.cohort)
        started = time.monotonic()
        assert becomes_checked(answer(exercise, mate))
        return time.monotonic() - started

    assert takes_less_than(1.0, seconds)


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("fault", ["stopped", "frozen"])
def test_a_submit_answers_within_a_second_without_a_broker(
    exercise: Exercise,
    ada: Enrolment,
    broker: Broker,
    fault: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sending, "PATIENCE_SECONDS", PATIENCE)
    typed = {f"{name}.result": parts["result"] for name, parts in RIGHT.items()}

    def seconds() -> float:
        client = Client()
        client.force_login(enrol(ada.cohort).user)
        client.get(f"/exercises/{exercise.slug}/")
        broker.stop() if fault == "stopped" else broker.freeze()
        started = time.monotonic()
        response = client.post(f"/exercises/{exercise.slug}/submit/", typed | {"despite": "1"})
        took = time.monotonic() - started
        assert response.status_code == 302
        broker.start() if fault == "stopped" else broker.thaw()
        assert eventually(swept_and_checked)
        return took

    assert takes_less_than(1.0, seconds)


def swept_and_checked() -> bool:
    sweeping.sweep()
    return eventually(lambda: not Submission.objects.waiting().exists(), within=1.0)


def test_a_wiped_broker_loses_nothing(
    exercise: Exercise, ada: Enrolment, broker: Broker, worker: Worker
) -> None:
    worker.stop()
    submission = answer(exercise, ada)
    broker.wipe()

    worker.start()

    assert state_of(submission) == State.SUBMITTED
    call_command("sweep")
    assert becomes_checked(submission)


def test_a_worker_killed_among_its_checks_loses_nothing(
    exercise: Exercise, ada: Enrolment, worker: Worker
) -> None:
    exercises = [make_exercise(exercise.session) for _each in range(25)]
    submissions: list[Submission] = []
    for loss in ("0.408", "0.41", "0.42"):
        worker.stop()
        submissions += [
            answer(each, who, loss) for each in exercises for who in (ada, enrol(ada.cohort))
        ]
        some = Check.objects.count() + 2
        worker.start()
        assert eventually(lambda: Check.objects.count() >= some)  # noqa: B023 (it waits here)
        worker.kill()
        if Check.objects.count() < len(submissions):
            break  # else it was done before this process saw so, and gets more

    assert Check.objects.count() < len(submissions)
    worker.start()
    old = timezone.now() - checking.STALE_AFTER - timedelta(seconds=1)
    Submission.objects.exclude(claim=None).update(claimed_at=old)
    sweeping.sweep()

    assert eventually(lambda: not Submission.objects.waiting().exists())
    assert [each.checks.count() for each in submissions] == [1] * len(submissions)


def test_what_a_dead_worker_held_waits_until_its_claim_is_stale(
    exercise: Exercise, ada: Enrolment, worker: Worker
) -> None:
    worker.kill()
    submission = answer(exercise, ada)
    # The dead worker's claim, as it stands when a worker dies between claim and result.
    held = {"claim": uuid4(), "claimed_at": timezone.now(), "tries": 1}
    Submission.objects.filter(pk=submission.pk).update(**held)
    worker.start()
    assert sweeping.sweep() == 0

    old = timezone.now() - checking.STALE_AFTER - timedelta(seconds=1)
    Submission.objects.filter(pk=submission.pk).update(claimed_at=old)

    assert sweeping.sweep() == 1
    assert becomes_checked(submission)
    assert Check.objects.count() == 1


@pytest.mark.usefixtures("worker")
def test_a_message_delivered_twice_changes_nothing(exercise: Exercise, ada: Enrolment) -> None:
    submission = answer(exercise, ada)
    message = {"args": [str(submission.pk)], "task_id": str(uuid4())}

    for _delivery in range(3):
        check_submission.apply_async(**message)

    assert becomes_checked(submission)
    assert becomes_checked(answer(exercise, ada, "0.5"))
    assert submission.checks.count() == 1


def test_two_workers_at_once_write_one_result_each(exercise: Exercise, ada: Enrolment) -> None:
    submissions = [answer(exercise, enrol(ada.cohort)) for _each in range(12)]

    in_threads([lambda pk=each.pk: checking.check(pk) for each in submissions])  # type: ignore[misc]

    assert {state_of(each) for each in submissions} == {State.CHECKED}
    assert [each.checks.count() for each in submissions] == [1] * len(submissions)


@pytest.mark.parametrize("apart", [0.0, 0.02])
def test_two_equal_posts_are_one_attempt(exercise: Exercise, ada: Enrolment, apart: float) -> None:
    def post(delay: float) -> None:
        time.sleep(delay)
        answer(exercise, ada)

    in_threads([lambda: post(0), lambda: post(apart)])

    assert Submission.objects.count() == 1


def test_many_posts_at_once_never_pass_the_limit(exercise: Exercise, ada: Enrolment) -> None:
    def post(loss: str) -> None:
        try:
            answer(exercise, ada, loss)
        except Exception as error:  # noqa: BLE001 (collected: only refusals are expected)
            refused.append(type(error).__name__)

    refused: list[str] = []
    in_threads([lambda loss=f"0.{n}": post(loss) for n in range(1, 9)])  # type: ignore[misc]

    assert sorted(Submission.objects.values_list("number", flat=True)) == [1, 2, 3]
    assert set(refused) == {"NoAttemptsLeft"}


def test_a_transaction_that_rolls_back_sends_nothing(
    exercise: Exercise, ada: Enrolment, broker: Broker
) -> None:
    with transaction.atomic():
        answer(exercise, ada)
        transaction.set_rollback(True)

    assert not Submission.objects.exists()
    assert broker.waiting() == 0


@pytest.mark.usefixtures("worker")
def test_a_message_about_a_missing_row_is_harmless(exercise: Exercise, ada: Enrolment) -> None:
    check_submission.delay(str(uuid4()))

    submission = answer(exercise, ada)
    assert becomes_checked(submission)


def test_values_that_the_reference_refuses_give_a_reason(
    ada: Enrolment, exercise: Exercise
) -> None:
    broken = make_exercise(exercise.session, given={"logits": [2, 1, 0], "target": 7})
    submission = answer(broken, ada)

    checking.check(submission.pk)

    submission.refresh_from_db()
    assert (submission.state, submission.counts) == (State.UNCHECKABLE, False)
    assert "target: must be a class index" in submission.reason
    assert f"regrade --exercise {broken.slug}" in submission.reason


def test_an_unknown_reference_gives_a_reason_and_stops_nobody_else(
    ada: Enrolment, exercise: Exercise
) -> None:
    lost = make_exercise(exercise.session, reference="no_such_reference")
    submission, other = answer(lost, ada), answer(exercise, ada)

    checking.check(submission.pk)
    checking.check(other.pk)

    submission.refresh_from_db()
    assert submission.state == State.UNCHECKABLE
    assert "no_such_reference" in submission.reason
    assert state_of(other) == State.CHECKED


def test_an_answer_that_keeps_ending_workers_is_parked(ada: Enrolment, exercise: Exercise) -> None:
    submission = answer(exercise, ada)
    Submission.objects.filter(pk=submission.pk).update(tries=checking.MOST_TRIES)

    checking.check(submission.pk)

    submission.refresh_from_db()
    assert submission.state == State.UNCHECKABLE
    assert "stopped its worker 3 times" in submission.reason


def test_what_was_tried_before_is_tried_alone(ada: Enrolment, exercise: Exercise) -> None:
    tried = answer(exercise, ada)
    Submission.objects.filter(pk=tried.pk).update(tries=1)
    mate = answer(exercise, enrol(ada.cohort))

    assert checking.check(mate.pk) == 1
    assert state_of(tried) == State.SUBMITTED
    assert checking.check(tried.pk) == 1


def test_one_message_takes_along_what_waits_for_the_same_exercise(
    ada: Enrolment, exercise: Exercise
) -> None:
    submissions = [answer(exercise, enrol(ada.cohort)) for _each in range(5)]
    other = answer(make_exercise(exercise.session), ada)

    assert checking.check(submissions[3].pk) == 5
    assert state_of(other) == State.SUBMITTED


def test_a_late_result_replaces_nothing(ada: Enrolment, exercise: Exercise) -> None:
    submission = answer(exercise, ada)
    late = judge(version_of(exercise), [submission])
    checking.check(submission.pk)
    submission.refresh_from_db()
    first = submission.current_check

    assert checking.record(late) == 0

    submission.refresh_from_db()
    assert submission.current_check == first
    assert submission.checks.count() == 1


def test_a_result_for_other_answers_is_dropped(ada: Enrolment, exercise: Exercise) -> None:
    submission = answer(exercise, ada)
    verdicts = judge(version_of(exercise), [submission])
    Submission.objects.filter(pk=submission.pk).update(digest="f" * 64)

    assert checking.record(verdicts) == 0
    assert state_of(submission) == State.SUBMITTED


def test_the_worker_takes_up_what_its_lost_child_held(exercise: Exercise, ada: Enrolment) -> None:
    """The same message, delivered again, has the same id: its claim is taken up at once."""
    submission = answer(exercise, ada)
    message = uuid4()
    held = {"claim": message, "claimed_at": timezone.now(), "tries": 1}
    Submission.objects.filter(pk=submission.pk).update(**held)

    assert checking.check(submission.pk, claim=UUID(int=1)) == 0
    assert checking.check(submission.pk, claim=message) == 1


def test_sweeping_without_a_broker_says_so(exercise: Exercise, ada: Enrolment) -> None:
    answer(exercise, ada)

    with pytest.raises(CommandError, match="broker does not answer; 1 submissions go on waiting"):
        call_command("sweep")
