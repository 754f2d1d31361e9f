"""The operations of the standard that are answered: address, objects, scopes.

The addresses are routed from this table and the discovery documents are written from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from assessment.cohorts.models import Enrolment
from assessment.grades.oneroster import gradebook, objects, rostering, scopes
from assessment.grades.oneroster.assessments import assessment_line_items, assessment_results
from assessment.grades.oneroster.collections import Collection, Listed
from assessment.grades.oneroster.errors import UnknownObjectError
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.objects import ObjectType
from assessment.grades.oneroster.persons import enrollments, users
from assessment.grades.oneroster.reach import Reach
from assessment.grades.oneroster.references import References, read_uuid, taken_apart
from assessment.grades.oneroster.results import Results

Ids = dict[str, str]
Source = Callable[[Reach, References, Ids], Collection]


@dataclass(frozen=True)
class Operation:
    """One read: its path below the service's base, what it returns, and what it asks for.

    ``{sourced_id}`` at the end of the path makes it the read of a single object.
    """

    name: str
    path: str
    kind: ObjectType
    source: Source
    scopes: Sequence[str]

    @property
    def is_single(self) -> bool:
        """Whether one object is read."""
        return self.path.endswith("{sourced_id}")


def _listed(kind: ObjectType, rows: Callable[[Reach, References], list[Row]]) -> Source:
    return lambda reach, references, _ids: Listed(kind, rows(reach, references))


def _id(ids: Ids, name: str, kind: str) -> UUID:
    found = read_uuid(ids[name])
    if found is None:
        raise UnknownObjectError(f"There is no {kind} {ids[name][:100]}.")
    return found


def _results(reach: Reach, references: References, ids: Ids) -> Collection:
    student = _id(ids, "student_id", "student") if "student_id" in ids else None
    line_item = None
    if student and not (
        Enrolment.objects.learners().filter(cohort__in=reach.cohorts, user=student).exists()
    ):
        raise UnknownObjectError(f"There is no student {student} in this class.")
    if "line_item_id" in ids:
        line_item = taken_apart(ids["line_item_id"])
        known = {
            (found.cohort.pk, each.pk) for found in reach.classes for each in found.all_exercises
        }
        if line_item not in known:
            raise UnknownObjectError(f"There is no line item {ids['line_item_id'][:100]}.")
    return Results(reach, references, student=student, line_item=line_item)


def _school_scales(reach: Reach, references: References, ids: Ids) -> Collection:
    school = _id(ids, "school_id", "school")
    inside = [str(found.cohort.pk) for found in reach.classes if found.term.school_id == school]
    if not inside:
        raise UnknownObjectError(f"There is no school {school} for this client.")
    rows = gradebook.score_scales(reach, references)
    return Listed(objects.SCORE_SCALE, [row for row in rows if row["class"]["sourcedId"] in inside])


def _term_rows(
    kind: ObjectType, rows: Callable[[Reach, References], list[Row]], member: str
) -> Source:
    """Return those rows whose ``member`` refers to the term of the address."""

    def source(reach: Reach, references: References, ids: Ids) -> Collection:
        term = ids["term_id"]
        if all(str(found.term.pk) != term for found in reach.classes):
            raise UnknownObjectError(f"There is no term {term[:100]} for this client.")
        found = []
        for row in rows(reach, references):
            linked = row[member] if isinstance(row[member], list) else [row[member]]
            if any(each["sourcedId"] == term for each in linked):
                found.append(row)
        return Listed(kind, found)

    return source


def _people(*roles: Enrolment.Role) -> Source:
    return lambda reach, references, _ids: users(reach, references, *roles)


def _classes_of(*roles: Enrolment.Role) -> Source:
    """Return the classes in which the person of the address has one of these roles."""

    def source(reach: Reach, references: References, ids: Ids) -> Collection:
        person = _id(ids, "user_id", "user")
        places = Enrolment.objects.filter(cohort__in=reach.cohorts, user=person)
        if roles:
            places = places.filter(role__in=roles)
        cohorts = {str(pk) for pk in places.values_list("cohort", flat=True)}
        if not cohorts:
            raise UnknownObjectError(f"There is no such person {person} for this client.")
        rows = rostering.classes(reach, references)
        return Listed(objects.CLASS, [row for row in rows if row["sourcedId"] in cohorts])

    return source


_LEARNER, _TEACHER = Enrolment.Role.LEARNER, Enrolment.Role.INSTRUCTOR


def _whole(name: str, plural: str, path: str, kind: ObjectType, source: Source) -> list[Operation]:
    """Return the reads of a whole collection and of one of its objects."""
    reads: Sequence[str] = scopes.ROSTER_READS
    if kind in _GRADEBOOK_KINDS:
        reads = scopes.GRADEBOOK_READS
    if kind in _ASSESSMENT_KINDS:
        reads = scopes.ASSESSMENT_READS
    return [
        Operation(f"getAll{plural}", path, kind, source, reads),
        Operation(f"get{name}", f"{path}/{{sourced_id}}", kind, source, reads),
    ]


_ASSESSMENT_KINDS = (objects.ASSESSMENT_LINE_ITEM, objects.ASSESSMENT_RESULT)
_GRADEBOOK_KINDS = (objects.CATEGORY, objects.LINE_ITEM, objects.RESULT, objects.SCORE_SCALE)

_CATEGORIES = _listed(objects.CATEGORY, gradebook.categories)
_LINE_ITEMS = _listed(objects.LINE_ITEM, gradebook.line_items)
_SCORE_SCALES = _listed(objects.SCORE_SCALE, gradebook.score_scales)

GRADEBOOK_OPERATIONS = [
    *_whole("Category", "Categories", "categories", objects.CATEGORY, _CATEGORIES),
    *_whole("LineItem", "LineItems", "lineItems", objects.LINE_ITEM, _LINE_ITEMS),
    *_whole("Result", "Results", "results", objects.RESULT, _results),
    *_whole("ScoreScale", "ScoreScales", "scoreScales", objects.SCORE_SCALE, _SCORE_SCALES),
    *_whole(
        "AssessmentLineItem",
        "AssessmentLineItems",
        "assessmentLineItems",
        objects.ASSESSMENT_LINE_ITEM,
        _listed(objects.ASSESSMENT_LINE_ITEM, assessment_line_items),
    ),
    *_whole(
        "AssessmentResult",
        "AssessmentResults",
        "assessmentResults",
        objects.ASSESSMENT_RESULT,
        lambda reach, references, _ids: assessment_results(reach, references),
    ),
    *(
        Operation(name, path, kind, source, scopes.GRADEBOOK_NESTED)
        for name, path, kind, source in (
            (
                "getCategoriesForClass",
                "classes/{class_id}/categories",
                objects.CATEGORY,
                _CATEGORIES,
            ),
            (
                "getLineItemsForClass",
                "classes/{class_id}/lineItems",
                objects.LINE_ITEM,
                _LINE_ITEMS,
            ),
            ("getResultsForClass", "classes/{class_id}/results", objects.RESULT, _results),
            (
                "getScoreScalesForClass",
                "classes/{class_id}/scoreScales",
                objects.SCORE_SCALE,
                _SCORE_SCALES,
            ),
            (
                "getResultsForLineItemForClass",
                "classes/{class_id}/lineItems/{line_item_id}/results",
                objects.RESULT,
                _results,
            ),
            (
                "getResultsForStudentForClass",
                "classes/{class_id}/students/{student_id}/results",
                objects.RESULT,
                _results,
            ),
            (
                "getScoreScalesForSchool",
                "schools/{school_id}/scoreScales",
                objects.SCORE_SCALE,
                _school_scales,
            ),
        )
    ),
]

_CLASSES = _listed(objects.CLASS, rostering.classes)
_SCHOOLS = _listed(objects.ORG, rostering.schools)
_TERMS = _listed(objects.ACADEMIC_SESSION, rostering.terms)
_PERIODS = _listed(objects.ACADEMIC_SESSION, rostering.grading_periods)
_SESSIONS = _listed(objects.ACADEMIC_SESSION, rostering.academic_sessions)
_COURSES = _listed(objects.COURSE, rostering.courses)


def _enrollments(reach: Reach, references: References, _ids: Ids) -> Collection:
    return enrollments(reach, references)


ROSTERING_OPERATIONS = [
    *_whole("User", "Users", "users", objects.USER, _people()),
    *_whole("Student", "Students", "students", objects.USER, _people(_LEARNER)),
    *_whole("Teacher", "Teachers", "teachers", objects.USER, _people(_TEACHER)),
    *_whole("Class", "Classes", "classes", objects.CLASS, _CLASSES),
    *_whole("Course", "Courses", "courses", objects.COURSE, _COURSES),
    *_whole("Enrollment", "Enrollments", "enrollments", objects.ENROLLMENT, _enrollments),
    *_whole("School", "Schools", "schools", objects.ORG, _SCHOOLS),
    *_whole("Org", "Orgs", "orgs", objects.ORG, _SCHOOLS),
    *_whole("Term", "Terms", "terms", objects.ACADEMIC_SESSION, _TERMS),
    *_whole(
        "GradingPeriod", "GradingPeriods", "gradingPeriods", objects.ACADEMIC_SESSION, _PERIODS
    ),
    *_whole(
        "AcademicSession",
        "AcademicSessions",
        "academicSessions",
        objects.ACADEMIC_SESSION,
        _SESSIONS,
    ),
    *(
        Operation(name, path, kind, source, scopes.ROSTER_NESTED)
        for name, path, kind, source in (
            ("getStudentsForClass", "classes/{class_id}/students", objects.USER, _people(_LEARNER)),
            ("getTeachersForClass", "classes/{class_id}/teachers", objects.USER, _people(_TEACHER)),
            ("getClassesForUser", "users/{user_id}/classes", objects.CLASS, _classes_of()),
            (
                "getClassesForStudent",
                "students/{user_id}/classes",
                objects.CLASS,
                _classes_of(_LEARNER),
            ),
            (
                "getClassesForTeacher",
                "teachers/{user_id}/classes",
                objects.CLASS,
                _classes_of(_TEACHER),
            ),
            (
                "getGradingPeriodsForTerm",
                "terms/{term_id}/gradingPeriods",
                objects.ACADEMIC_SESSION,
                _term_rows(objects.ACADEMIC_SESSION, rostering.grading_periods, "parent"),
            ),
            (
                "getClassesForTerm",
                "terms/{term_id}/classes",
                objects.CLASS,
                _term_rows(objects.CLASS, rostering.classes, "terms"),
            ),
        )
    ),
]

# Where the standard only writes: this provider is pull only.
GRADEBOOK_UNSUPPORTED = (
    "lineItems/{line_item_id}/results",
    "schools/{school_id}/lineItems",
    "classes/{class_id}/academicSessions/{session_id}/results",
)
