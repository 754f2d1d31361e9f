"""People come from a list: a look at every row first, then all or nothing."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from threading import Barrier, BrokenBarrierError

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client as Browser
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from assessment.cohorts.enrolling import ChangedMeanwhileError, enrol_list
from assessment.cohorts.listing import MAX_PEOPLE
from assessment.cohorts.models import Cohort, Enrolment, PeopleList, User
from assessment.cohorts.recognising import Line, plan
from tests.factories import enrol, make_cohort, make_user

ADD = "/cohorts/autumn/people/add/"
THREE = """\
E-mail,Student ID,First name,Last name,Role,Track
ada@example.org,S-1,Ada,Quist,,
bo@example.org,S-2,Bo,Feng,student,support
,S-3,Emil,Ó Sé,assistant,
"""


def hand_in(desk: Browser, text: str) -> str:
    """Paste lines; return the address of the look."""
    response = desk.post(ADD, {"pasted": text})
    assert response.status_code == HTTPStatus.FOUND, response.content.decode()
    return response.headers["Location"]


def confirm(desk: Browser, address: str, **more: str) -> str:
    """Confirm what the look showed; return the page that follows."""
    page = desk.get(address)
    seen = page.context["digest"]
    return desk.post(address, {"seen": seen, **more}, follow=True).content.decode()


def lines(text: str, desk: Browser) -> list[Line]:
    """Return what the look says of each line."""
    hand_in(desk, text)
    return plan(PeopleList.objects.latest("handed_in_at")).lines


def test_pasted_people_are_looked_at_then_stored(desk: Browser, autumn: Cohort) -> None:
    address = hand_in(desk, THREE)
    look = desk.get(address).content.decode()
    assert "3 people would be added" in look
    assert "Ada Quist" in look
    assert User.objects.count() == 1

    assert "3 people are added" in confirm(desk, address)

    ada = User.objects.get(username="ada@example.org")
    assert (ada.sis_id, ada.first_name, ada.email) == ("S-1", "Ada", "ada@example.org")
    assert not ada.has_usable_password()
    places = autumn.enrolments.exclude(role="instructor").order_by("user__sis_id")
    assert [(place.role, place.track, place.made_account) for place in places] == [
        ("learner", "core", True),
        ("learner", "support", True),
        ("assistant", "core", True),
    ]
    assert places[2].user.username == "S-3"


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_two_lists_at_once_with_the_same_people_one_is_stored(
    desk: Browser, autumn: Cohort
) -> None:
    names = [f"person-{number}" for number in range(500)]
    for order in (names, names[::-1]):
        hand_in(desk, "\n".join(["username", *order]))
    seen = {each: plan(each).digest() for each in PeopleList.objects.all()}
    together = Barrier(len(seen), timeout=0.5)

    def wait(execute: Callable[..., object], sql: str, *rest: object) -> object:
        """Wait for the other, who comes to this point only where nothing keeps them apart."""
        if sql.startswith('INSERT INTO "cohorts_user"'):
            with suppress(BrokenBarrierError):
                together.wait()
        return execute(sql, *rest)

    def store(handed_in: PeopleList) -> bool:
        try:
            with connection.execute_wrapper(wait):
                return bool(enrol_list(handed_in, seen=seen[handed_in], with_instructors=False))
        except ChangedMeanwhileError:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(len(seen)) as pool:
        assert sorted(pool.map(store, seen)) == [False, True]
    assert autumn.enrolments.learners().count() == len(names)


def test_the_same_list_again_changes_nothing(desk: Browser, autumn: Cohort) -> None:
    confirm(desk, hand_in(desk, THREE))
    before = list(Enrolment.objects.values()), list(User.objects.values("pk", "username", "email"))

    address = hand_in(desk, THREE)
    assert "Nothing would change" in desk.get(address).content.decode()
    confirm(desk, address)

    after = list(Enrolment.objects.values()), list(User.objects.values("pk", "username", "email"))
    assert after == before
    assert autumn.enrolments.count() == 4


def test_confirming_twice_stores_once(desk: Browser, autumn: Cohort) -> None:
    address = hand_in(desk, THREE)
    seen = desk.get(address).context["digest"]

    desk.post(address, {"seen": seen})
    again = desk.post(address, {"seen": seen}, follow=True).content.decode()

    assert "stored already" in again
    assert autumn.enrolments.count() == 4


def test_a_file_of_a_spreadsheet_program_is_read(desk: Browser) -> None:
    content = "sep=;\r\nUsername;Group;First Name\r\n00123;x;Zoé\r\n".encode("utf-8-sig")

    response = desk.post(ADD, {"file": SimpleUploadedFile("class.csv", content)}, follow=True)

    page = response.content.decode()
    assert "00123" in page
    assert "Zoé" in page
    assert "not read: group" in page


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("E-Mail-Adresse;Matrikel-Nr.;Vorname;Nachname;Rolle", id="German"),
        pytest.param("Adresse de courriel;Numéro d’identification;Prénom;Nom;Rôle", id="French"),
        pytest.param("Dirección de correo;Matrícula;Nombre;Apellido(s);Rol", id="Spanish"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_file_saved_in_another_language_is_read_with_what_gathers_in_it(
    desk: Browser, autumn: Cohort, header: str, encoding: str
) -> None:
    content = f'{header}\r\n;;;;\r\n\xa0 Q@EXAMPLE.ORG ;00123;Zoé;"Quist; ""Q""";\r\n\r\n'
    file = SimpleUploadedFile("class.csv", content.encode(encoding))
    address = desk.post(ADD, {"file": file}).headers["Location"]

    confirm(desk, address)

    user = autumn.enrolments.learners().get().user
    assert (user.username, user.sis_id, user.first_name, user.last_name) == (
        *("q@example.org", "00123", "Zoé", 'Quist; "Q"'),
    )


