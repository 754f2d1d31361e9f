from http import HTTPStatus

import pytest
from django.test import Client

from assessment.attempts.models import Case, Draft, Prediction, Submission
from assessment.authoring.publishing import publish
from assessment.cohorts.models import Enrolment
from exercises.models import Exercise
from tests.factories import RIGHT, enrol, make_cohort, make_exercise

pytestmark = pytest.mark.django_db

VARIATION = {"logits": [2.4, 1, 0]}


@pytest.fixture
def exercise() -> Exercise:
    return make_exercise(
        variation=VARIATION,
        predicted="loss",
        prompt=["Trace L = −Σ log p(x_t).", "Then let the first logit grow to 2.4."],
        prompt_before=["Trace L = −Σ log p(x_t)."],
    )


@pytest.fixture
def ada(exercise: Exercise) -> Enrolment:
    return enrol(make_cohort(exercise.session))


@pytest.fixture
def learner(client: Client, ada: Enrolment) -> Client:
    client.force_login(ada.user)
    return client


def form(loss: str = "0.291", **extra: str) -> dict[str, str]:
    typed = {f"{name}.result": parts["result"] for name, parts in RIGHT.items()}
    return typed | {"loss.result": loss, "exp.data": "z", "exp.operation": "exp"} | extra


def predict(learner: Client, exercise: Exercise, step: str = "store") -> str:
    url = f"/exercises/{exercise.slug}/prediction/"
    sent = {"direction": "down", "value": "0.3", "reason": "p grows", "step": step}
    return learner.post(url, sent, follow=True).content.decode()


def test_own_numbers_never_show_the_change_of_the_group() -> None:
    exercise = make_exercise(
        vary={"logits[0]": {"from": 1.2, "to": 3, "step": 0.1}},
        numbers="own",
        variation=VARIATION,
        predicted="loss",
        prompt=["Trace the chain.", "Then let the first logit grow to 2.4."],
        prompt_before=["Trace the chain."],
    )
    learner = Client()
    learner.force_login(enrol(make_cohort(exercise.session)).user)

    after = predict(learner, exercise)

    assert "2.4" not in after
    assert "before: [2, 1, 0]" in after


def test_the_solution_is_shown_once_it_is_published() -> None:
    exercise = make_exercise(solution=["The shares depend on differences."], solved_variant="0.291")
    cohort = make_cohort(exercise.session)
    learner, elsewhere = Client(), Client()
    learner.force_login(enrol(cohort).user)
    elsewhere.force_login(enrol(make_cohort(exercise.session)).user)
    page, api = f"/exercises/{exercise.slug}/", f"/api/v1/exercises/{exercise.slug}/"

    before = learner.get(page).content.decode()
    unpublished = learner.get(api).json()["solution"]
    publish(exercise, enrol(cohort, role="instructor").user)

    assert "differences" not in before
    assert unpublished == []
    assert "The shares depend on differences." in learner.get(page).content.decode()
    assert elsewhere.get(api).json()["solution"] == []
    assert learner.get(api).json()["solution"] == ["The shares depend on differences.", "0.291"]


def test_the_change_is_hidden_until_the_prediction_is_stored(
    learner: Client, exercise: Exercise
) -> None:
    before = learner.get(f"/exercises/{exercise.slug}/").content.decode()
    after = predict(learner, exercise)

    assert "2.4" not in before
    assert "loss.result" not in before
    assert "grow to 2.4" in after
    assert "[2.4, 1, 0]" in after
    assert "loss.result" in after


def test_a_prediction_is_shown_once_more_before_it_stays(
    learner: Client, exercise: Exercise
) -> None:
    page = predict(learner, exercise, step="confirm")

    assert "Store this prediction?" in page
    assert not Prediction.objects.exists()


def test_a_stored_prediction_stays(learner: Client, exercise: Exercise) -> None:
    predict(learner, exercise)

    url = f"/exercises/{exercise.slug}/prediction/"
    answer = learner.post(url, {"direction": "up", "step": "store"}, follow=True)

    assert "never changes" in answer.content.decode()
    assert Prediction.objects.get().direction == "down"


