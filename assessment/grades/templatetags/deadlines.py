"""Deadlines on the pages of learners; ``{% load deadlines %}``."""

from typing import Any

from django import template

from assessment.cohorts.models import Enrolment
from assessment.grades.deadlines.reading import Dues, dues_of
from exercises.models import Exercise

register = template.Library()


@register.simple_tag
def dues(place: Enrolment | None) -> Dues:
    """Return what is due in a place: ``{% dues place as due_here %}``."""
    return dues_of(place or None)


@register.inclusion_tag("grades/_due.html")
def due(found: Dues, exercise: Exercise, zone: object) -> dict[str, Any]:
    """Write when an exercise is due, or that its learner is excused; nothing if neither."""
    return {"due": found.of(exercise), "zone": zone}
