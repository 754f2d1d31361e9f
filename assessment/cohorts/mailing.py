"""Sends sign-in links by e-mail, where a mail server is configured."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPException
from typing import Final

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.core.cache import caches
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext

from assessment.cohorts.inviting import invite, waiting_in
from assessment.cohorts.models import Cohort, Invitation, User

# Sent while somebody waits for the page, a fraction of a second each.
MOST_AT_ONCE: Final = 100
# One mailbox is written to once in this time, however often somebody asks.
_PAUSE: Final = timedelta(minutes=10)


def is_configured() -> bool:
    """Return whether e-mails can be sent at all."""
    return settings.MAIL_SERVER is not None


def unmailed_in(cohort: Cohort, by: User) -> QuerySet[User]:
    """Return who waits in a cohort, has an address and was sent no link yet: none without mail."""
    if not is_configured():
        return User.objects.none()
    mailed = Invitation.objects.filter(way=Invitation.Way.MAIL).values("user")
    return waiting_in(cohort, by).exclude(email="").exclude(pk__in=mailed)


@dataclass(frozen=True, slots=True)
class Sent:
    """How far sending came; ``trouble`` where the mail server refused or did not answer.

    ``lost`` is whose link it did not take; it counts as made, so that one bad address does not
    stand in the way of all that follow.
    """

    count: int
    trouble: bool = False
    lost: User | None = None


def mail_invitations(people: Iterable[User], *, by: User, origin: str) -> Sent:
    """Send each of them a link, one after the other, at most a hundred; stop at the first trouble.

    ``origin`` is what stands before the path: ``https://course.example.org``.
    """
    count, lost = 0, None
    try:
        with get_connection() as server:
            for person in list(people)[:MOST_AT_ONCE]:
                lost = person
                (path,) = invite([person], by=by, way=Invitation.Way.MAIL).values()
                context = {"person": person, "by": by, "link": origin + path}
                subject = gettext("Your sign-in link")
                _message(person, subject, "invitation", context, server).send()
                count, lost = count + 1, None
    except (SMTPException, OSError):
        return Sent(count, trouble=True, lost=lost)
    return Sent(count)


def mail_forgotten(email: str, *, origin: str) -> None:
    """Send whoever has this address and a password a link to a new one.

    Those who have no password come from their LMS, and go on to.
    """
    mailbox = hashlib.sha256(email.lower().encode()).hexdigest()
    key = f"forgotten:{mailbox}"
    if not caches["shared"].add(key, 1, timeout=_PAUSE.total_seconds()):
        return
    people = list(PasswordResetForm().get_users(email))
    try:
        for person, path in invite(people, by=None, way=Invitation.Way.ASKED).items():
            context = {"person": person, "link": origin + path}
            _message(person, gettext("A new password"), "forgotten", context).send()
    except (SMTPException, OSError):
        caches["shared"].delete(key)  # whoever asks again is not told twice what never came
        raise


def _message(
    person: User,
    subject: str,
    name: str,
    context: dict[str, object],
    server: BaseEmailBackend | None = None,
) -> EmailMessage:
    text = render_to_string(f"cohorts/mail/{name}.txt", context)
    return EmailMessage(subject, text, to=[person.email], connection=server)