def test_an_incomplete_prediction_says_what_is_missing(learner: Client, exercise: Exercise) -> None:
    answer = learner.post(f"/exercises/{exercise.slug}/prediction/", {"step": "confirm"})

    assert "This field is required" in answer.content.decode()


def test_submitting_leads_to_the_receipt(learner: Client, exercise: Exercise) -> None:
    predict(learner, exercise)

    answer = learner.post(f"/exercises/{exercise.slug}/submit/", form(), follow=True)

    stored = Submission.objects.get()
    assert answer.redirect_chain == [(f"/submissions/{stored.pk}/", HTTPStatus.FOUND)]
    assert stored.given["logits"] == [2.4, 1, 0]
    assert stored.digest[:16] in answer.content.decode()


def test_pressing_twice_stores_one_attempt(learner: Client, exercise: Exercise) -> None:
    for _press in range(2):
        learner.post(f"/exercises/{exercise.slug}/submit/", form(form="one-form"))

    assert Submission.objects.count() == 1


def test_a_changed_answer_from_the_same_form_is_a_new_attempt(
    learner: Client, exercise: Exercise
) -> None:
    for loss in ("0.291", "0.3"):
        learner.post(f"/exercises/{exercise.slug}/submit/", form(loss, form="one-form"))

    assert Submission.objects.count() == 2


def test_a_bare_number_is_warned_about_and_not_forbidden(
    learner: Client, exercise: Exercise
) -> None:
    predict(learner, exercise)
    url = f"/exercises/{exercise.slug}/submit/"

    warned = learner.post(url, {"loss.result": "0.291"}).content.decode()
    stored_at_once = Submission.objects.exists()
    learner.post(url, {"loss.result": "0.291", "despite": "1"})

    assert "your answer shows no" in warned
    assert 'value="0.291"' in warned
    assert not stored_at_once
    assert Submission.objects.count() == 1


def test_a_refused_answer_keeps_its_text(learner: Client, exercise: Exercise) -> None:
    predict(learner, exercise)
    url = f"/exercises/{exercise.slug}/submit/"
    for loss in ("0.1", "0.2", "0.3"):
        learner.post(url, form(loss))

    refused = learner.post(url, form("0.29123"))

    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "All 3 attempts" in refused.content.decode()


def test_too_long_a_text_is_given_back_with_what_is_wrong(
    learner: Client, exercise: Exercise
) -> None:
    predict(learner, exercise)

    refused = learner.post(f"/exercises/{exercise.slug}/submit/", form("1" * 2001))

    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "2001 characters are too many" in refused.content.decode()
    assert "1" * 2001 in refused.content.decode()


def test_a_draft_comes_back(learner: Client, exercise: Exercise) -> None:
    predict(learner, exercise)
    learner.post(f"/exercises/{exercise.slug}/draft/", {"loss.result": "0.29", "other": "x"})

    page = learner.get(f"/exercises/{exercise.slug}/").content.decode()

    assert 'value="0.29"' in page
    assert Draft.objects.get().answers == {"loss.result": "0.29"}


def test_autosave_answers_with_one_line(learner: Client, exercise: Exercise) -> None:
    url = f"/exercises/{exercise.slug}/draft/"

    answer = learner.post(url, {"loss.result": "0.29"}, headers={"HX-Request": "true"})

    text = answer.content.decode()
    assert "Draft saved" in text
    assert "transformation" in text
    assert "<html" not in text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        pytest.param("0,408", "0.408", id="comma"),
        pytest.param("1,234", "1234", id="two readings"),
        pytest.param("", "", id="blank"),
    ],
)
def test_says_how_a_value_is_read(
    learner: Client, exercise: Exercise, typed: str, said: str
) -> None:
    url = f"/exercises/{exercise.slug}/reading/"

    answer = learner.post(url, {"loss.result": typed}, headers={"HX-Request": "true"})

    text = answer.content.decode()
    assert said in text
    assert "right" not in text.lower()


