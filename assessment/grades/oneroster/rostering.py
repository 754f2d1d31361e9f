"""The small collections of rostering: schools, academic sessions, courses, classes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from assessment.grades.models import Term
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.reach import OPEN_TERM, Reach
from assessment.grades.oneroster.references import References, stamp

# The one grading period of a term is named after it.
PERIOD = ".grading"


def schools(reach: Reach, references: References) -> list[Row]:
    """Return the schools of the cohorts; those that no cohort belongs to any more as deleted."""
    del references
    changes = {pk: moment for each in reach.classes for pk, moment in each.changes.items()}
    found: dict[UUID, Row] = {}
    for shown in _terms(reach):
        school = shown.term.school
        noted_at = changes.get(school.pk, school.updated_at)
        row = found.setdefault(
            school.pk,
            {
                "sourcedId": str(school.pk),
                "status": "tobedeleted",
                "dateLastModified": stamp(max(school.updated_at, noted_at)),
                "name": school.name,
                "type": "school",
                "identifier": school.identifier or str(school.pk),
            },
        )
        row["dateLastModified"] = max(row["dateLastModified"], stamp(shown.changed_at))
        if shown.is_present:
            row["status"] = "active"
    return list(found.values())


def terms(reach: Reach, references: References) -> list[Row]:
    """Return the terms of the cohorts; those that no cohort takes place in any more as deleted."""
    return [
        {
            **_session(shown),
            "sourcedId": str(shown.term.pk),
            "title": shown.term.title,
            "type": "term",
            "children": [references.to("academicSession", f"{shown.term.pk}{PERIOD}")],
        }
        for shown in _terms(reach)
    ]


def grading_periods(reach: Reach, references: References) -> list[Row]:
    """Return the one grading period of each term."""
    return [
        {
            **_session(shown),
            "sourcedId": f"{shown.term.pk}{PERIOD}",
            "title": shown.term.title,
            "type": "gradingPeriod",
            "parent": references.to("academicSession", shown.term.pk),
        }
        for shown in _terms(reach)
    ]


def academic_sessions(reach: Reach, references: References) -> list[Row]:
    """Return terms and grading periods."""
    return terms(reach, references) + grading_periods(reach, references)


def courses(reach: Reach, references: References) -> list[Row]:
    """Return one course a cohort, under the cohort's own id."""
    return [
        {
            "sourcedId": str(found.cohort.pk),
            "status": "active",
            "dateLastModified": stamp(found.changed_at),
            "title": found.sessions[0].course if found.sessions else found.cohort.name,
            "courseCode": found.cohort.slug,
            "org": references.to("org", found.term.school_id),
        }
        for found in reach.classes
    ]


def classes(reach: Reach, references: References) -> list[Row]:
    """Return one class a cohort."""
    return [
        {
            "sourcedId": str(found.cohort.pk),
            "status": "active",
            "dateLastModified": stamp(found.changed_at),
            "title": found.cohort.name,
            "classCode": found.cohort.slug,
            "classType": "scheduled",
            "course": references.to("course", found.cohort.pk),
            "school": references.to("org", found.term.school_id),
            "terms": [references.to("academicSession", found.term.pk)],
        }
        for found in reach.classes
    ]


@dataclass(slots=True)
class _Shown:
    """A term as a client sees it."""

    term: Term
    changed_at: datetime
    is_present: bool = False


def _terms(reach: Reach) -> Iterable[_Shown]:
    found: dict[UUID, _Shown] = {}

    def show(term: Term, moment: datetime) -> _Shown:
        shown = found.setdefault(term.pk, _Shown(term, moment))
        shown.changed_at = max(shown.changed_at, moment)
        return shown

    for former in reach.former_terms:
        show(former.term, former.left_at)
    for each in reach.classes:
        show(each.term, each.changed_at).is_present = True
        if each.term is not OPEN_TERM:  # there it was until somebody placed it
            show(OPEN_TERM, each.changes.get(each.cohort.pk, OPEN_TERM.updated_at))
    return found.values()


def _session(shown: _Shown) -> Row:
    term = shown.term
    return {
        "status": "active" if shown.is_present else "tobedeleted",
        "dateLastModified": stamp(shown.changed_at),
        "startDate": term.starts_on.isoformat(),
        "endDate": term.ends_on.isoformat(),
        "schoolYear": str(term.school_year),
    }
