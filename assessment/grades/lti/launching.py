"""Turns a checked launch into a person with a place in a cohort."""

import hashlib
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.grades.lti.addresses import is_callable
from assessment.grades.lti.messages import CLAIM, Claims, LaunchRefusedError
from assessment.grades.models import Context, Deployment, LineItem, LtiUser, Membership, Platform
from exercises.models import Exercise

GRADE_SERVICE = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
ROSTER_SERVICE = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"

_MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
_ID = 255
_NAME = 150
_TITLE = 200
_ADDRESS = 1000


class NotReadyError(Exception):
    """A learner launched before any instructor did: there is no cohort yet."""


class NoPlaceError(Exception):
    """The person's role in the course (an observer, a mentor) has no place here."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who arrived, where, and for which exercise."""

    platform: Platform
    user: User
    context: Context
    enrolment: Enrolment
    exercise: Exercise | None


@transaction.atomic
def arrive(platform: Platform, claims: Claims) -> Arrival:
    """Store what a launch says, and return who arrived where.

    Raises
    ------
    NotReadyError
        The course is not known here yet and the person is no instructor.
    NoPlaceError
        The person is neither learner nor assistant nor instructor of the course.
    LaunchRefusedError
        The person's account is closed, or the launch names no course.
    """
    role = role_of(claims.get(f"{CLAIM}roles"))
    if role is None:
        raise NoPlaceError
    person = person_of(
        platform,
        subject=claims["sub"],
        names=claims,
        sis_id=text_of(_mapping(claims, f"{CLAIM}lis"), "person_sourcedid"),
    )
    if not person.user.is_active:
        raise LaunchRefusedError("The account is closed.")
    context = _context(platform, claims, role)
    enrolment = place(context, person, role)
    exercise = _exercise(claims)
    if exercise is not None:
        context.cohort.sessions.add(exercise.session)
        _remember_line_item(context, exercise, claims)
    return Arrival(platform, person.user, context, enrolment, exercise)


def role_of(roles: object) -> Enrolment.Role | None:
    """Return what someone is in the course, or ``None`` where no role here fits.

    Roles of the institution or the system say nothing about the course.
    """
    found = roles if isinstance(roles, list) else []
    held = [_course_role(name) for name in found if isinstance(name, str)]
    # An assistant is said to be an instructor too, of a certain kind.
    if any(_assists(*role) for role in held):
        return Enrolment.Role.ASSISTANT
    principals = {principal for principal, _kind in held}
    if "Instructor" in principals:
        return Enrolment.Role.INSTRUCTOR
    return Enrolment.Role.LEARNER if "Learner" in principals else None


def _course_role(name: str) -> tuple[str, str]:
    """Return the principal role in the course and its kind; kinds of learners bear any name.

    Names are ``…membership#Instructor``, ``…membership/Instructor#Grader`` or just ``Instructor``.
    """
    vocabulary, _sign, last = name.rpartition("#")
    if vocabulary in {"", _MEMBERSHIP}:
        return last, ""
    path, _slash, principal = vocabulary.rpartition("/")
    return (principal, last) if path == _MEMBERSHIP else ("", "")


def _assists(principal: str, kind: str) -> bool:
    return principal == "TeachingAssistant" or (
        principal == "Instructor" and kind.startswith(("TeachingAssistant", "Grader"))
    )


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


def _context(platform: Platform, claims: Claims, role: Enrolment.Role) -> Context:
    """Return the course; an instructor's first launch makes it a cohort."""
    deployment = Deployment.objects.get(
        platform=platform, deployment_id=claims[f"{CLAIM}deployment_id"]
    )
    named = _mapping(claims, f"{CLAIM}context")
    context_id = text_of(named, "id", longest=_ID + 1)
    if not 0 < len(context_id) <= _ID:
        # Roles hold in a course, and courses that say nothing of themselves are not one.
        raise LaunchRefusedError("The launch does not say which course it comes from.")
    title = text_of(named, "title", longest=_TITLE) or text_of(named, "label", longest=_TITLE)
    context = (
        Context.objects.select_related("cohort")
        .filter(deployment=deployment, context_id=context_id)
        .first()
    )
    if context is None:
        if role is not Enrolment.Role.INSTRUCTOR:
            raise NotReadyError
        context = Context(
            deployment=deployment, context_id=context_id, cohort=_new_cohort(title or platform.name)
        )
    context.title = title or context.title
    grades, roster = _mapping(claims, GRADE_SERVICE), _mapping(claims, ROSTER_SERVICE)
    context.line_items_url = address_of(grades, "lineitems") or context.line_items_url
    context.memberships_url = (
        address_of(roster, "context_memberships_url") or context.memberships_url
    )
    scopes = grades.get("scope")
    if isinstance(scopes, list):
        context.scopes = [scope for scope in scopes if isinstance(scope, str)]
    context.save()
    return context


def _new_cohort(title: str) -> Cohort:
    base = slugify(title)[:60] or "course"
    slug, number = base, 1
    while Cohort.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{base}-{number}"
    return Cohort.objects.create(slug=slug, name=title)


def _exercise(claims: Claims) -> Exercise | None:
    """Return the exercise that the link was made for: what deep linking wrote into it."""
    slug = text_of(_mapping(claims, f"{CLAIM}custom"), "exercise")
    return Exercise.objects.offered().select_related("session").filter(slug=slug).first()


def _remember_line_item(context: Context, exercise: Exercise, claims: Claims) -> None:
    url = address_of(_mapping(claims, GRADE_SERVICE), "lineitem")
    if not url:
        return
    link = text_of(_mapping(claims, f"{CLAIM}resource_link"), "id")
    LineItem.objects.update_or_create(
        context=context, url=url, defaults={"exercise": exercise, "resource_link_id": link}
    )


def _mapping(claims: Claims, name: str) -> dict[str, Any]:
    found = claims.get(name)
    return found if isinstance(found, dict) else {}


def text_of(claims: Claims, name: str, *, longest: int = _ID) -> str:
    """Return a text of the claims, empty where it is none; a bounded part of a long one.

    What nobody sees becomes a blank: no database stores a NUL or half a character.
    """
    found = claims.get(name)
    if not isinstance(found, str):
        return ""
    seen = "".join(sign if sign.isprintable() else " " for sign in found[: 2 * longest])
    return seen.strip()[:longest]


def address_of(claims: Claims, name: str) -> str:
    """Return an address that may be called, empty where there is none."""
    found = text_of(claims, name, longest=_ADDRESS + 1)
    return found if len(found) <= _ADDRESS and is_callable(found) else ""
