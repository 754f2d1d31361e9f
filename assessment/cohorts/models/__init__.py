"""Who takes part, in which cohort, in which role, and which machines act for whom."""

from assessment.cohorts.models.access import (
    AccessToken,
    Client,
    DeviceGrant,
    Grant,
    IDToken,
    RefreshToken,
)
from assessment.cohorts.models.cohort import Cohort, Enrolment, EnrolmentQuerySet, places_changed
from assessment.cohorts.models.invitation import Invitation
from assessment.cohorts.models.people_list import PeopleList
from assessment.cohorts.models.place_offer import PlaceOffer
from assessment.cohorts.models.user import User

__all__ = [
    "AccessToken",
    "Client",
    "Cohort",
    "DeviceGrant",
    "Enrolment",
    "EnrolmentQuerySet",
    "Grant",
    "IDToken",
    "Invitation",
    "PeopleList",
    "PlaceOffer",
    "RefreshToken",
    "User",
    "places_changed",
]
