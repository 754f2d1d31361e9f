"""Which server sends e-mail, read from the environment."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from assessment.config.mail import MailServer, mail_server


@pytest.fixture(autouse=True)
def sender(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMAIL_FROM", "course@example.org")
    monkeypatch.delenv("EMAIL_URL", raising=False)
    monkeypatch.delenv("EMAIL_URL_FILE", raising=False)


def test_without_an_address_there_is_none() -> None:
    assert mail_server() is None


@pytest.mark.parametrize(
    ("url", "host", "port", "user", "password", "starttls", "tls"),
    [
        (
            "smtp+starttls://u:p%40@mail.example.org",
            "mail.example.org",
            587,
            "u",
            "p@",
            True,
            False,
        ),
        ("smtps://u:p@mail.example.org:4650/", "mail.example.org", 4650, "u", "p", False, True),
        ("smtp://localhost", "localhost", 25, "", "", False, False),
    ],
)
def test_the_address_says_how_to_connect(
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    host: str,
    port: int,
    user: str,
    password: str,
    *,
    starttls: bool,
    tls: bool,
) -> None:
    monkeypatch.setenv("EMAIL_URL", url)

    assert mail_server() == MailServer(
        host, port, user, password, starttls=starttls, tls=tls, sender="course@example.org"
    )


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("mail.example.org", id="no scheme"),
        pytest.param("http://u:sesame@mail.example.org", id="another scheme"),
        pytest.param("smtp://u:sesame@", id="no host"),
        pytest.param("smtp://u:sesame@mail:x", id="no port"),
        pytest.param("smtp://u:sesame@mail:99999", id="a port too high"),
        pytest.param("smtps://u:sesame@mail/?tls=1", id="a query"),
        pytest.param("smtps://u:sesame@[mail", id="an open bracket"),
    ],
)
def test_what_cannot_be_read_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("EMAIL_URL", url)

    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL") as refused:
        mail_server()

    assert "sesame" not in str(refused.value)


@pytest.mark.parametrize("sender", ["", "the course", "a@example.org, b@example.org"])
def test_a_server_without_a_sender_is_refused(monkeypatch: pytest.MonkeyPatch, sender: str) -> None:
    monkeypatch.setenv("EMAIL_URL", "smtp://localhost")
    monkeypatch.setenv("EMAIL_FROM", sender)

    with pytest.raises(ImproperlyConfigured, match="EMAIL_FROM"):
        mail_server()
