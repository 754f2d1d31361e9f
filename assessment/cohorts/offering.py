"""Who may be given a place at once, and places offered to everybody else.

Instructors reach the accounts of people who have, or had, a place in a cohort that they instruct:
they read e-mail addresses and SIS ids there anyway. Anybody else is asked. A look at a list is the
same whether an account exists or not; storing it tells, and tells the person too, who asked.
"""

from django.db import transaction
from django.db.models import QuerySet

from assessment.cohorts.models import Cohort, Enrolment, PlaceOffer, User


def reachable_by(user: User) -> QuerySet[User]:
    """Return the accounts to which this person may give places without asking them."""
    if user.is_superuser:
        return User.objects.all()
    shared = Enrolment.objects.filter(cohort__in=Cohort.objects.instructed_by(user))
    return User.objects.filter(pk__in=shared.values("user"))


@transaction.atomic
def accept(offer: PlaceOffer) -> bool:
    """Turn an offer into a place, unless it was withdrawn meanwhile; return whether there is one.

    Who was given a place meanwhile keeps that.
    """
    place = {"cohort": offer.cohort, "user": offer.user}
    gone, _ = offer.delete()
    if gone:
        Enrolment.objects.get_or_create(
            **place, defaults={"role": offer.role, "track": offer.track}
        )
    return Enrolment.objects.active().filter(**place).exists()