@pytest.mark.parametrize(
    ("text", "standing", "remark"),
    [
        pytest.param("username\nnobody-yet", "new", "", id="new"),
        pytest.param("username\nknown", "known", "", id="known by username"),
        pytest.param("sis_id\nS-9", "known", "", id="known by SIS id"),
        pytest.param("username,sis_id\nknown,S-9", "known", "", id="known by both"),
        pytest.param("username\nhere", "here", "", id="here"),
        pytest.param("username,role\nhere,assistant", "here", "Stays learner", id="other role"),
        pytest.param("username\ngone", "here", "Left the cohort", id="left"),
        pytest.param("username,sis_id\nhere,S-9", "conflict", "Another account", id="two claim it"),
        pytest.param("username,sis_id\nfresh,S-9", "conflict", "Another account", id="other's id"),
        pytest.param("username,sis_id\nknown,S-8", "conflict", "another SIS id", id="other id"),
        pytest.param("username\nKNOWN", "conflict", "upper and lower", id="other case"),
        pytest.param("sis_id\ns-9", "conflict", "upper and lower", id="id in other case"),
        pytest.param("email\nk@example.org", "conflict", "e-mail address", id="mailbox known"),
        pytest.param("username\nclosed", "conflict", "closed", id="closed account"),
        pytest.param("username,first name\n,Ada", "unusable", "no username", id="a name alone"),
        pytest.param("username\nada quist", "unusable", "letters, digits", id="no username"),
        pytest.param("email\no'x@example.org", "unusable", "column of its own", id="odd address"),
        pytest.param("email\nada@", "unusable", "no e-mail address", id="no address"),
        pytest.param("username,role\nx,dean", "unusable", "no role", id="no role"),
        pytest.param("username,track\nx,fast", "unusable", "no track", id="no track"),
        pytest.param(f"username\n{'x' * 151}", "unusable", "150 characters", id="too long"),
        pytest.param("username,last name\nx,a\u202eb", "unusable", "cannot be seen", id="unseen"),
    ],
)
def test_each_row_is_what_it_is(
    desk: Browser, autumn: Cohort, winter: Cohort, text: str, standing: str, remark: str
) -> None:
    enrol(winter, make_user("known", sis_id="S-9", email="k@example.org"))
    enrol(autumn, make_user("here"))
    enrol(winter, make_user("closed", is_active=False))
    gone = enrol(autumn, make_user("gone"))
    Enrolment.objects.filter(pk=gone.pk).update(left_at=timezone.now())

    (line,) = lines(text, desk)

    assert (line.standing, remark in line.remark) == (standing, True), line


def test_one_person_twice_in_a_list_is_taken_once(desk: Browser) -> None:
    found = lines("username,sis_id\nada,S-1\nADA,\nbo,s-1\n", desk)

    assert [line.standing for line in found] == ["new", "unusable", "unusable"]
    assert "line 2" in found[1].remark


def test_one_account_that_two_rows_mean_is_taken_once(
    desk: Browser, autumn: Cohort, winter: Cohort
) -> None:
    known = enrol(winter, make_user("known", sis_id="S-9")).user

    page = confirm(desk, hand_in(desk, "username,sis_id\nknown,\n,S-9\n"))

    assert "1 person is added" in page
    assert autumn.enrolments.filter(user=known).count() == 1


def test_names_never_recognise_anybody(desk: Browser) -> None:
    make_user("aq", first_name="Ada", last_name="Quist")

    (line,) = lines("username,first name,last name\nada,Ada,Quist", desk)

    assert line.standing == "new"


