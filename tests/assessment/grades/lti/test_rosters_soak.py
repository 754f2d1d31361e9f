"""Lists of people are followed while these people launch: nobody waits for long, nothing fails."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from assessment.grades.lti.rosters import read_roster
from assessment.grades.models import Context, Membership
from tests.assessment.grades.lti.conftest import INSTRUCTOR, launch
from tests.assessment.grades.lti.platform_double import CLAIM, ROLE, PlatformDouble

pytestmark = [pytest.mark.soak, pytest.mark.django_db(transaction=True)]

_PEOPLE = [f"person-{number:03}" for number in range(60)]


def in_course(number: int) -> dict[str, object]:
    """Return what a launch says of its course."""
    return {f"{CLAIM}context": {"id": f"course-{number}", "title": f"Course {number}"}}


def test_launches_and_lists_of_two_courses_at_once_hold_up_nobody(lms: PlatformDouble) -> None:
    lms.page_size = len(_PEOPLE) + 1
    lms.members = [{"user_id": INSTRUCTOR["sub"], "roles": [f"{ROLE}Instructor"]}]
    # Each list calls people otherwise than the launches do: names change all the time.
    lms.members += [
        {"user_id": who, "roles": [f"{ROLE}Learner"], "given_name": "Bea"} for who in _PEOPLE
    ]
    for number in (1, 2):
        launch(lms, INSTRUCTOR | in_course(number))
    contexts = list(Context.objects.select_related("deployment__platform"))

    def follow(context: Context) -> Callable[[], None]:
        def read() -> None:
            for _ in range(3):
                read_roster(context)

        return read

    def arrive(number: int) -> Callable[[], None]:
        def come() -> None:
            for who in _PEOPLE[number::3]:
                arrived = launch(lms, {"sub": who, **in_course(1 + number % 2)})
                assert arrived.status_code == 302

        return come

    def run(job: Callable[[], None]) -> None:
        try:
            job()
        finally:
            connection.close()

    jobs = [*map(follow, contexts), *map(arrive, range(3))]
    with ThreadPoolExecutor(len(jobs)) as pool:
        list(pool.map(run, jobs))

    assert Membership.objects.count() == 2 * (len(_PEOPLE) + 1)
