from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

import pytest
from django.db import connection
from rest_framework.test import APIClient

from assessment.attempts import checking
from assessment.attempts.models import Submission
from assessment.cohorts.models import Enrolment
from exercises.models import Exercise
from tests.factories import (
    RIGHT,
    bearer,
    enrol,
    make_cohort,
    make_exercise,
    make_review,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise() -> Exercise:
    return make_exercise()


@pytest.fixture
def ada(exercise: Exercise) -> Enrolment:
    return enrol(make_cohort(exercise.session))


@pytest.fixture
def api(ada: Enrolment) -> APIClient:
    return APIClient(headers=bearer(ada.user, "learn"))


def url_of(exercise: Exercise) -> str:
    return f"/api/v1/exercises/{exercise.slug}/submissions/"


def answers(loss: str = "0.408") -> dict[str, object]:
    return {"answers": {name: parts["result"] for name, parts in RIGHT.items()} | {"loss": loss}}


def test_an_attempt_is_stored_and_followed(api: APIClient, exercise: Exercise) -> None:
    created = api.post(url_of(exercise), answers("1.0"))
    checking.check(Submission.objects.get().pk)
    found = api.get(created.headers["Location"]).json()

    assert created.status_code == HTTPStatus.CREATED
    assert created.json()["state"] == "submitted"
    assert found["id"] == created.json()["id"]
    assert (found["state"], found["points"]) == ("checked", None)
    assert [step["status"] for step in found["steps"]] == ["right", "right", "right", "wrong"]
    assert found["first_break"]["step"] == "loss"
    assert found["missing_elements"] == ["data", "transformation"]


def test_a_repeat_with_the_same_key_is_the_first(api: APIClient, exercise: Exercise) -> None:
    first = api.post(url_of(exercise), answers(), headers={"Idempotency-Key": "k"})
    again = api.post(url_of(exercise), answers(), headers={"Idempotency-Key": "k"})

    assert (again.status_code, again.json()["id"]) == (HTTPStatus.CREATED, first.json()["id"])
    assert Submission.objects.count() == 1


def test_who_may_submit_may_ask_what_can_be_done_there(api: APIClient, exercise: Exercise) -> None:
    assert api.options(url_of(exercise)).status_code == HTTPStatus.OK


def test_a_new_key_makes_an_attempt_of_its_own(api: APIClient, exercise: Exercise) -> None:
    made = [
        api.post(url_of(exercise), answers(), headers={"Idempotency-Key": key}).json()["id"]
        for key in ("k", "k", "another")
    ]

    assert made[0] == made[1] != made[2]
    assert [each.number for each in Submission.objects.order_by("number")] == [1, 2]


@pytest.mark.parametrize("key", ["", " ", "k" * 201, "clé"])
def test_a_key_that_cannot_travel_is_refused(api: APIClient, exercise: Exercise, key: str) -> None:
    refused = api.post(url_of(exercise), answers(), headers={"Idempotency-Key": key})

    assert refused.status_code == HTTPStatus.BAD_REQUEST
    assert "Idempotency-Key" in refused.json()["errors"]


def test_a_key_belongs_to_one_learner_and_one_exercise(
    api: APIClient, exercise: Exercise, ada: Enrolment
) -> None:
    second, ben = make_exercise(exercise.session), enrol(ada.cohort).user
    others = APIClient(headers=bearer(ben, "learn"))
    key = {"Idempotency-Key": "k"}

    made = [
        api.post(url_of(exercise), answers(), headers=key),
        api.post(url_of(second), answers("1"), headers=key),
        others.post(url_of(exercise), answers("2"), headers=key),
    ]

    assert [answer.status_code for answer in made] == [HTTPStatus.CREATED] * 3
    assert Submission.objects.count() == 3


def test_a_stored_attempt_stays_out_of_shared_caches(api: APIClient, exercise: Exercise) -> None:
    made = api.post(url_of(exercise), answers())

    assert "private" in made.headers["Cache-Control"]
    assert "Authorization" in made.headers["Vary"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        pytest.param("cohort=", HTTPStatus.OK, id="said nothing"),
        pytest.param("cohort=no-such", HTTPStatus.NOT_FOUND, id="no cohort of theirs"),
        pytest.param("cohrt=autumn", HTTPStatus.BAD_REQUEST, id="misspelt"),
        pytest.param("cohort=a&cohort=b", HTTPStatus.BAD_REQUEST, id="said twice"),
        pytest.param("cohort=%00", HTTPStatus.BAD_REQUEST, id="a null character"),
        pytest.param("cohort=%FF", HTTPStatus.BAD_REQUEST, id="no text"),
        pytest.param("cohort=" + "a" * 81, HTTPStatus.BAD_REQUEST, id="too long"),
    ],
)
@pytest.mark.parametrize("door", ["sessions", "session", "exercise"])
def test_a_cohort_that_is_not_theirs_is_never_an_empty_success(
    api: APIClient, exercise: Exercise, door: str, query: str, status: HTTPStatus
) -> None:
    address = {
        "sessions": "/api/v1/sessions/",
        "session": f"/api/v1/sessions/{exercise.session.slug}/",
        "exercise": f"/api/v1/exercises/{exercise.slug}/",
    }[door]

    assert api.get(f"{address}?{query}").status_code == status


