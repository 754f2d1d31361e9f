"""Changing one's own password, and what to do when it is forgotten."""

import re
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from smtplib import SMTPException, SMTPRecipientsRefused

import pytest
from celery import current_app
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client as Browser
from pytest_django import Settings

from assessment.cohorts.mailing import mail_forgotten
from assessment.cohorts.models import Cohort, Invitation, User
from assessment.cohorts.pages import passwords
from assessment.cohorts.pages.passwords import ASKS_OF_AN_ADDRESS, CHANGES_OF_A_PERSON
from assessment.cohorts.throttling import Counter
from assessment.config.mail import MailServer
from tests.assessment.cohorts.conftest import browser_of
from tests.assessment.cohorts.test_sign_in_links import NEW, PASSWORD, made_for
from tests.factories import make_user
from tests.queue import Broker

REFUSING = "tests.assessment.cohorts.test_passwords.Refusing"
CHANGE = {"old_password": "secret", **NEW}


SERVER = MailServer(
    *("mail.example.org", 587, "", ""), starttls=True, tls=False, sender="course@example.org"
)


class Refusing(BaseEmailBackend):
    """A mail server that knows none of the people it is given."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Refuse them as a server does that answers 550."""
        refused = {each: (550, b"unknown") for message in email_messages for each in message.to}
        raise SMTPRecipientsRefused(refused)


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch, broker: Broker) -> None:  # noqa: ARG001 (it counts)
    """Count anew: for a while after a failure nothing is asked."""
    monkeypatch.setattr(passwords, "_counter", Counter())


@pytest.fixture
def mail_server(settings: Settings, counter: None) -> Iterator[None]:  # noqa: ARG001 (it counts)
    """Configure a mail server, and let tasks run in this process, where its mails can be read."""
    settings.MAIL_SERVER = SERVER
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


@pytest.mark.django_db
def test_a_changed_password_signs_other_browsers_out() -> None:
    user = make_user("ada")
    here, elsewhere = browser_of(user), browser_of(user)
    help_text = "at least 8 characters"
    assert help_text in here.get("/password/").content.decode()

    page = here.post("/password/", CHANGE, follow=True).content.decode()

    assert "Your password is changed" in page
    assert here.get("/sessions/").status_code == HTTPStatus.OK
    assert elsewhere.get("/sessions/").status_code == HTTPStatus.FOUND
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        pytest.param({**CHANGE, "old_password": "guess"}, "was entered incorrectly", id="old"),
        pytest.param({**CHANGE, "new_password2": "another"}, "didn’t match", id="differs"),
        pytest.param({}, "This field is required", id="empty"),
        pytest.param(
            {"old_password": "secret", "new_password1": "ada-ada1", "new_password2": "ada-ada1"},
            "too similar to the username",
            id="like the name",
        ),
    ],
)
@pytest.mark.django_db
def test_a_password_that_cannot_be_is_refused(form: dict[str, str], said: str) -> None:
    user = make_user("ada-ada")

    page = browser_of(user).post("/password/", form).content.decode()

    assert said in page
    user.refresh_from_db()
    assert user.check_password("secret")


@pytest.mark.usefixtures("counter")
@pytest.mark.django_db
def test_the_old_password_is_not_guessed_at_an_open_screen() -> None:
    browser = browser_of(make_user())
    guess = {**CHANGE, "old_password": "guess"}

    # The minute may change once on the way.
    answers = [browser.post("/password/", guess) for _ in range(2 * CHANGES_OF_A_PERSON + 1)]

    assert answers[0].status_code == HTTPStatus.OK
    refused = [each for each in answers if each.status_code == HTTPStatus.TOO_MANY_REQUESTS]
    assert "Nothing was changed" in refused[0].content.decode()


@pytest.mark.django_db
def test_who_comes_from_an_lms_has_no_password_to_change() -> None:
    user = make_user()
    user.set_unusable_password()
    user.save()
    browser = browser_of(user)

    page = browser.get("/password/").content.decode()
    assert "has no password" in page
    assert "Change your password</a>" not in page
    assert browser.post("/password/", CHANGE).status_code == HTTPStatus.FORBIDDEN


@pytest.mark.django_db
def test_a_stranger_signs_in_first() -> None:
    assert Browser().get("/password/").headers["Location"] == "/sign-in/?next=/password/"


@pytest.mark.django_db
def test_without_a_mail_server_the_page_says_whom_to_ask() -> None:
    assert "/forgotten/" in Browser().get("/sign-in/").content.decode()

    page = Browser().get("/forgotten/").content.decode()

    assert "Ask your instructor" in page
    assert "Send me a link" not in page
    assert Browser().post("/forgotten/", {"email": "a@b.org"}).status_code == HTTPStatus.OK


def ask(email: str) -> str:
    response = Browser().post("/forgotten/", {"email": email})
    assert response.status_code == HTTPStatus.OK
    return re.sub(r'csrf\w*|value="[^"]*"|"X-CSRFToken[^}]*', "", response.content.decode())


