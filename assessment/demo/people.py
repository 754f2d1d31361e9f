"""The people of the demo: accounts to sign in with, and the learners of its cohort."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from assessment.cohorts.models import Cohort, Enrolment, User

_Role = Enrolment.Role
_Track = Enrolment.Track


@dataclass(frozen=True)
class Person:
    """Someone of the demo, and their place in its cohort."""

    username: str
    given_name: str
    family_name: str
    role: str = _Role.LEARNER
    track: str = _Track.CORE


ACCOUNTS = (
    Person("ada", "Ada", "Quist"),
    Person("blaise", "Blaise", "Ormond"),
    Person("sofia", "Sofia", "Lindqvist", _Role.INSTRUCTOR),
    Person("emil", "Emil", "Haraldsen", _Role.ASSISTANT),
)
_OTHER_LEARNERS = (
    ("Amara", "Nwosu"),
    ("Bo", "Feng"),
    ("Camille", "Roux"),
    ("Dário", "Pinto"),
    ("Esra", "Yıldız"),
    ("Farid", "Haddad"),
    ("Greta", "Vogel"),
    ("Hana", "Kobayashi"),
    ("Ivo", "Petrov"),
    ("Jun", "Park"),
    ("Kofi", "Mensah"),
    ("Lena", "Brandt"),
    ("Mateo", "Silva"),
    ("Nadia", "Rahimi"),
    ("Oskar", "Nowak"),
    ("Priya", "Iyer"),
    ("Quentin", "Moreau"),
    ("Rosa", "Conti"),
    ("Samir", "Osman"),
    ("Tove", "Dahl"),
    ("Uma", "Reddy"),
    ("Viktor", "Kovač"),
)
_TRACKS = {"Bo": _Track.SUPPORT, "Rosa": _Track.SUPPORT, "Hana": _Track.EXTENSION}


def everyone() -> list[Person]:
    """Return the accounts and the other learners: 24 learners, an instructor, an assistant."""
    others = [
        Person(
            f"{given.lower()}.{family.lower()}",
            given,
            family,
            track=_TRACKS.get(given, _Track.CORE),
        )
        for given, family in _OTHER_LEARNERS
    ]
    return [*ACCOUNTS, *others]


def make_administrator() -> None:
    """Make the account that has no place in a cohort and may do everything else."""
    User.objects.create_superuser(
        "ines",
        "ines@example.org",
        settings.DEMO_PASSWORD,
        first_name="Ines",
        last_name="Moravec",
    )


def enrol(cohort: Cohort) -> None:
    """Make all people and enrol them; only the named accounts can sign in."""
    # One hash for all accounts: a good hash is slow on purpose.
    password = make_password(settings.DEMO_PASSWORD)
    joined_at = timezone.now() - timedelta(weeks=2)
    people = everyone()
    users = [
        User(
            username=person.username,
            first_name=person.given_name,
            last_name=person.family_name,
            email=f"{person.username}@example.org",
            sis_id=f"demo-{number:03d}",
            password=password if person.username in settings.DEMO_ACCOUNTS else make_password(None),
        )
        for number, person in enumerate(people, start=1)
    ]
    User.objects.bulk_create(users)
    Enrolment.objects.bulk_create(
        Enrolment(
            user=user, cohort=cohort, role=person.role, track=person.track, joined_at=joined_at
        )
        for user, person in zip(users, people, strict=True)
    )
