"""The small collections of rostering: schools, academic sessions, courses, classes."""

from uuid import UUID

from assessment.grades.models import School, Term
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.reach import Reach
from assessment.grades.oneroster.references import References, stamp

# The one grading period of a term is named after it.
PERIOD = ".grading"


def schools(reach: Reach, references: References) -> list[Row]:
    """Return the schools of the cohorts."""
    del references
    found: dict[UUID, School] = {each.term.school_id: each.term.school for each in reach.classes}
    return [
        {
            "sourcedId": str(school.pk),
            "status": "active",
            "dateLastModified": stamp(school.updated_at),
            "name": school.name,
            "type": "school",
            "identifier": school.identifier or str(school.pk),
        }
        for school in found.values()
    ]


def terms(reach: Reach, references: References) -> list[Row]:
    """Return the terms of the cohorts."""
    return [
        {
            **_session(term),
            "sourcedId": str(term.pk),
            "title": term.title,
            "type": "term",
            "children": [references.to("academicSession", f"{term.pk}{PERIOD}")],
        }
        for term in _terms(reach)
    ]


def grading_periods(reach: Reach, references: References) -> list[Row]:
    """Return the one grading period of each term."""
    return [
        {
            **_session(term),
            "sourcedId": f"{term.pk}{PERIOD}",
            "title": term.title,
            "type": "gradingPeriod",
            "parent": references.to("academicSession", term.pk),
        }
        for term in _terms(reach)
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


def _terms(reach: Reach) -> list[Term]:
    return list({found.term.pk: found.term for found in reach.classes}.values())


def _session(term: Term) -> Row:
    return {
        "status": "active",
        "dateLastModified": stamp(term.updated_at),
        "startDate": term.starts_on.isoformat(),
        "endDate": term.ends_on.isoformat(),
        "schoolYear": str(term.school_year),
    }
