from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assessment.attempts.drafting import save
from assessment.attempts.submitting import submit
from assessment.cohorts.models import Enrolment
from exercises.models import Session
from tests.factories import RIGHT, enrol, make_cohort, make_exercise, make_session, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    return make_session()


@pytest.fixture
def ada(session: Session) -> Enrolment:
    return enrol(make_cohort(session))


@pytest.fixture
def learner(client: Client, ada: Enrolment) -> Client:
    client.force_login(ada.user)
    return client


def test_shows_the_state_of_each_exercise(
    learner: Client, session: Session, ada: Enrolment
) -> None:
    answered, drafted, _untouched = (make_exercise(session) for _each in range(3))
    assert answered.current is not None
    submit(enrolment=ada, version=answered.current, answers=RIGHT)
    save(enrolment=ada, exercise=drafted, answers={"loss.result": "0.4"})

    page = learner.get("/").content.decode()

    assert "Submitted" in page
    assert "Draft" in page
    assert "Not started" in page


def test_costs_the_same_for_many_exercises(learner: Client, session: Session) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            learner.get("/")
        return len(captured)

    make_exercise(session)
    few = queries()
    for _each in range(5):
        make_exercise(session)

    assert queries() == few


def test_retired_exercises_are_not_handed_out(learner: Client, session: Session) -> None:
    retired = make_exercise(session)
    retired.retired_at = timezone.now()
    retired.save(update_fields=["retired_at"])

    assert retired.slug not in learner.get("/").content.decode()
    assert learner.get(retired.get_absolute_url()).status_code == HTTPStatus.NOT_FOUND


def test_someone_in_no_cohort_is_told_what_to_do(client: Client) -> None:
    client.force_login(make_user())

    assert "You are in no cohort yet" in client.get("/").content.decode()


def test_someone_who_left_sees_nothing(learner: Client, session: Session, ada: Enrolment) -> None:
    ada.left_at = timezone.now()
    ada.save(update_fields=["left_at"])

    assert session.title not in learner.get("/").content.decode()
    assert learner.get(session.get_absolute_url()).status_code == HTTPStatus.NOT_FOUND


def test_formulas_of_the_session_are_typeset_wherever_a_text_repeats_them(
    learner: Client, session: Session
) -> None:
    session.concepts.create(
        position=1, number=1, title="Loss", text="A sum.", formula="L = −Σ log p(x_t | x_<t)"
    )
    exercise = make_exercise(session, prompt=["Trace L = −Σ log p(x_t | x_<t) once."])

    assert "<math" in learner.get(session.get_absolute_url()).content.decode()
    page = learner.get(exercise.get_absolute_url()).content.decode()
    assert 'alttext="L = −Σ log p(x_t | x_&lt;t)"' in page


def test_withheld_lines_keep_their_place(learner: Client, session: Session) -> None:
    case = session.workedcases.create(position=1, statement="Logits [2, 1, 0].")
    case.lines.create(position=1, section="Trace", text="z = [2, 1, 0]", withheld=False)
    case.lines.create(position=2, section="Trace", text="Σ = 11.107", withheld=True)

    page = learner.get(session.get_absolute_url()).content.decode()

    assert "z = [2, 1, 0]" in page
    assert "11.107" not in page
    assert "shown once you have answered it" in page


@pytest.mark.parametrize("role", ["instructor", "assistant"])
def test_those_who_teach_find_the_guide(
    client: Client, session: Session, ada: Enrolment, role: str
) -> None:
    client.force_login(enrol(ada.cohort, role=role).user)

    page = client.get(session.get_absolute_url()).content.decode()

    assert f"/sessions/{session.slug}/guide/" in page


def test_strangers_get_a_404(client: Client, session: Session) -> None:
    client.force_login(enrol(make_cohort()).user)

    assert client.get(session.get_absolute_url()).status_code == HTTPStatus.NOT_FOUND