@pytest.mark.django_db(transaction=True)
def test_one_key_sent_at_once_by_several_is_one_attempt(ada: Enrolment, exercise: Exercise) -> None:
    headers = bearer(ada.user, "learn") | {"Idempotency-Key": "once"}

    def send(_number: int) -> tuple[int, str]:
        answer = APIClient(headers=headers).post(url_of(exercise), answers())
        connection.close()
        return answer.status_code, answer.json()["id"]

    with ThreadPoolExecutor(6) as pool:
        made = set(pool.map(send, range(6)))
    headers["Idempotency-Key"] = "another"
    APIClient(headers=headers).post(url_of(exercise), answers("1"))

    assert made == {(HTTPStatus.CREATED, str(Submission.objects.order_by("number")[0].pk))}
    assert [each.number for each in Submission.objects.order_by("number")] == [1, 2]


def test_a_key_with_other_answers_is_refused(api: APIClient, exercise: Exercise) -> None:
    api.post(url_of(exercise), answers(), headers={"Idempotency-Key": "k"})

    refused = api.post(url_of(exercise), answers("1"), headers={"Idempotency-Key": "k"})

    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert refused.headers["Content-Type"] == "application/problem+json"


def test_no_attempt_is_left(api: APIClient, exercise: Exercise) -> None:
    for loss in ("0.1", "0.2", "0.3"):
        api.post(url_of(exercise), answers(loss))

    refused = api.post(url_of(exercise), answers("0.4"))

    assert refused.status_code == HTTPStatus.CONFLICT
    assert "All 3 attempts" in refused.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("{", id="no JSON"),
        pytest.param("[" * 100_000, id="nested without end"),
        pytest.param("[]", id="a list"),
        pytest.param("{}", id="no answers"),
        pytest.param('{"answers": {}}', id="blank"),
        pytest.param('{"answers": {"loss": 1}}', id="a number"),
        pytest.param('{"answers": {"no_such": "1"}}', id="unknown field"),
        pytest.param('{"answers": {"loss": "\\u0000"}}', id="a null character"),
        pytest.param('{"answers": {"loss": {"result": 0}}}', id="a number as a part"),
        pytest.param('{"answers": {"loss": "1"}, "answer": {}}', id="a member too many"),
    ],
)
def test_what_does_not_fit_is_a_problem_document(
    api: APIClient, exercise: Exercise, body: str
) -> None:
    refused = api.post(url_of(exercise), body, content_type="application/json")

    assert refused.status_code == HTTPStatus.BAD_REQUEST
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert not Submission.objects.exists()


def test_the_exercise_comes_with_its_fields_and_values(
    api: APIClient, exercise: Exercise, ada: Enrolment
) -> None:
    found = api.get(f"/api/v1/exercises/{exercise.slug}/").json()

    assert found["given"] == {"logits": [2, 1, 0], "target": 0}
    assert [field["name"] for field in found["fields"]] == ["exp", "sum", "softmax", "loss"]
    assert found["attempts"] == {"allowed": 3, "left": 3}
    assert found["cohort"] == ada.cohort.slug


def test_the_change_waits_for_the_prediction(exercise: Exercise, ada: Enrolment) -> None:
    varied = make_exercise(
        exercise.session,
        variation={"logits": [2.4, 1, 0]},
        prompt=["Now 2.4."],
        prompt_before=["Now."],
    )
    api = APIClient(headers=bearer(ada.user, "learn"))

    text = api.get(f"/api/v1/exercises/{varied.slug}/").content.decode()

    assert "2.4" not in text
    assert '"needs_prediction":true' in text


def test_sessions_list_their_exercises(api: APIClient, exercise: Exercise) -> None:
    make_exercise()  # of a session of nobody

    (found,) = api.get("/api/v1/sessions/").json()

    assert [each["slug"] for each in found["exercises"]] == [exercise.slug]
    assert api.get(f"/api/v1/sessions/{found['slug']}/").json()["exercises"] == found["exercises"]


