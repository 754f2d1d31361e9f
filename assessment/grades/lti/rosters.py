"""Follows an LMS's list of people (NRPS): who joined, who changed, who left."""

from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from assessment.grades.lti.claims import address_of, text_of
from assessment.grades.lti.messages import is_subject
from assessment.grades.lti.people import person_of, place
from assessment.grades.lti.roles import role_of
from assessment.grades.lti.services import (
    FAILURES,
    LINE_ITEM_SCOPE,
    LINE_ITEMS_READ_SCOPE,
    read_line_items,
    read_members,
    told,
)
from assessment.grades.models import Context, LineItem, Membership
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
    members = read_members(context)
    try:
        report = apply_roster(context, members, asked_at)
    except IntegrityError:
        # Someone of the list launched meanwhile: they are found now.
        report = apply_roster(context, members, asked_at)
    if {LINE_ITEM_SCOPE, LINE_ITEMS_READ_SCOPE} & set(context.scopes) and context.line_items_url:
        try:
            find_line_items(context)
        except FAILURES as error:
            report.columns_error = told(error)
    return report


@transaction.atomic
def apply_roster(
    context: Context, members: list[dict[str, Any]], asked_at: datetime
) -> RosterReport:
    """Apply a whole list of members, as it was asked for at a certain time.

    Rows are locked in one order everywhere: the course, people by their ids at the LMS.
    """
    Context.objects.select_for_update().get(pk=context.pk)
    report = RosterReport()
    listed = [member for member in members if is_subject(member.get("user_id"))]
    platform = context.deployment.platform
    seen = set()
    for member in sorted(listed, key=itemgetter("user_id")):
        name = text_of(member, "name") or text_of(member, "email") or member["user_id"]
        if member.get("status") in _GONE:
            continue
        role = role_of(member.get("roles"))
        if role is None:
            report.without_place.append(name)
            continue
        person = person_of(
            platform,
            subject=member["user_id"],
            names=member,
            sis_id=text_of(member, "lis_person_sourcedid"),
        )
        known = Membership.objects.filter(context=context, person=person, is_active=True).exists()
        enrolment = place(context, person, role)
        seen.add(person.pk)
        if not known:
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
        membership.is_active = False
        membership.save(update_fields=["is_active"])
        others = membership.enrolment.lti_memberships.filter(is_active=True)
        if membership.gave_place and membership.enrolment.left_at is None and not others.exists():
            membership.enrolment.left_at = timezone.now()
            membership.enrolment.save(update_fields=["left_at"])
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
