"""A filter that cannot be read is refused with a hint; it is never an empty success."""

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from urllib.parse import quote

import pytest
from django.test import Client as Browser
from django.utils import timezone

from assessment.review.models import Grade, GradeSequence
from tests.assessment.grades.conftest import Course, lms_headers
from tests.factories import enrol, make_cohort, make_exercise

URL = "/api/v1/grades/"


@pytest.fixture
def headers(course: Course) -> dict[str, str]:
    """Return the LMS's header."""
    return lms_headers(course.lms)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("2026-10-25T00:30:00Z", id="Z"),
        pytest.param("2026-10-25T00:30:00z", id="small z"),
        pytest.param("2026-10-25T00:30:00.123456Z", id="a fraction"),
        pytest.param("2026-10-25T00:30:00%2B00:00", id="escaped plus"),
        pytest.param("2026-10-25T06:00:00%2B05:30", id="half an hour"),
        pytest.param("2026-10-24T20:30:00-04:00", id="behind"),
        pytest.param("2026-10-25T02:30:00%2B02:00", id="repeated hour, first"),
        pytest.param("2026-10-25T02:30:00%2B01:00", id="repeated hour, second"),
    ],
)
def test_times_with_their_offset_are_read(
    course: Course, headers: dict[str, str], client: Browser, text: str
) -> None:
    grade = course.release()
    moment = datetime(2026, 10, 25, 1, 45, tzinfo=UTC)
    Grade.objects.update(released_at=moment, updated_at=moment)

    page = client.get(f"{URL}?updated_since={text}", headers=headers).json()

    assert [row["id"] for row in page["results"]] == [str(grade.pk)]


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        pytest.param("updated_since=2026-10-25T00:30:00", "no offset", id="no offset"),
        pytest.param("updated_since=2026-10-25T00:30:00+00:00", "%2B", id="unescaped plus"),
        pytest.param("updated_since=2026-10-25T00:30:00+0530", "%2B", id="unescaped, no colon"),
        pytest.param("updated_since=2026-10-25", "is no time", id="a date"),
        pytest.param("updated_since=yesterday", "is no time", id="a word"),
        pytest.param("updated_since=1793000000", "is no time", id="seconds"),
        pytest.param("updated_since=2026-02-30T00:00:00Z", "is no time", id="no such day"),
        pytest.param("updated_since=2026-10-25T24:01:00Z", "is no time", id="no such hour"),
        pytest.param("updated_since=0000-01-01T00:00:00Z", "is no time", id="year zero"),
        pytest.param("updated_since=9999-12-31T23:59:59-23:59", "is no time", id="year 10000"),
        pytest.param("updated_since=0001-01-01T00:00:00%2B23:59", "is no time", id="before year 1"),
        pytest.param("updated_since=2026-10-25T00:30:00%2B24:00", "is no time", id="offset"),
        pytest.param("updated_since=" + "9" * 1001, "characters", id="too long"),
        pytest.param("updated_sice=2026-10-25T00:30:00Z", "no parameter", id="misspelt name"),
        pytest.param("cohort=a&cohort=b", "more than once", id="given twice"),
        pytest.param("limit=0", "from 1 to 1000", id="limit too small"),
        pytest.param("limit=1001", "from 1 to 1000", id="limit too large"),
        pytest.param("limit=-1", "from 1 to 1000", id="negative limit"),
        pytest.param("limit=ten", "from 1 to 1000", id="no number"),
        pytest.param("limit=%D9%A3", "from 1 to 1000", id="foreign digits"),
        pytest.param("cursor=nonsense", "no cursor", id="nonsense"),
        pytest.param("cursor=e30", "no cursor", id="an empty object"),
        pytest.param("cursor=W10", "no cursor", id="a list"),
        pytest.param("cursor=%00", "no cursor", id="a null character"),
        pytest.param("cursor=" + quote("é"), "no cursor", id="an accent"),
        pytest.param(
            "cursor=eyJhZnRlciI6LTEsImNvaG9ydCI6IiIsInJlYWNoIjoiIn0", "no cursor", id="negative"
        ),
        pytest.param(
            "cursor=eyJhZnRlciI6MWU5OTksImNvaG9ydCI6IiIsInJlYWNoIjoiIn0",
            "no cursor",
            id="infinite",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_hint(
    course: Course, headers: dict[str, str], client: Browser, query: str, hint: str
) -> None:
    course.release()

    answer = client.get(f"{URL}?{query}", headers=headers)

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == HTTPStatus.BAD_REQUEST
    assert hint in str(body["errors"])


def test_updated_since_is_inclusive(
    course: Course, headers: dict[str, str], client: Browser
) -> None:
    first = course.release(learner=enrol(course.cohort))
    second = course.release(learner=enrol(course.cohort))
    (row,) = client.get(
        URL, {"updated_since": second.updated_at.isoformat()}, headers=headers
    ).json()["results"]
    assert row["id"] == str(second.pk)

    both = client.get(URL, {"updated_since": first.updated_at.isoformat()}, headers=headers)
    later = second.updated_at + timedelta(microseconds=1)
    none = client.get(URL, {"updated_since": later.isoformat()}, headers=headers)

    assert len(both.json()["results"]) == 2
    assert none.json()["results"] == []


def test_times_follow_the_order_of_changes_even_if_the_clock_goes_back(course: Course) -> None:
    ahead = timezone.now() + timedelta(hours=1)
    GradeSequence.objects.update_or_create(pk=1, defaults={"last": 0, "last_at": ahead})

    grades = [course.release(learner=enrol(course.cohort)) for _ in range(2)]

    first, second = (grade.updated_at for grade in grades)
    assert ahead <= first <= second


def test_the_cohort_filter_narrows_and_the_cursor_remembers_it(
    course: Course, headers: dict[str, str], client: Browser
) -> None:
    other = make_cohort(course.exercise.session)
    enrol(other, course.instructor, role="instructor")
    course.lms.cohorts.add(other)
    mine = [course.release(learner=enrol(course.cohort)) for _ in range(2)]
    theirs = course.release(learner=enrol(other))

    query = {"cohort": course.cohort.slug, "limit": "1"}
    page = client.get(URL, query, headers=headers).json()
    rest = client.get(page["next"], headers=headers).json()

    assert [row["id"] for row in page["results"] + rest["results"]] == [str(g.pk) for g in mine]
    assert rest["next"] is None
    everything = client.get(URL, headers=headers).json()["results"]
    assert str(theirs.pk) in {row["id"] for row in everything}
    mixed = client.get(URL, {"cohort": other.slug, "cursor": page["cursor"]}, headers=headers)
    assert mixed.status_code == HTTPStatus.BAD_REQUEST


def test_a_cohort_out_of_reach_does_not_exist(
    course: Course, headers: dict[str, str], client: Browser
) -> None:
    answers = [
        client.get(URL, {"cohort": slug}, headers=headers)
        for slug in (make_cohort(make_exercise().session).slug, "no-such", course.cohort.slug)
    ]

    assert [answer.status_code for answer in answers] == [
        HTTPStatus.NOT_FOUND,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.OK,
    ]
    first, second = (answer.json()["detail"] for answer in answers[:2])
    assert first == second


def test_a_cohort_bound_later_asks_for_a_new_start_instead_of_being_skipped(
    course: Course, headers: dict[str, str], client: Browser
) -> None:
    other = make_cohort(course.exercise.session)
    enrol(other, course.instructor, role="instructor")
    early = course.release(learner=enrol(other))
    course.release()
    sync = client.get(URL, headers=headers).json()["sync"]

    course.lms.cohorts.add(other)

    answer = client.get(URL, {"cursor": sync}, headers=headers)
    assert answer.status_code == HTTPStatus.GONE
    assert "Start again" in answer.json()["detail"]
    rows = client.get(URL, headers=headers).json()["results"]
    assert str(early.pk) in {row["id"] for row in rows}


def test_a_cursor_ahead_of_a_restored_database_asks_for_a_new_start(
    course: Course, headers: dict[str, str], client: Browser
) -> None:
    course.release()
    sync = client.get(URL, headers=headers).json()["sync"]
    Grade.objects.all().delete()
    GradeSequence.objects.all().delete()

    assert client.get(URL, {"cursor": sync}, headers=headers).status_code == HTTPStatus.GONE


def test_an_unchanged_page_is_not_sent_again(
    course: Course, headers: dict[str, str], client: Browser
) -> None:
    course.release(learner=enrol(course.cohort))
    first = client.get(URL, headers=headers)

    again = client.get(URL, headers=headers | {"If-None-Match": first["ETag"]})
    course.release(learner=enrol(course.cohort))
    changed = client.get(URL, headers=headers | {"If-None-Match": first["ETag"]})

    assert (again.status_code, again.content) == (HTTPStatus.NOT_MODIFIED, b"")
    assert changed.status_code == HTTPStatus.OK
    assert "private" in first["Cache-Control"]
    assert "Authorization" in first["Vary"]