def test_points_are_proposed_to_staff_and_hidden_from_the_learner(
    api: APIClient, exercise: Exercise, ada: Enrolment
) -> None:
    instructor = enrol(ada.cohort, role="instructor").user
    url = api.post(url_of(exercise), answers()).headers["Location"]
    submission = Submission.objects.get()
    exercise.current.rubrics.get().criteria.filter(position=1).update(evidence="trace")  # type: ignore[union-attr]
    checking.check(submission.pk)
    staff = APIClient(headers=bearer(instructor, "teach"))

    proposed = staff.get(url).json()
    make_review(submission, instructor, "4.5", "2.5", "1", note="a note for later")
    reviewed = staff.get(url).json()
    own = api.get(url)

    assert (proposed["points"], proposed["maximum"], proposed["provisional"]) == ("5", "10", True)
    assert (reviewed["points"], reviewed["provisional"]) == ("8", False)
    assert (own.json()["points"], own.json()["state"]) == (None, "reviewed")
    assert "a note for later" not in own.content.decode()


@pytest.mark.parametrize("feedback", ["after_peers", "revealed", "at_release"])
def test_feedback_waits_where_the_exercise_says_so(
    exercise: Exercise, api: APIClient, feedback: str
) -> None:
    later = make_exercise(exercise.session, feedback=feedback)
    url = api.post(url_of(later), answers("1.0")).headers["Location"]
    checking.check(Submission.objects.get().pk)

    found = api.get(url).json()

    assert (found["state"], found["steps"], found["first_break"]) == ("checked", [], None)
    assert (found["faults"], found["score"]) == ([], None)


WHO = ["nobody", "learner of another cohort", "instructor of another cohort"]


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("door", ["session", "exercise", "submit", "submission"])
def test_strangers_learn_nothing(api: APIClient, exercise: Exercise, who: str, door: str) -> None:
    location = api.post(url_of(exercise), answers()).headers["Location"]
    other = make_cohort()
    caller = APIClient()
    if who != "nobody":
        user = make_user()
        enrol(other, user, role="instructor" if "instructor" in who else "learner")
        caller = APIClient(headers=bearer(user, "learn", "teach"))

    answer = {
        "session": lambda: caller.get(f"/api/v1/sessions/{exercise.session.slug}/"),
        "exercise": lambda: caller.get(f"/api/v1/exercises/{exercise.slug}/"),
        "submit": lambda: caller.post(url_of(exercise), answers("9")),
        "submission": lambda: caller.get(location),
    }[door]()

    expected = HTTPStatus.UNAUTHORIZED if who == "nobody" else HTTPStatus.NOT_FOUND
    assert answer.status_code == expected
    assert Submission.objects.count() == 1


def test_another_learner_of_the_cohort_reads_no_submission(
    api: APIClient, exercise: Exercise, ada: Enrolment
) -> None:
    location = api.post(url_of(exercise), answers()).headers["Location"]
    ben = enrol(ada.cohort).user

    assert APIClient(headers=bearer(ben, "learn")).get(location).status_code == 404


def test_a_token_for_learning_alone_reviews_nothing(
    api: APIClient, exercise: Exercise, ada: Enrolment
) -> None:
    location = api.post(url_of(exercise), answers()).headers["Location"]
    instructor = enrol(ada.cohort, role="instructor").user

    assert APIClient(headers=bearer(instructor, "learn")).get(location).status_code == 404
    assert APIClient(headers=bearer(instructor, "teach")).get(location).status_code == 200


def test_an_instructor_cannot_submit(exercise: Exercise, ada: Enrolment) -> None:
    instructor = enrol(ada.cohort, role="instructor").user
    caller = APIClient(headers=bearer(instructor, "learn"))

    assert caller.post(url_of(exercise), answers()).status_code == HTTPStatus.NOT_FOUND


def test_someone_in_two_cohorts_names_one(
    api: APIClient, exercise: Exercise, ada: Enrolment
) -> None:
    second = enrol(make_cohort(exercise.session), user=ada.user)

    for place in (ada, second):
        found = api.post(f"{url_of(exercise)}?cohort={place.cohort.slug}", answers())
        assert found.json()["cohort"] == place.cohort.slug


def test_uncheckable_carries_a_reason(exercise: Exercise, ada: Enrolment, api: APIClient) -> None:
    broken = make_exercise(exercise.session, given={"logits": [2, 1, 0], "target": 7})
    location = api.post(url_of(broken), answers()).headers["Location"]
    checking.check(Submission.objects.get().pk)
    instructor = enrol(ada.cohort, role="instructor").user

    own = api.get(location).json()
    staff = APIClient(headers=bearer(instructor, "teach")).get(location).json()

    assert (own["state"], own["counts"]) == ("uncheckable", False)
    assert "costs no attempt" in own["reason"]
    assert "class index" in staff["reason"]
