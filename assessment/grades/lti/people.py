"""Who a platform's people are here, and their places in a course's cohort."""

import hashlib
from collections.abc import Callable
from typing import TypeVar

from django.db import IntegrityError, OperationalError
from django.utils import timezone

from assessment.cohorts.models import Enrolment, User
from assessment.grades.lti.claims import text_of
from assessment.grades.lti.messages import Claims
from assessment.grades.models import Context, LtiUser, Membership, Platform

Stored = TypeVar("Stored")

_NAME = 150
_TRIES = 4


def person_of(platform: Platform, *, subject: str, names: Claims, sis_id: str) -> LtiUser:
    """Return the person whom this platform knows by ``subject``; a new one is made.

    Nobody is ever recognised by name or address. A platform that is trusted to name people does it
    by the school's own number; administrators are never named that way.
    """
    known = LtiUser.objects.select_related("user", "platform").filter(
        platform=platform, subject=subject
    )
    person = known.first()
    if person is not None:
        _follow_names(person, names)
    else:
        user = _named(sis_id) if platform.names_people else None
        if user is None:
            user = _new_user(platform, subject, names)
        else:
            _close_other_doors(user, names)
        person = LtiUser.objects.create(platform=platform, subject=subject, user=user)
    if platform.names_people and sis_id and not person.user.sis_id:
        _number(person.user, sis_id)
    return person


def until_stored(store: Callable[[], Stored]) -> Stored:
    """Store someone, again where the same person is stored elsewhere at the same moment.

    The other was first, and is found now, or each waited for the other.
    """
    for _ in range(_TRIES - 1):
        try:
            return store()
        except (IntegrityError, OperationalError):
            continue
    return store()


def _named(sis_id: str) -> User | None:
    """Return whose number this is; nobody where two numbers differ in case only."""
    if not sis_id:
        return None
    bearers = list(User.objects.filter(sis_id__iexact=sis_id)[:2])
    if len(bearers) != 1:
        return None
    (user,) = bearers
    return user if user.is_active and not (user.is_staff or user.is_superuser) else None


def _close_other_doors(user: User, names: Claims) -> None:
    """Give an account that an instructor's list made to the one whose number it bears.

    Whoever wrote the list chose number and address, and may have opened the account's sign-in link:
    password and address end, and with them every session and link. The person comes by the LMS.
    """
    if Enrolment.objects.filter(user=user, made_account=True).exists():
        user.set_unusable_password()
        user.email = text_of(names, "email", longest=254)
        user.save(update_fields=["password", "email"])


def _number(user: User, sis_id: str) -> None:
    """Write the school's number on a person, unless someone else has it."""
    if not User.objects.filter(sis_id__iexact=sis_id).exists():
        user.sis_id = sis_id
        user.save(update_fields=["sis_id"])


def _new_user(platform: Platform, subject: str, names: Claims) -> User:
    first_name, last_name = _names(names)
    user = User(
        username=_username(platform, subject),
        first_name=first_name,
        last_name=last_name,
        email=text_of(names, "email", longest=254),
    )
    user.set_unusable_password()
    user.save()
    return user


def _username(platform: Platform, subject: str) -> str:
    digest = hashlib.sha256(f"{platform.pk}:{subject}".encode()).hexdigest()[:20]
    return f"lti-{digest}"


def _names(names: Claims) -> tuple[str, str]:
    first, last = (text_of(names, name, longest=_NAME) for name in ("given_name", "family_name"))
    return first, last or ("" if first else text_of(names, "name", longest=_NAME))


def _follow_names(person: LtiUser, names: Claims) -> None:
    """Call someone whose account this platform made as it calls them now, where it does."""
    user, (first, last) = person.user, _names(names)
    if user.username != _username(person.platform, person.subject) or not (first or last):
        return
    if (user.first_name, user.last_name) != (first, last):
        user.first_name, user.last_name = first, last
        user.save(update_fields=["first_name", "last_name"])


def place(context: Context, person: LtiUser, role: Enrolment.Role) -> Enrolment:
    """Give a person the place in the cohort that the LMS says.

    A place that was given here, by hand, keeps its role; one that came from the LMS follows it.
    """
    membership = (
        Membership.objects.select_related("enrolment")
        .filter(context=context, person=person)
        .first()
    )
    if membership is None:
        enrolment, made = Enrolment.objects.get_or_create(
            cohort=context.cohort, user=person.user, defaults={"role": role}
        )
        # Someone whom the LMS knows by another id since then keeps the place that it gave.
        made = made or enrolment.lti_memberships.filter(gave_place=True).exists()
        Membership.objects.create(
            context=context, person=person, enrolment=enrolment, gave_place=made
        )
    else:
        enrolment = membership.enrolment
        Membership.objects.filter(pk=membership.pk).update(is_active=True, seen_at=timezone.now())
        made = membership.gave_place
    if made and (enrolment.left_at is not None or enrolment.role != role):
        enrolment.left_at, enrolment.role = None, role
        enrolment.save(update_fields=["left_at", "role"])
    return enrolment
