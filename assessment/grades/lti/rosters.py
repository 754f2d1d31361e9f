"""Follows an LMS's list of people (NRPS): who joined, who changed, who left."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from assessment.cohorts.models import Enrolment
from assessment.grades.lti.claims import address_of, text_of
from assessment.grades.lti.messages import is_subject
from assessment.grades.lti.people import person_of, place, until_stored
from assessment.grades.lti.roles import role_of
from assessment.grades.lti.services import (
    FAILURES,
    LINE_ITEM_SCOPE,
    LINE_ITEMS_READ_SCOPE,
    read_line_items,
    read_members,
    told,
)
from assessment.grades.models import Context, LineItem, LtiUser, Membership
from exercises.models import Exercise

_GONE = ("Inactive", "Deleted")


@dataclass
class RosterReport:
    """What a reading of the roster did; names as the LMS gives them."""

    joined: list[str] = field(default_factory=list)
    present: int = 0
    left: list[str] = field(default_factory=list)
    # In the LMS's list, and without a role that has a place here.
    without_place: list[str] = field(default_factory=list)
    # Known here in another role, given by hand: left as it is.
    differing: list[str] = field(default_factory=list)
    # Nobody in the list has a place, so nobody was taken out.
    refused: bool = False
    # Why the columns of the course were not read; the people were.
    columns_error: str = ""


def read_roster(context: Context) -> RosterReport:
    """Bring a cohort in line with the LMS's list; the whole list is read before anything changes.

    Raises
    ------
    LtiException, RequestException, ValueError
        The LMS refused, cannot be reached or never ends; nothing changed.
    """
    asked_at = timezone.now()
    report = apply_roster(context, read_members(context), asked_at)
    if {LINE_ITEM_SCOPE, LINE_ITEMS_READ_SCOPE} & set(context.scopes) and context.line_items_url:
        try:
            find_line_items(context)
        except FAILURES as error:
            report.columns_error = told(error)
    return report


def apply_roster(
    context: Context, members: list[dict[str, Any]], asked_at: datetime
) -> RosterReport:
    """Apply a whole list of members, as it was asked for at a certain time.

    Each person in a transaction of their own: launches and releases wait for no long list.
    """
    report = RosterReport()
    seen = set()
    for member in members:
        if not is_subject(member.get("user_id")) or member.get("status") in _GONE:
            continue
        name = text_of(member, "name") or text_of(member, "email") or member["user_id"]
        role = role_of(member.get("roles"))
        if role is None:
            report.without_place.append(name)
            continue
        enrolment, person, is_new = until_stored(partial(_follow, context, member, role))
        seen.add(person.pk)
        if is_new:
            report.joined.append(name)
        if enrolment.role != role:
            report.differing.append(name)
    if not seen:
        # Nobody at all, not even who teaches the course: the list is not what it says.
        report.refused = True
        return report
    report.present = len(seen)
    report.left = _take_out(context, seen, asked_at)
    context.roster_read_at = timezone.now()
    context.save(update_fields=["roster_read_at"])
    return report


@transaction.atomic
def _follow(
    context: Context, member: dict[str, Any], role: Enrolment.Role
) -> tuple[Enrolment, LtiUser, bool]:
    """Return the place that someone has by the list, who they are, and whether it is new."""
    person = person_of(
        context.deployment.platform,
        subject=member["user_id"],
        names=member,
        sis_id=text_of(member, "lis_person_sourcedid"),
    )
    known = Membership.objects.filter(context=context, person=person, is_active=True).exists()
    return place(context, person, role), person, not known


def _take_out(context: Context, seen: set[Any], asked_at: datetime) -> list[str]:
    """End the places of those who are not in the list any more; their work stays.

    Who came while the list was read may be too new for it.
    """
    gone = (
        Membership.objects.filter(context=context, is_active=True, seen_at__lt=asked_at)
        .exclude(person__in=seen)
        .select_related("enrolment", "person__user")
    )
    names = []
    for membership in gone:
        names.append(str(membership.person.user))
        with transaction.atomic():
            membership.is_active = False
            membership.save(update_fields=["is_active"])
            enrolment = membership.enrolment
            others = enrolment.lti_memberships.filter(is_active=True)
            if membership.gave_place and enrolment.left_at is None and not others.exists():
                enrolment.left_at = timezone.now()
                enrolment.save(update_fields=["left_at"])
    return names


def find_line_items(context: Context) -> int:
    """Remember the columns that name one of our exercises; return how many are new."""
    new = 0
    for found in read_line_items(context):
        url, slug = address_of(found, "id"), text_of(found, "resourceId")
        exercise = Exercise.objects.filter(slug=slug).first()
        if exercise is None or not url:
            continue
        _line_item, made = LineItem.objects.get_or_create(
            context=context,
            url=url,
            defaults={
                "exercise": exercise,
                "resource_link_id": text_of(found, "resourceLinkId"),
            },
        )
        new += made
    return new
