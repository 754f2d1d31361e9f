"""Reads a table of people as schools write them: what each column says, and what each row means."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext

from assessment.cohorts.models import Enrolment, User
from assessment.web.csv_files.reading import FileRefusedError, Table

MAX_PEOPLE: Final = 2_000
# What a file may call each column, in the languages that LMSs write it in; blanks, underscores,
# hyphens, apostrophes, brackets and case say nothing.
_NAMES: Final[Mapping[str, str]] = {
    "username": (
        "username user loginid login sisloginid benutzername anmeldename nutzername kennung"
        " nomdutilisateur identifiant nombredeusuario usuario nomeutente gebruikersnaam"
    ),
    "sis_id": (
        "sisid sisuserid studentid studentnumber idnumber learnerid matrikelnummer matrikelnr"
        " idnummer numérodidentification numéroétudiant numérodétudiant númerodeidentificación"
        " matrícula matricola studentnummer"
    ),
    "given_name": "givenname firstname forename vorname prénom nombre nome voornaam",
    "family_name": (
        "familyname lastname surname nachname familienname nom nomdefamille apellido apellidos"
        " cognome achternaam"
    ),
    "email": (
        "email emailaddress mail emailadresse mailadresse adressedecourriel courriel adresseemail"
        " adresseélectronique correo correoelectrónico direccióndecorreo indirizzoemail emailadres"
    ),
    "role": "role rolle rôle rol ruolo",
    "track": "track",
}
COLUMNS: Final = {kind: frozenset(names.split()) for kind, names in _NAMES.items()}
IDENTIFYING: Final = ("username", "email", "sis_id")
_ROLES: Final = {
    "": Enrolment.Role.LEARNER,
    "learner": Enrolment.Role.LEARNER,
    "student": Enrolment.Role.LEARNER,
    "assistant": Enrolment.Role.ASSISTANT,
    "tutor": Enrolment.Role.ASSISTANT,
    "ta": Enrolment.Role.ASSISTANT,
    "instructor": Enrolment.Role.INSTRUCTOR,
    "teacher": Enrolment.Role.INSTRUCTOR,
}
_TRACKS: Final = {"": Enrolment.Track.CORE} | {str(each): each for each in Enrolment.Track}
_LONGEST: Final = {"username": 150, "sis_id": 255, "given_name": 150, "family_name": 150}
_LONGEST_EMAIL: Final = 254
_BETWEEN_WORDS: Final = re.compile(r"[\s_\-.'’()]+")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


T = TypeVar("T")


class UnusableError(Exception):
    """The row cannot become a person; the text says why and what to write."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone as a row describes them."""

    username: str
    sis_id: str
    given_name: str
    family_name: str
    email: str
    role: Enrolment.Role
    track: Enrolment.Track
    # Whether the row wrote the username itself, or its e-mail address or SIS id became it.
    wrote_username: bool

    @property
    def full_name(self) -> str:
        """The name, as it will be shown."""
        return f"{self.given_name} {self.family_name}".strip()


Cells = dict[str, str]


def rows_of(table: Table) -> tuple[list[tuple[int, Cells]], list[str]]:
    """Return each row's line and cells by what they say, and the columns that say nothing here.

    Raises
    ------
    FileRefusedError
        No column identifies people, two say the same, or there are too many rows or none.
    """
    kinds = {name: kind for name in table.columns if (kind := _kind(name))}
    doubled = {kind for kind in kinds.values() if list(kinds.values()).count(kind) > 1}
    if doubled:
        names = ", ".join(name for name, kind in kinds.items() if kind in doubled)
        raise FileRefusedError(gettext("The columns %(names)s say the same.") % {"names": names})
    if not set(IDENTIFYING) & set(kinds.values()):
        raise FileRefusedError(
            gettext(
                "The first line names the columns, and one of them must be username, email or"
                " sis_id. It says: %(names)s."
            )
            % {"names": ", ".join(filter(None, table.columns))[:200]}
        )
    if len(table.rows) > MAX_PEOPLE:
        raise FileRefusedError(
            gettext("The list has %(found)s people; add at most %(most)s at once.")
            % {"found": len(table.rows), "most": MAX_PEOPLE}
        )
    if not table.rows:
        raise FileRefusedError(gettext("There are column names and no people below them."))
    rows = [(row.line, {kind: row.key(name) for name, kind in kinds.items()}) for row in table.rows]
    return rows, [name for name in table.columns if name and name not in kinds]


def person_from(cells: Cells) -> Person:
    """Return the person that a row describes.

    Raises
    ------
    UnusableError
        A cell is too long or cannot be read, or nothing identifies the person.
    """
    for kind, most in _LONGEST.items():
        if len(cells.get(kind, "")) > most:
            raise UnusableError(
                gettext("The %(column)s has more than %(most)s characters.")
                % {"column": kind, "most": most}
            )
    if any(_UNPRINTABLE.search(text) for text in cells.values()):
        raise UnusableError(gettext("The row holds a character that cannot be seen."))
    email, sis_id = _email(cells.get("email", "")), cells.get("sis_id", "")
    written = User.normalize_username(cells.get("username", ""))
    return Person(
        # Mail programs change the case of addresses as they like; who signs in should not suffer.
        username=_username(written or email.lower() or sis_id, written=bool(written)),
        sis_id=sis_id,
        given_name=cells.get("given_name", ""),
        family_name=cells.get("family_name", ""),
        email=email,
        role=_word(cells, "role", _ROLES, "learner, assistant, instructor"),
        track=_word(cells, "track", _TRACKS, ", ".join(Enrolment.Track)),
        wrote_username=bool(written),
    )


def _kind(name: str) -> str:
    plain = _BETWEEN_WORDS.sub("", name.casefold())
    return next((kind for kind, names in COLUMNS.items() if plain in names), "")


def _email(text: str) -> str:
    if not text:
        return ""
    try:
        validate_email(text)
    except ValidationError as error:
        raise UnusableError(
            gettext("“%(text)s” is no e-mail address.") % {"text": text[:100]}
        ) from error
    if len(text) > _LONGEST_EMAIL:
        raise UnusableError(gettext("The e-mail address is too long."))
    return text


def _username(text: str, *, written: bool) -> str:
    if not text:
        raise UnusableError(gettext("The row has no username, no e-mail address and no SIS id."))
    name = User.normalize_username(text)
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError as error:
        problem = gettext("A username holds letters, digits and @ . + - _ only, not “%(text)s”.")
        if not written:
            problem += " " + gettext("Write a username in a column of its own.")
        raise UnusableError(problem % {"text": text[:100]}) from error
    if len(name) > _LONGEST["username"]:
        raise UnusableError(
            gettext("“%(text)s” is too long for a username; write one in a column of its own.")
            % {"text": text[:100]}
        )
    return name


def _word(cells: Cells, kind: str, known: Mapping[str, T], words: str) -> T:
    text = cells.get(kind, "").casefold()
    if text not in known:
        raise UnusableError(
            gettext("“%(text)s” is no %(kind)s: write one of %(words)s.")
            % {"text": text[:50], "kind": kind, "words": words}
        )
    return known[text]