@pytest.mark.parametrize("door", ["", "prediction/", "draft/", "reading/", "submit/"])
def test_strangers_learn_nothing(client: Client, exercise: Exercise, door: str) -> None:
    other = enrol(make_cohort())
    client.force_login(other.user)
    url = f"/exercises/{exercise.slug}/{door}"

    answer = client.post(url, form()) if door else client.get(url)

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert not Case.objects.exists()


@pytest.mark.parametrize("door", ["prediction/", "draft/", "reading/", "submit/"])
def test_an_instructor_reads_along_and_answers_nothing(
    client: Client, exercise: Exercise, ada: Enrolment, door: str
) -> None:
    client.force_login(enrol(ada.cohort, role="instructor").user)

    page = client.get(f"/exercises/{exercise.slug}/")
    answer = client.post(f"/exercises/{exercise.slug}/{door}", form())

    assert "only learners answer" in page.content.decode()
    assert answer.status_code == HTTPStatus.NOT_FOUND


def test_a_signed_out_learner_gets_the_text_back(client: Client, exercise: Exercise) -> None:
    answer = client.post(f"/exercises/{exercise.slug}/submit/", form("0.29123"))

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "0.29123" in answer.content.decode()


def test_a_stale_form_gets_the_text_back(ada: Enrolment, exercise: Exercise) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada.user)

    answer = strict.post(f"/exercises/{exercise.slug}/submit/", form("0.29123"))

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "0.29123" in answer.content.decode()


def test_someone_in_two_cohorts_answers_in_the_one_they_name(
    client: Client, exercise: Exercise, ada: Enrolment
) -> None:
    second = enrol(make_cohort(exercise.session), user=ada.user)
    client.force_login(ada.user)
    url = f"/exercises/{exercise.slug}/submit/"

    client.post(url, form(cohort=ada.cohort.slug))
    client.post(url, form(cohort=second.cohort.slug))

    places = Submission.objects.values_list("enrolment", flat=True)
    assert set(places) == {ada.pk, second.pk}


def test_nobody_is_sent_to_sign_in(client: Client, exercise: Exercise) -> None:
    answer = client.get(f"/exercises/{exercise.slug}/")

    assert answer.status_code == HTTPStatus.FOUND
    assert answer.headers["Location"].startswith("/sign-in/?next=/exercises/")


@pytest.mark.parametrize("cohort", ["\x00", "no-such", "' or 1=1", "x" * 5000])
def test_a_cohort_that_is_none_is_a_404(learner: Client, exercise: Exercise, cohort: str) -> None:
    url = f"/exercises/{exercise.slug}/"

    assert learner.get(url, {"cohort": cohort}).status_code == HTTPStatus.NOT_FOUND
    sent = form(cohort=cohort)
    assert learner.post(f"{url}submit/", sent).status_code == HTTPStatus.NOT_FOUND


def test_characters_that_no_database_takes_stop_nothing(
    learner: Client, exercise: Exercise
) -> None:
    url = f"/exercises/{exercise.slug}/"
    predict(learner, exercise)

    draft = learner.post(f"{url}draft/", {"loss.result": "0.2\x009"}, follow=True)
    refused = learner.post(f"{url}submit/", form("0.2\x009", form="\x00"))

    assert draft.status_code == HTTPStatus.OK
    assert Draft.objects.get().answers == {"loss.result": "0.29"}
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "control character" in refused.content.decode()


def test_a_prediction_is_bounded(learner: Client, exercise: Exercise) -> None:
    url = f"/exercises/{exercise.slug}/prediction/"
    sent = {"direction": "down", "reason": "p" * 2001, "step": "store"}

    assert "at most 2000 characters" in learner.post(url, sent).content.decode()
    assert not Prediction.objects.exists()


@pytest.mark.parametrize("door", ["prediction/", "draft/", "reading/", "submit/"])
def test_the_address_of_a_form_leads_back_to_its_page(
    learner: Client, exercise: Exercise, door: str
) -> None:
    answer = learner.get(f"/exercises/{exercise.slug}/{door}")

    assert answer.headers["Location"] == f"/exercises/{exercise.slug}/"
