"""Answers a platform that asks what to link to: exercises, each with its gradebook column."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from pylti1p3.deep_link import DeepLink
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.exception import LtiException
from pylti1p3.lineitem import LineItem as LibraryLineItem

from assessment.cohorts.models import Enrolment
from assessment.grades.lti.addresses import is_callable
from assessment.grades.lti.configuration import registration_of
from assessment.grades.lti.launching import Arrival
from assessment.grades.lti.messages import (
    CLAIM,
    DEEP_LINKING_SETTINGS,
    Claims,
    LaunchRefusedError,
)
from assessment.grades.models import Platform
from assessment.grades.numbers import number
from exercises.models import Exercise
from rubrics.models import Rubric

_LABEL = 200


@dataclass(frozen=True, slots=True)
class Request:
    """A platform's question, kept in the instructor's session until it is answered."""

    platform_id: str
    context_id: str
    deployment_id: str
    settings: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return what the session keeps."""
        return {
            "platform_id": self.platform_id,
            "context_id": self.context_id,
            "deployment_id": self.deployment_id,
            "settings": self.settings,
        }

    @property
    def return_url(self) -> str:
        """Where the answer goes."""
        return str(self.settings["deep_link_return_url"])

    @property
    def takes_many(self) -> bool:
        """Whether the platform takes several links at once."""
        return self.settings.get("accept_multiple") in (True, "true")


def read_request(arrival: Arrival, claims: Claims) -> Request:
    """Return the question of a checked launch.

    Raises
    ------
    LaunchRefusedError
        The person is no instructor, or the platform takes no links to tools or names no address
        for the answer.
    """
    if arrival.enrolment.role != Enrolment.Role.INSTRUCTOR:
        raise LaunchRefusedError("Only instructors choose what is linked.")
    settings = claims.get(DEEP_LINKING_SETTINGS)
    settings = settings if isinstance(settings, dict) else {}
    if "ltiResourceLink" not in (settings.get("accept_types") or []):
        raise LaunchRefusedError("The platform takes no links to tools here.")
    url = settings.get("deep_link_return_url")
    if not isinstance(url, str) or not is_callable(url):
        raise LaunchRefusedError("The platform names no usable address for the answer.")
    kept = {
        name: settings[name]
        for name in ("deep_link_return_url", "accept_multiple", "data")
        if name in settings
    }
    deployment_id = str(claims[f"{CLAIM}deployment_id"])
    return Request(str(arrival.platform.pk), str(arrival.context.pk), deployment_id, kept)


def answer(asked: Request, exercises: Iterable[Exercise], launch_url: str) -> str:
    """Return the signed answer that links to these exercises, some of ``linkable``.

    Raises
    ------
    LtiException
        The platform is not let in any more, or no key can sign.
    """
    platform = Platform.objects.filter(pk=UUID(asked.platform_id), is_active=True).first()
    if platform is None:
        raise LtiException("This LMS is not let in any more.")
    settings: Any = asked.settings
    link: Any = DeepLink(registration_of(platform), asked.deployment_id, settings)
    said = link.get_message_jwt([_resource(exercise, launch_url) for exercise in exercises])
    # What the platform did not give is not given back as nothing.
    token: str = link.encode_jwt({name: value for name, value in said.items() if value is not None})
    return token


def linkable() -> QuerySet[Exercise]:
    """Return the exercises that can be linked to, each with its session and its ``total``."""
    rubrics = Rubric.objects.filter(version=OuterRef("current")).order_by("-number")
    found = Exercise.objects.offered().select_related("session")
    return found.annotate(total=Subquery(rubrics.values("total")[:1]))


def _resource(exercise: Exercise, launch_url: str) -> DeepLinkResource:
    resource = (
        DeepLinkResource()
        .set_title(exercise.title)
        .set_url(launch_url)
        .set_custom_params({"exercise": exercise.slug})
    )
    total: Decimal | None = exercise.total  # type: ignore[attr-defined]  # annotated
    # A column has a maximum above zero, or it is no column.
    if total:
        column = LibraryLineItem()
        column.set_label(exercise.title[:_LABEL]).set_resource_id(exercise.slug)
        column.set_score_maximum(number(total))
        resource.set_lineitem(column)
    return resource