@pytest.mark.usefixtures("mail_server")
@pytest.mark.django_db
def test_a_forgotten_password_is_chosen_anew_by_a_mailed_link() -> None:
    make_user("ada", email="ada@example.org")

    ask("Ada@Example.org")

    (message,) = mail.outbox
    assert message.to == ["ada@example.org"]
    (link,) = re.findall(r"http://testserver(/forgotten/\S+)", str(message.body))
    browser = Browser()
    form = browser.get(link).headers["Location"]
    arrived = browser.post(form, NEW, follow=True)
    assert arrived.redirect_chain[-1][0] == "/sessions/"
    assert User.objects.get().check_password(PASSWORD)
    assert Invitation.objects.get().way == "asked"


@pytest.mark.usefixtures("mail_server")
@pytest.mark.django_db
def test_the_answer_is_the_same_whether_the_account_exists() -> None:
    make_user("ada", email="ada@example.org")
    from_an_lms = make_user("lms", email="lms@example.org")
    from_an_lms.set_unusable_password()
    from_an_lms.save()
    make_user("closed", email="closed@example.org", is_active=False)

    names = ("ada", "nobody", "lms", "closed")
    answers = {ask(f"{name}@example.org") for name in names}

    assert len(answers) == 1
    assert [message.to for message in mail.outbox] == [["ada@example.org"]]


@pytest.mark.usefixtures("mail_server")
@pytest.mark.django_db
def test_a_mailbox_is_written_to_once_however_often_somebody_asks() -> None:
    make_user("ada", email="ada@example.org")

    for email in ("ada@example.org", "ADA@example.org", "ada@example.org"):
        ask(email)

    assert len(mail.outbox) == 1


@pytest.mark.usefixtures("mail_server")
@pytest.mark.django_db
def test_one_address_asks_so_often_and_no_more() -> None:
    answers = [
        Browser().post("/forgotten/", {"email": f"a{n}@example.org"})
        for n in range(2 * ASKS_OF_AN_ADDRESS + 1)
    ]

    refused = [each for each in answers if each.status_code == HTTPStatus.TOO_MANY_REQUESTS]
    assert refused
    assert 1 <= int(refused[0].headers["Retry-After"]) <= 60


@pytest.mark.usefixtures("mail_server")
@pytest.mark.parametrize("email", ["", "ada", f"{'a' * 260}@example.org"])
@pytest.mark.django_db
def test_what_is_no_address_is_refused(email: str) -> None:
    response = Browser().post("/forgotten/", {"email": email})

    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


@pytest.mark.django_db
def test_with_the_broker_away_the_page_says_that_no_mail_goes(settings: Settings) -> None:
    settings.MAIL_SERVER = SERVER

    response = Browser().post("/forgotten/", {"email": "ada@example.org"})

    assert response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert "cannot be sent right now" in response.content.decode()


@pytest.mark.usefixtures("mail_server")
def test_invitations_are_mailed_once_to_those_who_wait(desk: Browser, autumn: Cohort) -> None:
    made_for(autumn)
    without_address = made_for(autumn, "bo").user
    User.objects.filter(pk=without_address.pk).update(email="")
    assert "Send 1 link by e-mail" in desk.get("/cohorts/autumn/").content.decode()

    page = desk.post("/cohorts/autumn/people/links/", {"way": "mail"}, follow=True)
    desk.post("/cohorts/autumn/people/links/", {"way": "mail"})

    assert "1 e-mail sent" in page.content.decode()
    (message,) = mail.outbox
    assert message.to == ["ada@example.org"]
    assert "/link/" in str(message.body)
    assert "/link/" not in message.subject


@pytest.mark.usefixtures("mail_server")
def test_a_mail_server_that_does_not_answer_is_told(
    desk: Browser, autumn: Cohort, settings: Settings
) -> None:
    made_for(autumn)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9

    page = desk.post("/cohorts/autumn/people/links/", {"way": "mail"}, follow=True)

    assert "0 e-mails sent. Then the mail server refused" in page.content.decode()


@pytest.mark.usefixtures("mail_server")
def test_whose_mail_was_not_taken_is_named_and_the_next_try_goes_on_behind_them(
    desk: Browser, autumn: Cohort, settings: Settings
) -> None:
    made_for(autumn)
    made_for(autumn, "bo")
    settings.EMAIL_BACKEND = REFUSING

    page = desk.post("/cohorts/autumn/people/links/", {"way": "mail"}, follow=True)

    assert "0 e-mails sent. Then the mail server refused" in page.content.decode()
    assert "Make the link of ada" in page.content.decode()
    assert "Send 1 link by e-mail" in page.content.decode()


@pytest.mark.usefixtures("mail_server")
@pytest.mark.django_db
def test_who_asks_again_after_a_refusal_of_the_mail_server_is_written_to(
    settings: Settings,
) -> None:
    make_user("grace", email="grace@example.org")
    working = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = REFUSING
    with pytest.raises(SMTPException):
        mail_forgotten("grace@example.org", origin="https://course.example.org")
    settings.EMAIL_BACKEND = working

    mail_forgotten("grace@example.org", origin="https://course.example.org")

    assert [message.to for message in mail.outbox] == [["grace@example.org"]]
