"""The LMS's list of people: followed whole or not at all, and nobody's work is lost."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.test import Client as Browser
from django.utils import timezone

from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.grades.lti.rosters import read_roster
from assessment.grades.models import Context, LineItem, LtiUser, Membership, Platform
from assessment.grades.tasks import follow_rosters
from tests.assessment.grades.lti.conftest import INSTRUCTOR, launch
from tests.assessment.grades.lti.platform_double import CLAIM, ROLE, PlatformDouble
from tests.factories import enrol, make_exercise, make_submission, make_user

pytestmark = pytest.mark.django_db


def member(subject: str, *roles: str, **fields: Any) -> dict[str, Any]:
    """Return a line of the list."""
    named = [ROLE + role for role in roles or ("Learner",)]
    return {"user_id": subject, "roles": named, "status": "Active", "name": subject} | fields


TEACHING_ASSISTANT = ROLE.replace("#", "/Instructor#TeachingAssistant")
TEACHER = member("lms-teacher", "Instructor")


@pytest.fixture
def context(lms: PlatformDouble) -> Context:
    """Return a course whose instructor was here once."""
    launch(lms, INSTRUCTOR)
    return Context.objects.get()


def active(cohort: Cohort) -> set[str]:
    """Return the subjects of those who have a place."""
    places = Enrolment.objects.active().filter(cohort=cohort)
    return set(places.values_list("user__lti_users__subject", flat=True))


def test_all_pages_are_read_and_everyone_gets_a_place(
    lms: PlatformDouble, context: Context
) -> None:
    lms.members = [
        TEACHER,
        member("ada", given_name="Ada", family_name="Lovelace", email="ada@example.org"),
        member("bea"),
        member("tina", "Instructor") | {"roles": [f"{ROLE}Instructor", TEACHING_ASSISTANT]},
        member("mia", "Mentor"),
        member("gone", status="Deleted"),
    ]

    report = read_roster(context)

    assert active(context.cohort) == {"lms-teacher", "ada", "bea", "tina"}
    assert (report.joined, report.present) == (["ada", "bea", "tina"], 4)
    assert report.without_place == ["mia"]
    ada = LtiUser.objects.get(subject="ada").user
    assert (ada.first_name, ada.email) == ("Ada", "ada@example.org")
    assert read_roster(context).joined == []


def test_those_who_are_no_longer_listed_leave_and_their_work_stays(
    lms: PlatformDouble, context: Context
) -> None:
    lms.members = [TEACHER, member("ada"), member("bea")]
    read_roster(context)
    exercise = make_exercise()
    ada = Enrolment.objects.get(user__lti_users__subject="ada")
    submission = make_submission(ada, exercise)

    lms.members = [TEACHER, member("bea"), member("ada", status="Inactive")]
    report = read_roster(context)

    assert active(context.cohort) == {"lms-teacher", "bea"}
    assert len(report.left) == 1
    submission.refresh_from_db()
    lms.members = [TEACHER, member("ada"), member("bea")]
    assert read_roster(context).joined == ["ada"]
    ada.refresh_from_db()
    assert ada.left_at is None


def test_places_given_by_hand_are_left_alone(lms: PlatformDouble, context: Context) -> None:
    own = enrol(context.cohort)
    lms.members = [TEACHER, member("ada")]
    read_roster(context)

    own.refresh_from_db()
    assert own.left_at is None


def test_a_role_given_by_hand_stays_and_is_reported(lms: PlatformDouble, context: Context) -> None:
    Platform.objects.update(names_people=True)
    assistant = enrol(context.cohort, make_user("emil", sis_id="S-7"), role="assistant")
    lms.members = [TEACHER, member("emil", lis_person_sourcedid="S-7")]

    report = read_roster(Context.objects.get())

    assistant.refresh_from_db()
    assert assistant.role == Enrolment.Role.ASSISTANT
    assert report.differing == ["emil"]


def test_a_role_that_the_lms_changes_is_followed(lms: PlatformDouble, context: Context) -> None:
    lms.members = [TEACHER, member("ada")]
    read_roster(context)
    lms.members = [TEACHER, member("ada", "Instructor")]
    read_roster(context)

    place = Enrolment.objects.get(user__lti_users__subject="ada")
    assert place.role == Enrolment.Role.INSTRUCTOR


@pytest.mark.parametrize(
    "members",
    [
        pytest.param([], id="empty"),
        pytest.param([{"roles": []}], id="without ids"),
        pytest.param([{"user_id": 7}], id="ids that are no text"),
        pytest.param([TEACHER | {"roles": ["Lehrkraft"]}], id="roles of no standard"),
    ],
)
def test_an_unusable_list_takes_nobody_out(
    lms: PlatformDouble, context: Context, members: list[dict[str, Any]]
) -> None:
    lms.members = members

    report = read_roster(context)

    assert (report.refused, report.left) == (True, [])
    assert active(context.cohort) == {"lms-teacher"}


def test_who_came_while_the_list_was_read_keeps_the_place(
    lms: PlatformDouble, context: Context
) -> None:
    launch(lms, {"sub": "ada"})
    launch(lms, {"sub": "bea"})
    Membership.objects.filter(person__subject="bea").update(
        seen_at=timezone.now() + timedelta(seconds=30)
    )
    lms.members = [TEACHER]

    read_roster(context)

    assert active(context.cohort) == {"lms-teacher", "bea"}


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("<{url}>; rel=next", id="no quotes"),
        pytest.param('<{url}>; title="more"; rel="next last"', id="several relations"),
        pytest.param('</x>; rel="differences", <{url}>;rel="NEXT"', id="another before it"),
    ],
)
def test_a_page_is_followed_however_the_lms_writes_it(
    lms: PlatformDouble, context: Context, link: str
) -> None:
    lms.members = [TEACHER, member("ada"), member("bea")]
    lms.next_link = link

    read_roster(context)

    assert active(context.cohort) == {"lms-teacher", "ada", "bea"}


def test_a_list_that_leads_in_a_circle_is_left(lms: PlatformDouble, context: Context) -> None:
    lms.members = [TEACHER, member("ada"), member("bea")]
    lms.next_link = f'<{lms.origin}/course/members>; rel="next"'
    browser = Browser()
    browser.force_login(User.objects.get(lti_users__subject="lms-teacher"))

    response = browser.post(f"/lms/courses/{context.pk}/roster/", follow=True)

    assert "leads back to a page" in response.content.decode()
    assert active(context.cohort) == {"lms-teacher"}


def test_columns_that_lead_in_a_circle_do_not_keep_people_out(
    lms: PlatformDouble, context: Context
) -> None:
    lms.members = [TEACHER, member("ada")]
    lms.line_items = [{"id": f"{lms.origin}/course/lineitems/{n}"} for n in range(3)]
    lms.next_link = f'<{lms.origin}/course/lineitems>; rel="next"'
    browser = Browser()
    browser.force_login(User.objects.get(lti_users__subject="lms-teacher"))

    response = browser.post(f"/lms/courses/{context.pk}/roster/", follow=True)

    assert "The columns of the course were not read" in response.content.decode()
    assert active(context.cohort) == {"lms-teacher", "ada"}


def test_someone_whom_the_lms_knows_by_another_id_now_keeps_the_place(
    lms: PlatformDouble, context: Context
) -> None:
    Platform.objects.update(names_people=True)
    lms.members = [TEACHER, member("before", lis_person_sourcedid="S-1")]
    read_roster(context)
    lms.members = [TEACHER, member("merged", lis_person_sourcedid="S-1")]

    report = read_roster(context)
    read_roster(context)

    place = LtiUser.objects.get(subject="merged").user.enrolments.get()
    assert place.left_at is None
    assert report.left == [str(place.user)]
    lms.members = [TEACHER]
    read_roster(context)
    assert active(context.cohort) == {"lms-teacher"}


def test_names_follow_the_lms_where_it_made_the_account(
    lms: PlatformDouble, context: Context
) -> None:
    lms.members = [TEACHER, member("ada", name="")]
    read_roster(context)
    for first, last in (("Ada", "Byron"), ("Ada", "Lovelace"), ("", "")):
        lms.members[1] |= {"given_name": first, "family_name": last}
        read_roster(context)

    assert str(LtiUser.objects.get(subject="ada").user) == "Ada Lovelace"


def test_texts_that_no_database_stores_stop_nobody(lms: PlatformDouble, context: Context) -> None:
    lms.members = [
        TEACHER,
        member("ada", given_name="A\x00d\ud800a", name=["x"], lis_person_sourcedid=7),
        member("no\x00body"),
        member("\ud800"),
        member("bea", status=["Active"]),
    ]

    read_roster(context)

    assert active(context.cohort) == {"lms-teacher", "ada", "bea"}


def test_columns_whose_address_is_too_long_or_none_are_left(
    lms: PlatformDouble, context: Context
) -> None:
    exercise = make_exercise()
    lms.line_items = [
        {"id": url, "resourceId": exercise.slug, "resourceLinkId": 7}
        for url in ("https://lms.example/" + "x" * 1000, "javascript:1", f"{lms.origin}/item")
    ]
    lms.members = [TEACHER]

    read_roster(context)

    assert LineItem.objects.get().url == f"{lms.origin}/item"


def test_an_answer_that_is_no_list_changes_nothing(lms: PlatformDouble, context: Context) -> None:
    browser = Browser()
    browser.force_login(User.objects.get(lti_users__subject="lms-teacher"))

    answers: list[Any] = [[], {}, {"members": {}}, "x", 7, None, "[" * 20_000]
    for answer in answers:
        lms.get = lambda *_, answer=answer: (200, answer, {})  # type: ignore[method-assign]  # any answer
        response = browser.post(f"/lms/courses/{context.pk}/roster/", follow=True)

        assert "nothing changed" in response.content.decode(), answer
    assert active(context.cohort) == {"lms-teacher"}


def test_a_failure_on_the_second_page_changes_nothing(
    lms: PlatformDouble, context: Context
) -> None:
    lms.members = [TEACHER, member("ada"), member("bea")]
    read_roster(context)
    get = lms.get

    def fail_later(path: str, headers: dict[str, str]) -> Any:  # noqa: ANN401 (the double's own)
        return (503, {}, {}) if "start=2" in path else get(path, headers)

    lms.members = [TEACHER, member("cleo"), member("dora")]
    lms.get = fail_later  # type: ignore[method-assign]  # the double fails in the middle
    browser = Browser()
    browser.force_login(User.objects.get(lti_users__subject="lms-teacher"))
    response = browser.post(f"/lms/courses/{context.pk}/roster/", follow=True)

    assert "nothing changed" in response.content.decode()
    assert active(context.cohort) == {"lms-teacher", "ada", "bea"}


def test_numbers_of_the_school_are_written_on_people_only_where_they_are_trusted(
    lms: PlatformDouble, context: Context
) -> None:
    lms.members = [TEACHER, member("ada", lis_person_sourcedid="S-1")]
    read_roster(context)
    assert LtiUser.objects.get(subject="ada").user.sis_id is None

    Platform.objects.update(names_people=True)
    read_roster(Context.objects.get())

    assert LtiUser.objects.get(subject="ada").user.sis_id == "S-1"


def test_columns_that_name_our_exercises_are_found(lms: PlatformDouble, context: Context) -> None:
    exercise = make_exercise()
    lms.members = [TEACHER]
    lms.line_items = [
        {"id": f"{lms.origin}/course/lineitems/{n}", "resourceId": slug, "scoreMaximum": 10}
        for n, slug in enumerate(["other", exercise.slug, None, "x", "y"])
    ]

    read_roster(context)

    item = LineItem.objects.get()
    assert (item.exercise, item.url) == (exercise, f"{lms.origin}/course/lineitems/1")


@pytest.fixture
def tasks_here() -> Iterator[None]:
    """Let tasks run in this process."""
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


@pytest.mark.usefixtures("tasks_here")
def test_a_list_that_is_not_given_stops_no_other(lms: PlatformDouble, context: Context) -> None:
    launch(lms, INSTRUCTOR | {f"{CLAIM}context": {"id": "course-2", "title": "Other"}})
    broken = Context.objects.get(context_id="course-1")
    Context.objects.filter(pk=broken.pk).update(memberships_url=f"{lms.origin}/nothing")
    lms.members = [TEACHER, member("ada")]

    follow_rosters()

    assert "ada" in active(Context.objects.get(context_id="course-2").cohort)
    assert "ada" not in active(context.cohort)


def test_a_staff_member_reads_the_list_from_the_page_and_others_do_not(
    lms: PlatformDouble, context: Context
) -> None:
    lms.members = [TEACHER, member("ada")]
    browser = Browser()
    browser.force_login(User.objects.get(lti_users__subject="lms-teacher"))

    page = browser.post(f"/lms/courses/{context.pk}/roster/")

    assert page.status_code == 200
    assert "ada" in page.content.decode()
    browser.force_login(User.objects.get(lti_users__subject="ada"))
    assert browser.post(f"/lms/courses/{context.pk}/roster/").status_code == 404
