"""Users and enrollments within a client's reach, at any size."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from django.db.models import Case, CharField, Exists, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce, Greatest

from assessment.cohorts.models import Enrolment, User
from assessment.grades.models import LtiUser
from assessment.grades.oneroster.collections import Stored
from assessment.grades.oneroster.columns import Columns, day, flag, ids, reference, text, value
from assessment.grades.oneroster.facts import noted
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.objects import ENROLLMENT, USER
from assessment.grades.oneroster.reach import Reach
from assessment.grades.oneroster.references import References, stamp

_USER_ROLES = {
    Enrolment.Role.LEARNER: "student",
    Enrolment.Role.ASSISTANT: "aide",
    Enrolment.Role.INSTRUCTOR: "teacher",
}
_CLASS_ROLES = {
    Enrolment.Role.LEARNER: "student",
    # No role of a class fits better, and clients refuse a whole page for one that they do not know.
    Enrolment.Role.ASSISTANT: "proctor",
    Enrolment.Role.INSTRUCTOR: "teacher",
}
_STATUS = Case(When(present=True, then=Value("active")), default=Value("tobedeleted"))
_PRESENT = Case(When(left_at=None, then=Value(True)), default=Value(False))  # noqa: FBT003 (Value takes what the database shall hold)
# Not every database leaves out what is not known.
_CHANGED = Greatest(
    "joined_at", Coalesce("left_at", "joined_at"), Coalesce("roll__changed_at", "joined_at")
)

_USER_COLUMNS: Columns = {
    "sourcedId": ids("pk"),
    "status": text("status"),
    "dateLastModified": value("changed"),
    "username": text("username"),
    "givenName": text("first_name"),
    "familyName": text("last_name"),
    "email": text("email"),
    "identifier": text("sis_id"),
    "enabledUser": flag("is_active"),
}


def _enrollment_columns(references: References) -> Columns:
    return {
        "sourcedId": ids("pk"),
        "status": text("status"),
        "dateLastModified": value("changed"),
        **reference("user", "user", references.prefix("user"), "user_id"),
        **reference("class", "class", references.prefix("class"), "cohort_id"),
        "role": text("class_role"),
        "primary": text("never_sent"),
        "beginDate": day("joined_at"),
        "endDate": day("left_at"),
    }


def users(reach: Reach, references: References, *roles: Enrolment.Role) -> Stored:
    """Return the users of the cohorts, all or those who have one of these roles in one."""
    places = Enrolment.objects.filter(cohort__in=reach.cohorts, user=OuterRef("pk"))
    present = places.filter(left_at=None)
    if roles:
        had_role = Q(role__in=roles)
        if Enrolment.Role.LEARNER in roles:
            had_role |= Q(roll__was_learner=True)
        places, present = places.filter(had_role), present.filter(role__in=roles)
    latest = places.annotate(changed=_CHANGED).order_by("-changed").values("changed")[:1]
    queryset = (
        User.objects.filter(Exists(places))
        .annotate(present=Exists(present), moved=Subquery(latest))
        .annotate(status=_STATUS, changed=Greatest("moved", Coalesce(noted("pk"), "moved")))
    )
    return Stored(
        USER,
        queryset,
        _USER_COLUMNS,
        Q(present=True),
        lambda found: _user_rows(found, reach, references),
    )


def enrollments(reach: Reach, references: References) -> Stored:
    """Return every place of a person in a class."""
    names = [When(role=role, then=Value(name)) for role, name in _CLASS_ROLES.items()]
    queryset = (
        Enrolment.objects.filter(cohort__in=reach.cohorts)
        .annotate(
            present=_PRESENT,
            changed=_CHANGED,
            class_role=Case(*names, output_field=CharField()),
        )
        .annotate(status=_STATUS, never_sent=Value(None, output_field=CharField()))
    )
    return Stored(
        ENROLLMENT,
        queryset,
        _enrollment_columns(references),
        Q(left_at=None),
        lambda found: _enrollment_rows(found, reach, references),
    )


def _user_rows(found: Sequence[User], reach: Reach, references: References) -> list[Row]:
    """Write users (two queries): their roles by school, and what else they are known by."""
    schools = {each.cohort.pk: each.term.school_id for each in reach.classes}
    roles: defaultdict[UUID, dict[UUID, Enrolment.Role]] = defaultdict(dict)
    places = Enrolment.objects.filter(cohort__in=reach.cohorts, user__in=found)
    # The last written wins, and instructors come last: the role that says most is the primary one.
    rank = list(_USER_ROLES)
    for place in sorted(places, key=lambda each: rank.index(Enrolment.Role(each.role))):
        roles[place.user_id][schools[place.cohort_id]] = Enrolment.Role(place.role)
    subjects: defaultdict[UUID, list[str]] = defaultdict(list)
    known = LtiUser.objects.filter(user__in=found).order_by("pk")
    for user_id, subject in known.values_list("user", "subject"):
        subjects[user_id].append(subject)
    return [_user_row(user, roles[user.pk], subjects[user.pk], references) for user in found]


def _user_row(
    user: User, roles: dict[UUID, Enrolment.Role], subjects: list[str], references: References
) -> Row:
    row: Row = {
        "sourcedId": str(user.pk),
        "status": user.status,  # type: ignore[attr-defined]  # annotated
        "dateLastModified": stamp(user.changed),  # type: ignore[attr-defined]  # annotated
        "enabledUser": "true" if user.is_active else "false",
        "username": user.username,
        "givenName": user.first_name,
        "familyName": user.last_name,
        "roles": [
            {"roleType": "primary", "role": _USER_ROLES[role], "org": references.to("org", school)}
            for school, role in roles.items()
        ],
    }
    ids = [{"type": "LTI", "identifier": subject} for subject in subjects]
    if user.sis_id:
        row["identifier"] = user.sis_id
        ids.insert(0, {"type": "SIS", "identifier": user.sis_id})
    if ids:
        row["userIds"] = ids
    if user.email:
        row["email"] = user.email
    return row


def _enrollment_rows(found: Sequence[Enrolment], reach: Reach, references: References) -> list[Row]:
    schools = {each.cohort.pk: each.term.school_id for each in reach.classes}
    rows = []
    for place in found:
        row: Row = {
            "sourcedId": str(place.pk),
            "status": "active" if place.left_at is None else "tobedeleted",
            "dateLastModified": stamp(place.changed),  # type: ignore[attr-defined]  # annotated
            "user": references.to("user", place.user_id),
            "class": references.to("class", place.cohort_id),
            "school": references.to("org", schools[place.cohort_id]),
            "role": _CLASS_ROLES[Enrolment.Role(place.role)],
            "beginDate": place.joined_at.date().isoformat(),
        }
        if place.left_at:
            row["endDate"] = place.left_at.date().isoformat()
        rows.append(row)
    return rows
