"""Turns a checked launch into a person with a place in a cohort."""

from dataclasses import dataclass

from django.db import transaction
from django.utils.text import slugify

from assessment.cohorts.models import Cohort, Enrolment, User
from assessment.grades.lti.claims import LONGEST_ID, address_of, mapping_of, text_of
from assessment.grades.lti.messages import CLAIM, Claims, LaunchRefusedError
from assessment.grades.lti.people import person_of, place
from assessment.grades.lti.roles import role_of
from assessment.grades.models import Context, Deployment, LineItem, Platform
from exercises.models import Exercise

GRADE_SERVICE = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
ROSTER_SERVICE = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"

_TITLE = 200


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
    context = _context(platform, claims, role)
    person = person_of(
        platform,
        subject=claims["sub"],
        names=claims,
        sis_id=text_of(mapping_of(claims, f"{CLAIM}lis"), "person_sourcedid"),
    )
    if not person.user.is_active:
        raise LaunchRefusedError("The account is closed.")
    enrolment = place(context, person, role)
    exercise = _exercise(claims)
    if exercise is not None:
        context.cohort.sessions.add(exercise.session)
        _remember_line_item(context, exercise, claims)
    return Arrival(platform, person.user, context, enrolment, exercise)


def _context(platform: Platform, claims: Claims, role: Enrolment.Role) -> Context:
    """Return the course; an instructor's first launch makes it a cohort."""
    deployment = Deployment.objects.get(
        platform=platform, deployment_id=claims[f"{CLAIM}deployment_id"]
    )
    named = mapping_of(claims, f"{CLAIM}context")
    context_id = text_of(named, "id", longest=LONGEST_ID + 1)
    if not 0 < len(context_id) <= LONGEST_ID:
        # Roles hold in a course, and courses that say nothing of themselves are not one.
        raise LaunchRefusedError("The launch does not say which course it comes from.")
    title = text_of(named, "title", longest=_TITLE) or text_of(named, "label", longest=_TITLE)
    context = (
        Context.objects.select_related("cohort")
        .select_for_update(of=("self",), no_key=True)
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
    grades, roster = mapping_of(claims, GRADE_SERVICE), mapping_of(claims, ROSTER_SERVICE)
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
    slug = text_of(mapping_of(claims, f"{CLAIM}custom"), "exercise")
    return Exercise.objects.offered().select_related("session").filter(slug=slug).first()


def _remember_line_item(context: Context, exercise: Exercise, claims: Claims) -> None:
    url = address_of(mapping_of(claims, GRADE_SERVICE), "lineitem")
    if not url:
        return
    link = text_of(mapping_of(claims, f"{CLAIM}resource_link"), "id")
    LineItem.objects.update_or_create(
        context=context, url=url, defaults={"exercise": exercise, "resource_link_id": link}
    )
