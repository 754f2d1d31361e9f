import pytest

from assessment.attempts import checking
from assessment.attempts.errors import KeyReused, NoAttemptsLeft, NothingWritten, UnfitAnswers
from assessment.attempts.models import Submission
from assessment.attempts.submitting import attempts_left, submit
from assessment.cohorts.models import Enrolment
from exercises.models import Exercise, ExerciseVersion
from tests.factories import RIGHT, enrol, make_cohort, make_exercise

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise() -> Exercise:
    return make_exercise()


@pytest.fixture
def version(exercise: Exercise) -> ExerciseVersion:
    assert exercise.current is not None
    return exercise.current


@pytest.fixture
def ada(exercise: Exercise) -> Enrolment:
    return enrol(make_cohort(exercise.session))


def answers(loss: str = "0.408") -> object:
    return RIGHT | {"loss": {"result": loss}}


def test_stores_the_text_exactly_as_typed(ada: Enrolment, version: ExerciseVersion) -> None:
    stored = submit(enrolment=ada, version=version, answers=answers(" 0,408 "))

    assert stored.answers["loss"] == {"result": " 0,408 "}
    assert (stored.number, stored.state) == (1, Submission.State.SUBMITTED)


def test_a_plain_text_is_the_result_of_a_step(ada: Enrolment, version: ExerciseVersion) -> None:
    stored = submit(enrolment=ada, version=version, answers={"loss": "0.408"})

    assert stored.answers == {"loss": {"result": "0.408"}}


def test_the_same_key_returns_the_first(ada: Enrolment, version: ExerciseVersion) -> None:
    first = submit(enrolment=ada, version=version, answers=answers(), key="k")
    submit(enrolment=ada, version=version, answers=answers("0.5"), key="other")

    assert submit(enrolment=ada, version=version, answers=answers(), key="k") == first


def test_a_repeat_is_known_by_its_key_after_the_exercise_changed(
    ada: Enrolment, version: ExerciseVersion
) -> None:
    first = submit(enrolment=ada, version=version, answers=answers(), key="k")
    newer = ExerciseVersion.objects.create(
        exercise=version.exercise, number=2, digest="1" * 64, title="Other fields"
    )
    newer.fields.create(position=1, name="verdict", kind="text", title="Verdict")

    assert submit(enrolment=ada, version=newer, answers=answers(), key="k") == first
    with pytest.raises(KeyReused):
        submit(enrolment=ada, version=newer, answers=answers("0.5"), key="k")
    with pytest.raises(UnfitAnswers):
        submit(enrolment=ada, version=newer, answers=answers(), key="another")


def test_a_key_used_for_other_answers_is_refused(ada: Enrolment, version: ExerciseVersion) -> None:
    submit(enrolment=ada, version=version, answers=answers(), key="k")

    with pytest.raises(KeyReused):
        submit(enrolment=ada, version=version, answers=answers("0.5"), key="k")


def test_the_same_answers_twice_in_a_row_are_one_attempt(
    ada: Enrolment, version: ExerciseVersion
) -> None:
    first = submit(enrolment=ada, version=version, answers=answers())

    assert submit(enrolment=ada, version=version, answers=answers()) == first
    assert attempts_left(ada, version) == 2


def test_the_attempt_after_the_last_is_refused(ada: Enrolment, version: ExerciseVersion) -> None:
    for loss in ("0.1", "0.2", "0.3"):
        submit(enrolment=ada, version=version, answers=answers(loss))

    with pytest.raises(NoAttemptsLeft, match="All 3 attempts"):
        submit(enrolment=ada, version=version, answers=answers("0.4"))


def test_text_that_nobody_can_read_costs_no_attempt(
    ada: Enrolment, version: ExerciseVersion
) -> None:
    stored = submit(enrolment=ada, version=version, answers=answers("1,234"))

    checking.check(stored.pk)

    stored.refresh_from_db()
    assert (stored.state, stored.counts) == (Submission.State.CHECKED, False)
    assert attempts_left(ada, version) == 3


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        pytest.param({"nothing": "1"}, "no such field", id="unknown field"),
        pytest.param({"loss": 0.408}, "A text is needed", id="a number"),
        pytest.param({"loss": ["0.408"]}, "A text is needed", id="a list"),
        pytest.param({"loss": {"answer": "1"}}, "has the parts", id="unknown part"),
        pytest.param({"loss": {"result": 1}}, "A text is needed", id="a number as a part"),
        pytest.param({"loss": "1" * 2001}, "too many", id="too long"),
        pytest.param({"loss": "0.4\x00"}, "control character", id="a null character"),
        pytest.param({"loss": "0.4\ud800"}, "control character", id="half a character"),
        pytest.param(["0.408"], "An object is needed", id="no object"),
    ],
)
def test_refuses_what_does_not_fit(
    ada: Enrolment, version: ExerciseVersion, typed: object, message: str
) -> None:
    with pytest.raises(UnfitAnswers, match=message):
        submit(enrolment=ada, version=version, answers=typed)

    assert not Submission.objects.exists()


@pytest.mark.parametrize("typed", [{}, {"loss": "  "}, {"loss": None}, {"loss": {"data": " "}}])
def test_refuses_a_blank_form(ada: Enrolment, version: ExerciseVersion, typed: object) -> None:
    with pytest.raises(NothingWritten):
        submit(enrolment=ada, version=version, answers=typed)
