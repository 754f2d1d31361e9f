"""Looks people up by what identifies them: never by name, never guessed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from assessment.cohorts.models import Cohort, Enrolment
from assessment.grades.models import LtiUser
from assessment.web.csv_files.reading import Row

# What a file may call each of the ids.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "learner": ("learner", "learner_id"),
    "sis_id": (
        "sis_id",
        "sis user id",
        "sis id",
        "student_id",
        "student id",
        "id number",
        "idnumber",
        "id-nummer",
        "matrikelnummer",
        "numéro d'identification",
    ),
    "username": (
        "username",
        "login_id",
        "sis login id",
        "user name",
        "anmeldename",
        "benutzername",
        "nom d'utilisateur",
    ),
    "lti_user_id": ("lti_user_id", "lti user id"),
    "email": ("email", "e-mail", "email address", "e-mail-adresse", "adresse de courriel"),
}


class NotFoundError(Exception):
    """The row names nobody of the cohort, or two different people; the text says which."""


@dataclass(frozen=True)
class Directory:
    """The learners of a cohort by each of their ids; those who left are still known.

    An id that several people claim, such as one that differs in case only, names all of them.
    """

    by: Mapping[str, Mapping[str, frozenset[Enrolment]]]

    def find(self, row: Row) -> Enrolment:
        """Return the learner that a row names.

        Raises
        ------
        NotFoundError
            It names nobody here or several people, or its number is not the one of that person.
        """
        given = {kind: value for kind in COLUMNS if (value := _given(row, kind))}
        if not given:
            raise NotFoundError(gettext("The row names nobody: it has no id of a person."))
        found = {kind: self.by[kind].get(value.casefold()) for kind, value in given.items()}
        claims = [people for people in found.values() if people]
        ids = {"ids": ", ".join(f"{kind} {value}" for kind, value in given.items())}
        if not claims:
            raise NotFoundError(gettext("Nobody here has %(ids)s.") % ids)
        people = frozenset.intersection(*claims)
        if not people:
            raise NotFoundError(gettext("%(ids)s are the ids of different people.") % ids)
        if len(people) > 1:
            raise NotFoundError(gettext("Several people here have %(ids)s.") % ids)
        place = next(iter(people))
        seen, own = given.get("sis_id", ""), place.user.sis_id or ""
        if seen and own and not found["sis_id"]:
            raise NotFoundError(_contradiction(place, seen, own))
        return place


def _contradiction(place: Enrolment, seen: str, own: str) -> str:
    text = gettext("%(who)s has the sis_id %(own)s here, not %(seen)s.") % {
        "who": place.user,
        "own": own,
        "seen": seen,
    }
    if own.lstrip("0") == seen:
        text += " " + gettext("A spreadsheet program took the leading zeros away.")
    return text


def directory_of(cohort: Cohort) -> Directory:
    """Return the learners of a cohort (two queries)."""
    places = {
        place.user_id: place
        for place in Enrolment.objects.learners().filter(cohort=cohort).select_related("user")
    }
    claims: dict[str, defaultdict[str, set[Enrolment]]] = {
        kind: defaultdict(set) for kind in COLUMNS
    }
    for user_id, place in places.items():
        user = place.user
        of_user = {
            "learner": str(user_id),
            "username": user.username,
            "sis_id": user.sis_id,
            "email": user.email,
        }
        for kind, value in of_user.items():
            if value:
                claims[kind][value.casefold()].add(place)
    for user_id, subject in _subjects(places):
        claims["lti_user_id"][subject.casefold()].add(places[user_id])
    return Directory(
        {kind: {value: frozenset(of) for value, of in ids.items()} for kind, ids in claims.items()}
    )


def _subjects(users: Iterable[UUID]) -> Iterable[tuple[UUID, str]]:
    return LtiUser.objects.filter(user__in=users).values_list("user", "subject")


def _given(row: Row, kind: str) -> str:
    return next((value for name in COLUMNS[kind] if (value := row.key(name))), "")