def test_a_list_changes_nothing_of_an_account(
    desk: Browser, autumn: Cohort, winter: Cohort
) -> None:
    known = make_user("known", first_name="Own", email="own@example.org")
    enrol(winter, known)
    text = "username,first name,email,sis_id\nknown,Other,other@example.org,S-1"

    confirm(desk, hand_in(desk, text))

    known.refresh_from_db()
    assert (known.first_name, known.email, known.sis_id) == ("Own", "own@example.org", None)
    assert known.has_usable_password()
    assert not autumn.enrolments.get(user=known).made_account


def test_bad_rows_are_left_out_and_named(desk: Browser, autumn: Cohort) -> None:
    address = hand_in(desk, "username,role\nada,\nbo,dean\n")
    assert "1 row is left out" in desk.get(address).content.decode()

    assert "1 person is added" in confirm(desk, address)

    assert not autumn.enrolments.filter(user__username="bo").exists()


def test_what_changed_since_the_look_is_looked_at_again(
    desk: Browser, autumn: Cohort, winter: Cohort
) -> None:
    address = hand_in(desk, THREE)
    seen = desk.get(address).context["digest"]
    enrol(winter, make_user("bo@example.org"))

    page = desk.post(address, {"seen": seen}, follow=True).content.decode()

    assert "something changed since you looked" in page
    assert autumn.enrolments.count() == 1
    assert not User.objects.filter(username="ada@example.org").exists()


def test_new_instructors_are_meant_or_nothing_is_stored(desk: Browser, autumn: Cohort) -> None:
    address = hand_in(desk, "username,role\npia,teacher\nada,\n")

    assert "Nothing was stored" in confirm(desk, address)
    assert autumn.enrolments.count() == 1

    assert "2 people are added" in confirm(desk, address, instructors="1")
    assert autumn.enrolments.get(user__username="pia").role == "instructor"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        pytest.param({}, "one of the two", id="nothing"),
        pytest.param({"pasted": "username"}, "no people below", id="no rows"),
        pytest.param({"pasted": "name\nAda"}, "must be username, email or sis_id", id="no column"),
        pytest.param({"pasted": "login,user name\na,b"}, "say the same", id="a column twice"),
        pytest.param({"pasted": 'username\n"ada'}, "quote left open", id="an open quote"),
        pytest.param({"pasted": "username\n" + "x\n" * 2001}, "at most 2000", id="too many"),
        pytest.param({"pasted": "username\n" + "x" * 300_001}, "at most 300000", id="too long"),
    ],
)
def test_a_list_that_is_none_is_refused_with_the_reason(
    desk: Browser, autumn: Cohort, form: dict[str, str], said: str
) -> None:
    response = desk.post(ADD, form)

    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert said in response.content.decode()
    assert not autumn.people_lists.exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"PK\x03\x04 no text", "another kind of file", id="a workbook"),
        pytest.param(b"username\n" + b"x\n" * 1_000_001, "more than 2 MB", id="too large"),
        pytest.param(b"username\n\x00", "NUL", id="NUL"),
    ],
)
def test_a_file_that_is_no_list_is_refused(desk: Browser, content: bytes, said: str) -> None:
    response = desk.post(ADD, {"file": SimpleUploadedFile("x.csv", content)})

    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert said in response.content.decode()


def test_lists_of_others_and_of_other_cohorts_are_out_of_reach(
    desk: Browser, autumn: Cohort
) -> None:
    address = hand_in(desk, THREE)
    colleague = enrol(autumn, role="instructor").user
    browser = Browser()
    browser.force_login(colleague)
    make_cohort(slug="spring")

    assert browser.get(address).status_code == HTTPStatus.NOT_FOUND
    assert desk.post("/cohorts/spring/people/add/", {"pasted": THREE}).status_code == 404
    assert desk.get(address.replace("autumn", "spring")).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.database
def test_300_people_are_looked_at_and_stored_in_few_queries(
    desk: Browser,
    autumn: Cohort,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    rows = [f"p{n}@example.org,S-{n},Given,Family{n}" for n in range(300)]
    text = "\n".join(["email,sis_id,given name,family name", *rows])
    begun = time.thread_time()

    with django_assert_max_num_queries(50):
        assert "300 people are added" in confirm(desk, hand_in(desk, text))

    assert autumn.enrolments.count() == 301
    assert time.thread_time() - begun < 10


def test_as_many_as_a_list_may_hold_are_looked_at(desk: Browser) -> None:
    text = "username\n" + "\n".join(f"person-{n}" for n in range(MAX_PEOPLE))

    found = lines(text, desk)

    assert [line.standing for line in found] == ["new"] * MAX_PEOPLE
