"""Gives people places in a cohort, and ends and resumes them."""

from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from assessment.cohorts.identifying import one_at_a_time
from assessment.cohorts.listing import Person
from assessment.cohorts.models import Cohort, Enrolment, PeopleList, PlaceOffer, User
from assessment.cohorts.recognising import Line, Plan, Standing, plan


class ChangedMeanwhileError(Exception):
    """What would be stored is not what was looked at."""


class InstructorsUnconfirmedError(Exception):
    """The list makes people instructors, and nobody said that this is meant."""


class LastInstructorError(Exception):
    """Nobody would be left who can release grades and add people."""


class LearnerHereError(Exception):
    """The person answers in this cohort: who answers does not review there."""


def enrol_list(handed_in: PeopleList, *, seen: str, with_instructors: bool) -> Plan | None:
    """Store a list all or nothing, if it still is what was seen; ``None`` where it is stored.

    Raises
    ------
    ChangedMeanwhileError
        Accounts or places have changed since the look, so that something else would be stored.
    InstructorsUnconfirmedError
        It makes instructors, and ``with_instructors`` does not say that this is meant.
    """
    try:
        with transaction.atomic():
            held = PeopleList.objects.select_for_update().get(pk=handed_in.pk)
            if held.applied_at is not None:
                return None
            one_at_a_time()
            planned = plan(held)
            if planned.digest() != seen:
                raise ChangedMeanwhileError
            if planned.instructors and not with_instructors:
                raise InstructorsUnconfirmedError
            _store(held, planned)
            held.applied_at, held.rows = timezone.now(), []
            held.save(update_fields=["applied_at", "rows"])
    except IntegrityError as error:  # an LMS brought one of these people in this very moment
        raise ChangedMeanwhileError from error
    return planned


def _store(held: PeopleList, planned: Plan) -> None:
    PlaceOffer.objects.bulk_create(
        (_offer(held, line, user_id) for line, user_id in planned.asked),
        ignore_conflicts=True,  # who is asked already is not asked twice
    )
    accounts = {line.number: _account(line.known_person) for line in planned.made}
    User.objects.bulk_create(accounts.values())
    known = User.objects.in_bulk([line.user_id for line in planned.of(Standing.KNOWN)])
    Enrolment.objects.bulk_create(
        Enrolment(
            cohort=held.cohort,
            user=accounts.get(line.number) or known[line.user_id],
            role=line.known_person.role,
            track=line.known_person.track,
            made_account=line.number in accounts,
        )
        for line in [*planned.of(Standing.KNOWN), *planned.made]
    )


def _offer(held: PeopleList, line: Line, user_id: UUID) -> PlaceOffer:
    person = line.known_person
    return PlaceOffer(
        cohort=held.cohort,
        user_id=user_id,
        role=person.role,
        track=person.track,
        written=f"{person.full_name} {person.username}".strip(),
        made_by=held.handed_in_by,
    )


def _account(person: Person) -> User:
    return User(
        username=person.username,
        sis_id=person.sis_id or None,
        first_name=person.given_name,
        last_name=person.family_name,
        email=person.email,
        password=make_password(None),
    )


@transaction.atomic
def end(place: Enrolment, *, by: User) -> None:
    """End a place; what was answered and graded there stays.

    Raises
    ------
    LastInstructorError
        It is the last instructor's, and the one who ends it is no administrator.
    """
    # Two instructors who end each other's places at once wait for one another here.
    Cohort.objects.select_for_update().get(pk=place.cohort_id)
    instructors = Enrolment.objects.active().instructors().filter(cohort=place.cohort_id)
    others = instructors.exclude(pk=place.pk)
    is_instructor = place.role == Enrolment.Role.INSTRUCTOR
    if is_instructor and not by.is_superuser and not others.exists():
        raise LastInstructorError
    Enrolment.objects.active().filter(pk=place.pk).update(left_at=timezone.now())


def resume(place: Enrolment) -> None:
    """Give someone who left their place back, as it was."""
    Enrolment.objects.filter(pk=place.pk).update(left_at=None)


def change_track(place: Enrolment, track: str) -> None:
    """Put someone on another track."""
    Enrolment.objects.filter(pk=place.pk).update(track=track)


@transaction.atomic
def make_instructor(cohort: Cohort, user: User) -> bool:
    """Make someone an instructor; return whether that is new.

    Raises
    ------
    LearnerHereError
        The person has a place as a learner in this cohort.
    """
    place, made = Enrolment.objects.select_for_update().get_or_create(
        cohort=cohort, user=user, defaults={"role": Enrolment.Role.INSTRUCTOR}
    )
    if made:
        return True
    if place.role == Enrolment.Role.LEARNER:
        raise LearnerHereError
    if place.role == Enrolment.Role.INSTRUCTOR and place.left_at is None:
        return False
    place.role, place.left_at = Enrolment.Role.INSTRUCTOR, None
    place.save(update_fields=["role", "left_at"])
    return True
