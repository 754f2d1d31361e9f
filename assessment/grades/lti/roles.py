"""What a person is in a course, by the standard's vocabulary."""

from assessment.cohorts.models import Enrolment

_MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"


def role_of(roles: object) -> Enrolment.Role | None:
    """Return what someone is in the course, or ``None`` where no role here fits.

    Roles of the institution or the system say nothing about the course.
    """
    found = roles if isinstance(roles, list) else []
    held = [_course_role(name) for name in found if isinstance(name, str)]
    # An assistant is said to be an instructor too, of a certain kind.
    if any(_assists(*role) for role in held):
        return Enrolment.Role.ASSISTANT
    principals = {principal for principal, _kind in held}
    if "Instructor" in principals:
        return Enrolment.Role.INSTRUCTOR
    return Enrolment.Role.LEARNER if "Learner" in principals else None


def _course_role(name: str) -> tuple[str, str]:
    """Return the principal role in the course and its kind; kinds of learners bear any name.

    Names are ``…membership#Instructor``, ``…membership/Instructor#Grader`` or just ``Instructor``;
    Canvas writes ``…membership/instructor#TeachingAssistant``.
    """
    vocabulary, _sign, last = name.rpartition("#")
    if vocabulary in {"", _MEMBERSHIP}:
        return last, ""
    path, _slash, principal = vocabulary.rpartition("/")
    return (principal[:1].upper() + principal[1:], last) if path == _MEMBERSHIP else ("", "")


def _assists(principal: str, kind: str) -> bool:
    return principal == "TeachingAssistant" or (
        principal == "Instructor" and kind.startswith(("TeachingAssistant", "Grader"))
    )
