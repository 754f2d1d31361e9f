"""Makes one-time links by which people choose their first password, or a new one.

The link is worked out from the account and kept nowhere: it dies with its use, with any signing in,
after its lifetime, and when the person gets another role (a link made for a learner must not open
an instructor's account).
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db.models import Count, Max, QuerySet
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import base36_to_int, urlsafe_base64_encode

from assessment.cohorts.models import Cohort, Enrolment, Invitation, User

# Longer than ``PASSWORD_RESET_TIMEOUT`` no link of any kind lives.
FORGOTTEN_LIFETIME: Final = timedelta(hours=24)


class SignInLinks(PasswordResetTokenGenerator):
    """The secret part of links that are handed to people."""

    key_salt = "assessment.cohorts.inviting.SignInLinks"

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        assert isinstance(user, User)  # noqa: S101 (the only kind there is)
        # All of them, and not a question of its own, so that they can be loaded for many people.
        places = sorted(
            f"{place.cohort_id}:{place.role}"
            for place in user.enrolments.all()
            if place.left_at is None and place.role != Enrolment.Role.LEARNER
        )
        roles = [user.is_active, user.is_staff, user.is_superuser, *places]
        return f"{super()._make_hash_value(user, timestamp)}{roles}"


class ForgottenLinks(SignInLinks):
    """The secret part of links that people ask for by e-mail; they live for a day."""

    key_salt = "assessment.cohorts.inviting.ForgottenLinks"

    def check_token(self, user: User | None, token: str | None) -> bool:
        """Check the token, and its age against the shorter lifetime."""
        if user is None or token is None or not super().check_token(user, token):
            return False
        age = self._num_seconds(self._now()) - base36_to_int(token.partition("-")[0])
        return age <= FORGOTTEN_LIFETIME.total_seconds()


sign_in_links = SignInLinks()
forgotten_links = ForgottenLinks()


def invitable_by(user: User) -> QuerySet[User]:
    """Return the accounts that this person may make a sign-in link for.

    Whoever has a link has the account. An administrator may make one for everybody. An instructor
    only where the account was made for a cohort of theirs, and can do nothing but learn in cohorts
    of theirs, now or ever before.
    """
    accounts = User.objects.filter(is_active=True)
    if user.is_superuser:
        return accounts
    taught = Cohort.objects.instructed_by(user)
    made_there = Enrolment.objects.filter(cohort__in=taught, made_account=True)
    elsewhere = Enrolment.objects.exclude(role=Enrolment.Role.LEARNER, cohort__in=taught)
    return accounts.filter(
        is_staff=False, is_superuser=False, pk__in=made_there.values("user")
    ).exclude(pk__in=elsewhere.values("user"))


def waiting_in(cohort: Cohort, by: User) -> QuerySet[User]:
    """Return the people of a cohort who have never signed in and whom this person may invite."""
    places = Enrolment.objects.active().filter(cohort=cohort)
    waiting = invitable_by(by).filter(last_login=None, pk__in=places.values("user"))
    ordered = waiting.order_by("last_name", "first_name", "username")
    return ordered.prefetch_related("enrolments")


def made_for(people: QuerySet[User]) -> dict[str, Any]:
    """Return for how many ``people`` of these a link was made, and when the ``last`` was."""
    made = Invitation.objects.filter(user__in=people.order_by().values("pk"))
    return made.aggregate(people=Count("user", distinct=True), last=Max("made_at"))


def invite(people: Iterable[User], *, by: User | None, way: Invitation.Way) -> dict[User, str]:
    """Return the path of a fresh link for each of them, and write down that it was made."""
    people = list(people)
    Invitation.objects.bulk_create(
        Invitation(user=person, made_by=by, way=way) for person in people
    )
    if way == Invitation.Way.ASKED:
        return {person: _path("forgotten-link", forgotten_links, person) for person in people}
    return {person: _path("sign-in-link", sign_in_links, person) for person in people}


def _path(name: str, links: SignInLinks, user: User) -> str:
    return reverse(name, args=[urlsafe_base64_encode(force_bytes(user.pk)), links.make_token(user)])
