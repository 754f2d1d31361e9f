"""What can be refused to a learner; sentences for people are made from the data carried here."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


class Refused(Exception):  # noqa: N818 (a refusal is an answer of the service, not a failure)
    """What was asked cannot be done; ``str()`` says what was seen and what to do."""


class NoAttemptsLeft(Refused):
    """Every attempt that the exercise allows is used."""

    def __init__(self, allowed: int) -> None:
        super().__init__(allowed)
        self.allowed = allowed

    def __str__(self) -> str:
        return ngettext(
            "The %(allowed)d attempt of this exercise is used; the latest one counts.",
            "All %(allowed)d attempts of this exercise are used; the latest one counts.",
            self.allowed,
        ) % {"allowed": self.allowed}


class KeyReused(Refused):
    """An idempotency key came again with other answers: one of the two would be lost."""

    def __str__(self) -> str:
        return _("This Idempotency-Key was used for other answers; send a new key.")


class NothingWritten(Refused):
    """Every field is blank."""

    def __str__(self) -> str:
        return _("Nothing is written yet: fill at least one field.")


class UnfitAnswers(Refused):
    """Some fields do not fit; ``errors`` maps a field's name to what is wrong with it."""

    def __init__(self, errors: dict[str, str]) -> None:
        super().__init__(errors)
        self.errors = errors

    def __str__(self) -> str:
        return " ".join(f"{name}: {message}" for name, message in self.errors.items())


class AlreadyPredicted(Refused):
    """Another prediction is stored for this case, and a stored prediction never changes."""

    def __str__(self) -> str:
        return _("Your first prediction is stored; a stored prediction never changes.")
