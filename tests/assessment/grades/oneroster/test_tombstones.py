"""What is taken back stays to be seen: as deleted, with a new date, where a filter asks for it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone

from assessment.cohorts.models import Cohort, Enrolment
from assessment.grades.models import Assignment, Exemption, FormerTerm, Placement, School, Term
from rubrics.models import Scale
from tests.assessment.grades.oneroster.conftest import ROSTER, Classroom, Lms
from tests.factories import make_cohort, make_exercise, make_session, make_user

pytestmark = pytest.mark.django_db

Rows = dict[str, dict[str, Any]]


class Follower:
    """A client that asks each collection for what changed after the last time it was told."""

    def __init__(self, lms: Lms, *paths: str) -> None:
        self._lms, self._paths = lms, paths
        self._marks = dict.fromkeys(paths, "1970-01-01T00:00:00Z")
        self.news()

    def news(self) -> dict[str, Rows]:
        """Return the rows that changed, by collection and id."""
        found: dict[str, Rows] = {}
        for path in self._paths:
            rows = self._lms.rows(path, filter=f"dateLastModified>'{self._marks[path]}'")
            found[path] = {row["sourcedId"]: row for row in rows}
            moments = [row["dateLastModified"] for row in rows]
            self._marks[path] = max([self._marks[path], *moments])
        return found


def statuses(rows: Rows) -> set[str]:
    """Return the statuses among some rows."""
    return {row["status"] for row in rows.values()}


def test_a_session_taken_out_of_a_cohort_takes_everything_along_and_brings_it_back(
    lms: Lms, classroom: Classroom
) -> None:
    session = classroom.exercise.session
    Scale.objects.create(session=session).levels.create(number=2, criterion="executes")
    kinds = ("lineItems", "results", "categories", "scoreScales", "assessmentLineItems")
    follower = Follower(lms, *kinds, "assessmentResults")
    before = {kind: len(lms.rows(kind)) for kind in (*kinds, "assessmentResults")}

    classroom.cohort.sessions.remove(session)

    for kind, found in follower.news().items():
        assert lms.rows(kind) == [], kind
        assert (len(found), statuses(found)) == (before[kind], {"tobedeleted"}), kind
        assert len(lms.rows(kind, filter="status='tobedeleted'")) == before[kind], kind
        single = lms.get(f"{kind}/{next(iter(found))}").json()
        assert next(iter(single.values()))["status"] == "tobedeleted", kind

    classroom.cohort.sessions.add(session)

    for kind, found in follower.news().items():
        assert (len(found), statuses(found)) == (before[kind], {"active"}), kind
        assert len(lms.rows(kind)) == before[kind], kind


@pytest.mark.parametrize("way", ["clear", "set", "from the session"])
def test_every_way_to_take_sessions_away_is_noticed(
    lms: Lms, classroom: Classroom, way: str
) -> None:
    follower = Follower(lms, "lineItems")
    session = classroom.exercise.session

    if way == "clear":
        classroom.cohort.sessions.clear()
    elif way == "set":
        classroom.cohort.sessions.set([make_session()])
    else:
        session.cohorts.remove(classroom.cohort)

    assert statuses(follower.news()["lineItems"]) == {"tobedeleted"}


def test_a_session_given_later_is_news_for_everyone(lms: Lms, classroom: Classroom) -> None:
    follower = Follower(lms, "lineItems", "results")

    classroom.cohort.sessions.add(make_exercise().session)

    news = follower.news()
    assert (len(news["lineItems"]), len(news["results"])) == (1, 4)


def test_an_exercise_that_is_withdrawn_and_comes_back(lms: Lms, classroom: Classroom) -> None:
    follower = Follower(lms, "lineItems", "results")

    classroom.exercise.retired_at = timezone.now()
    classroom.exercise.save(update_fields=["retired_at"])

    news = follower.news()
    assert statuses(news["lineItems"]) == statuses(news["results"]) == {"tobedeleted"}
    assert (lms.rows("lineItems"), lms.rows("results")) == ([], [])

    classroom.exercise.retired_at = None
    classroom.exercise.save(update_fields=["retired_at"])

    news = follower.news()
    assert statuses(news["lineItems"]) == statuses(news["results"]) == {"active"}


def _leave(place: Enrolment) -> None:
    place.left_at = timezone.now()
    place.save(update_fields=["left_at"])


def _assist(place: Enrolment) -> None:
    place.role = Enrolment.Role.ASSISTANT
    place.save(update_fields=["role"])


def _end_many(place: Enrolment) -> None:
    Enrolment.objects.filter(pk=place.pk).update(left_at=timezone.now())


@pytest.mark.parametrize(
    "end", [_leave, _assist, _end_many], ids=["left", "assists now", "ended by an update"]
)
def test_a_learner_who_is_none_any_more_and_comes_back(
    lms: Lms, classroom: Classroom, end: Callable[[Enrolment], None]
) -> None:
    students = f"{ROSTER}students"
    follower = Follower(lms, "results", students, f"{ROSTER}enrollments")
    place = classroom.zero

    end(place)

    news = follower.news()
    (result,) = news["results"].values()
    assert (result["status"], result["student"]["sourcedId"]) == (
        "tobedeleted",
        str(place.user_id),
    )
    assert news[students][str(place.user_id)]["status"] == "tobedeleted"
    assert str(place.pk) in news[f"{ROSTER}enrollments"]
    assert str(place.user_id) not in {row["sourcedId"] for row in lms.rows(students)}

    Enrolment.objects.filter(pk=place.pk).update(left_at=None, role=Enrolment.Role.LEARNER)

    news = follower.news()
    assert [row["status"] for row in news["results"].values()] == ["active"]
    assert news[students][str(place.user_id)]["status"] == "active"
    assert news[f"{ROSTER}enrollments"][str(place.pk)]["status"] == "active"


def test_a_person_is_switched_off_and_never_deleted(lms: Lms, classroom: Classroom) -> None:
    users = f"{ROSTER}users"
    follower = Follower(lms, users)
    person = classroom.idle.user

    with pytest.raises(ProtectedError):
        person.delete()
    with pytest.raises(ProtectedError):
        classroom.cohort.delete()
    person.is_active = False
    person.save()

    (row,) = follower.news()[users].values()
    assert (row["sourcedId"], row["enabledUser"]) == (str(person.pk), "false")


def test_signing_in_is_no_news(lms: Lms, classroom: Classroom) -> None:
    follower = Follower(lms, f"{ROSTER}users")

    classroom.idle.user.last_login = timezone.now()
    classroom.idle.user.save(update_fields=["last_login"])

    assert follower.news() == {f"{ROSTER}users": {}}


def test_a_class_that_is_renamed_or_placed_elsewhere_is_news(
    lms: Lms, classroom: Classroom
) -> None:
    classes = f"{ROSTER}classes"
    follower = Follower(lms, classes)

    classroom.cohort.name = "Another name"
    classroom.cohort.save()

    assert [row["title"] for row in follower.news()[classes].values()] == ["Another name"]

    term = _make_term("Autumn")
    Placement.objects.create(cohort=classroom.cohort, term=term)

    (row,) = follower.news()[classes].values()
    assert row["school"]["sourcedId"] == str(term.school_id)


def _make_term(title: str) -> Term:
    return Term.objects.create(
        school=School.objects.create(name=f"School of {title}"),
        title=title,
        starts_on="2026-09-01",
        ends_on="2027-01-31",
        school_year=2027,
    )


@pytest.mark.parametrize("way", ["another term", "another cohort", "none any more"])
def test_a_term_that_a_cohort_leaves_is_told_as_deleted_and_comes_back(
    lms: Lms, classroom: Classroom, way: str
) -> None:
    kinds = [f"{ROSTER}{name}" for name in ("terms", "gradingPeriods", "schools")]
    term, other = _make_term("Autumn"), _make_term("Spring")
    follower = Follower(lms, *kinds)
    # Where a cohort takes place that nobody placed.
    unplaced = {row["sourcedId"] for kind in kinds for row in lms.rows(kind)}
    placement = Placement.objects.create(cohort=classroom.cohort, term=term)
    for kind, rows in follower.news().items():
        assert statuses({pk: rows[pk] for pk in set(rows) & unplaced}) == {"tobedeleted"}, kind
        assert statuses({pk: rows[pk] for pk in set(rows) - unplaced}) == {"active"}, kind

    if way == "another term":
        placement.term = other
        placement.save()
    elif way == "another cohort":
        placement.cohort = make_cohort()
        placement.save()
    else:
        placement.delete()

    gone = {str(term.pk), str(term.school_id), f"{term.pk}.grading"}
    for kind, rows in follower.news().items():
        deleted = {pk for pk in rows if rows[pk]["status"] == "tobedeleted"}
        assert deleted <= gone | unplaced, kind
        assert len(gone & set(rows)) == 1, kind
        assert not gone & {row["sourcedId"] for row in lms.rows(kind)}, kind

    Placement.objects.filter(cohort=classroom.cohort).delete()
    Placement.objects.create(cohort=classroom.cohort, term=term)

    for kind, rows in follower.news().items():
        assert {rows[pk]["status"] for pk in gone & set(rows)} == {"active"}, kind


def test_a_cohort_that_is_deleted_takes_its_place_in_a_term_along() -> None:
    term = _make_term("Autumn")
    one, other = (
        Placement.objects.create(cohort=make_cohort(), term=term).cohort for _ in range(2)
    )

    one.delete()
    Cohort.objects.filter(pk=other.pk).delete()

    assert not FormerTerm.objects.exists()


def test_a_term_that_is_renamed_is_news(lms: Lms, classroom: Classroom) -> None:
    term = _make_term("Autumn")
    Placement.objects.create(cohort=classroom.cohort, term=term)
    follower = Follower(lms, f"{ROSTER}terms", f"{ROSTER}schools")

    term.title = "Autumn term"
    term.save()

    assert [row["title"] for row in follower.news()[f"{ROSTER}terms"].values()] == ["Autumn term"]
    term.school.name = "Lyceum"
    term.school.save()
    assert [row["name"] for row in follower.news()[f"{ROSTER}schools"].values()] == ["Lyceum"]


def test_a_deadline_that_is_set_moved_or_dropped_is_news(lms: Lms, classroom: Classroom) -> None:
    follower = Follower(lms, "lineItems", "results")
    missing = []

    assignment = Assignment.objects.create(
        cohort=classroom.cohort,
        exercise=classroom.exercise,
        due_at=timezone.now() - timedelta(days=1),
    )
    for change in (assignment.delete, None):
        news = follower.news()
        assert len(news["lineItems"]) == 1
        missing.append([row["missing"] for row in news["results"].values()].count("true"))
        if change:
            change()

    assert missing == [2, 0]


@pytest.mark.django_db(transaction=True)
def test_whatever_shows_in_a_result_is_news_of_that_result_alone(
    lms: Lms, classroom: Classroom
) -> None:
    follower = Follower(lms, "results")
    idle, version = classroom.idle, classroom.exercise.current
    assert version is not None

    def news() -> list[tuple[str, str, str]]:
        rows = follower.news()["results"].values()
        return [
            (row["student"]["sourcedId"], row["scoreStatus"], row["inProgress"]) for row in rows
        ]

    who = str(idle.user_id)
    idle.cases.create(version=version, given={})
    assert news() == [(who, "not submitted", "true")]
    exemption = Exemption.objects.create(
        enrolment=idle, exercise=classroom.exercise, granted_by=classroom.instructor.user
    )
    assert news() == [(who, "exempt", "true")]
    exemption.delete()
    assert news() == [(who, "not submitted", "true")]
    classroom.grade(idle, "1", "1", "1")
    assert news() == [(who, "fully graded", "false")]
    assert news() == []


def test_points_that_were_released_anew_leave_the_former_ones_as_deleted(
    lms: Lms, classroom: Classroom
) -> None:
    follower = Follower(lms, "assessmentResults")

    classroom.grade(classroom.zero, "5", "2.5", "0.5")

    rows = list(follower.news()["assessmentResults"].values())
    assert sorted((row["status"], row.get("score")) for row in rows if "score" in row) == [
        ("active", 0.5),
        ("active", 2.5),
        ("active", 5),
    ]
    assert [row["status"] for row in rows if "score" not in row] == ["tobedeleted"] * 3


def test_a_list_of_people_is_news(lms: Lms, classroom: Classroom) -> None:
    follower = Follower(lms, "results", f"{ROSTER}enrollments")

    with transaction.atomic():
        Enrolment.objects.bulk_create(
            Enrolment(
                cohort=classroom.cohort,
                user=make_user(),
                role=role,
                joined_at=timezone.now() - timedelta(days=9),
            )
            for role in (Enrolment.Role.LEARNER, Enrolment.Role.ASSISTANT)
        )

    news = follower.news()
    assert len(news["results"]) == 1
    roles = sorted(row["role"] for row in news[f"{ROSTER}enrollments"].values())
    assert roles == ["proctor", "student"]
