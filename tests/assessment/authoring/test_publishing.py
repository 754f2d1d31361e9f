"""Publishing an exercise's solution: by its instructors alone, and undone as easily."""

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessment.authoring.models import Publication
from assessment.authoring.publishing import is_published as is_open_to
from assessment.authoring.publishing import publish
from assessment.cohorts.models import Cohort, User
from exercises.models import Exercise
from tests.factories import enrol, make_cohort, make_exercise, make_session, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise() -> Exercise:
    """Return an exercise whose solution is not published."""
    return make_exercise()


@pytest.fixture
def cohort(exercise: Exercise) -> Cohort:
    """Return a cohort that works on it."""
    return make_cohort(exercise.session)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def url(exercise: Exercise, verb: str) -> str:
    return reverse(f"{verb}-solution", args=[exercise.session.slug, exercise.slug])


def is_published(exercise: Exercise) -> bool:
    return Publication.objects.filter(exercise=exercise).exists()


def test_an_instructor_publishes_and_takes_back(exercise: Exercise, cohort: Cohort) -> None:
    client = signed_in(enrol(cohort, role="instructor").user)
    guide = reverse("session-guide", args=[exercise.session.slug])

    published = client.post(url(exercise, "publish"), follow=True)

    assert published.redirect_chain == [(f"{guide}#{exercise.key}", HTTPStatus.FOUND)]
    assert "The solution is published" in published.content.decode()
    assert is_published(exercise)

    taken_back = client.post(url(exercise, "unpublish"), follow=True)

    assert "The solution is taken back" in taken_back.content.decode()
    assert not is_published(exercise)


def test_publishing_twice_keeps_the_first_time(exercise: Exercise, cohort: Cohort) -> None:
    client = signed_in(enrol(cohort, role="instructor").user)
    client.post(url(exercise, "publish"))
    first = Publication.objects.get()

    again = client.post(url(exercise, "publish"), follow=True)

    assert "was published already" in again.content.decode()
    assert Publication.objects.get() == first


def test_publishing_reaches_ones_own_cohorts_alone(exercise: Exercise, cohort: Cohort) -> None:
    elsewhere = enrol(make_cohort(exercise.session))
    signed_in(enrol(cohort, role="instructor").user).post(url(exercise, "publish"))

    assert is_open_to(exercise, enrol(cohort))
    assert not is_open_to(exercise, elsewhere)


def test_taking_back_what_is_not_published_says_so(exercise: Exercise, cohort: Cohort) -> None:
    client = signed_in(enrol(cohort, role="instructor").user)

    answer = client.post(url(exercise, "unpublish"), follow=True)

    assert "was not published" in answer.content.decode()


@pytest.mark.parametrize("verb", ["publish", "unpublish"])
@pytest.mark.parametrize(
    ("role", "status"),
    [
        pytest.param("assistant", HTTPStatus.FORBIDDEN, id="assistant"),
        pytest.param("learner", HTTPStatus.NOT_FOUND, id="learner"),
        pytest.param("elsewhere", HTTPStatus.NOT_FOUND, id="instructor of another session"),
        pytest.param("former", HTTPStatus.NOT_FOUND, id="instructor who left"),
        pytest.param("nobody", HTTPStatus.FORBIDDEN, id="nobody"),
    ],
)
def test_no_one_else_may(
    exercise: Exercise, cohort: Cohort, role: str, status: HTTPStatus, verb: str
) -> None:
    if verb == "unpublish":
        publish(exercise, enrol(cohort, role="instructor").user)
    client = Client()
    if role == "elsewhere":
        client = signed_in(enrol(make_cohort(make_session()), role="instructor").user)
    elif role == "former":
        place = enrol(cohort, role="instructor")
        place.left_at = timezone.now()
        place.save()
        client = signed_in(place.user)
    elif role != "nobody":
        client = signed_in(enrol(cohort, role=role).user)

    assert client.post(url(exercise, verb)).status_code == status
    assert is_published(exercise) == (verb == "unpublish")


def test_an_assistant_elsewhere_who_instructs_here_may(exercise: Exercise, cohort: Cohort) -> None:
    person = enrol(make_cohort(exercise.session), role="assistant").user
    enrol(cohort, person, role="instructor")

    signed_in(person).post(url(exercise, "publish"))

    assert is_published(exercise)


@pytest.mark.usefixtures("cohort")
@pytest.mark.parametrize("verb", ["publish", "unpublish"])
def test_looking_at_the_address_changes_nothing(exercise: Exercise, verb: str) -> None:
    client = signed_in(make_user())

    assert client.get(url(exercise, verb)).status_code == HTTPStatus.METHOD_NOT_ALLOWED


def test_a_form_from_elsewhere_is_refused(exercise: Exercise, cohort: Cohort) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(
        enrol(cohort, role="instructor").user, backend="django.contrib.auth.backends.ModelBackend"
    )

    assert client.post(url(exercise, "publish")).status_code == HTTPStatus.FORBIDDEN
    assert not is_published(exercise)


@pytest.mark.parametrize(
    "slugs", [("no-such-session", None), (None, "no-such-exercise"), (None, "of another session")]
)
def test_what_does_not_exist(
    exercise: Exercise, cohort: Cohort, slugs: tuple[str | None, str | None]
) -> None:
    session, other = slugs
    if other == "of another session":
        other = make_exercise().slug
    path = reverse(
        "publish-solution", args=[session or exercise.session.slug, other or exercise.slug]
    )

    answer = signed_in(enrol(cohort, role="instructor").user).post(path)

    assert answer.status_code == HTTPStatus.NOT_FOUND


def test_an_exercise_that_its_session_no_longer_holds_is_not_published(
    exercise: Exercise, cohort: Cohort
) -> None:
    Exercise.objects.filter(pk=exercise.pk).update(retired_at=timezone.now())

    answer = signed_in(enrol(cohort, role="instructor").user).post(url(exercise, "publish"))

    assert answer.status_code == HTTPStatus.NOT_FOUND


def test_the_guide_asks_before_and_says_how_many_read_it(
    exercise: Exercise, cohort: Cohort
) -> None:
    for _learner in range(3):
        enrol(cohort)
    client = signed_in(enrol(cohort, role="instructor").user)
    guide = reverse("session-guide", args=[exercise.session.slug])

    before = client.get(guide).content.decode()
    assert "Learners do not see the solution." in before
    assert "3 learners of your cohorts" in before
    assert f'action="{url(exercise, "publish")}"' in before

    client.post(url(exercise, "publish"))
    after = client.get(guide).content.decode()
    assert "Learners read the solution since" in after
    assert f'action="{url(exercise, "unpublish")}"' in after
    assert f'action="{url(exercise, "publish")}"' not in after


def test_an_assistant_sees_the_state_and_no_button(exercise: Exercise, cohort: Cohort) -> None:
    client = signed_in(enrol(cohort, role="assistant").user)

    page = client.get(reverse("session-guide", args=[exercise.session.slug])).content.decode()

    assert "Learners do not see the solution." in page
    assert url(exercise, "publish") not in page
