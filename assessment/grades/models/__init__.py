"""What the doors for other systems need to know: schools, platforms, columns, the outbox."""

from assessment.grades.models.changes import (
    Change,
    FormerTerm,
    Offer,
    ResultChange,
    Roll,
    now_in_order,
)
from assessment.grades.models.context import Context, LineItem, LtiUser, Membership
from assessment.grades.models.files import PointsFile
from assessment.grades.models.passback import Passback, PassbackQuerySet
from assessment.grades.models.platform import (
    Deployment,
    Launch,
    LaunchQuerySet,
    Platform,
    Registration,
    ToolKey,
)
from assessment.grades.models.school import Assignment, Exemption, Placement, School, Term

__all__ = [
    "Assignment",
    "Change",
    "Context",
    "Deployment",
    "Exemption",
    "FormerTerm",
    "Launch",
    "LaunchQuerySet",
    "LineItem",
    "LtiUser",
    "Membership",
    "Offer",
    "Passback",
    "PassbackQuerySet",
    "Placement",
    "Platform",
    "PointsFile",
    "Registration",
    "ResultChange",
    "Roll",
    "School",
    "Term",
    "ToolKey",
    "now_in_order",
]
