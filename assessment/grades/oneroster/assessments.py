"""The assessment profile: exercises with their criteria, and released points by criterion."""

from django.db.models import Case, CharField, Exists, OuterRef, Q, Subquery, Value, When

from assessment.grades.models import Exemption
from assessment.grades.numbers import number
from assessment.grades.oneroster.collections import Stored
from assessment.grades.oneroster.columns import Columns, one_id, text, value
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.objects import ASSESSMENT_RESULT
from assessment.grades.oneroster.reach import Reach
from assessment.grades.oneroster.references import References, stamp
from assessment.review.models import CriterionScore, Grade
from rubrics.models import Criterion

_COLUMNS: Columns = {
    "sourcedId": one_id("pk"),
    "status": text("status"),
    "dateLastModified": value("changed_at"),
    "assessmentLineItem.sourcedId": one_id("criterion_id"),
    "student.sourcedId": one_id("review__submission__enrolment__user_id"),
    "score": value("points"),
}


def assessment_line_items(reach: Reach, references: References) -> list[Row]:
    """Return every exercise, and below it the criteria of all its rubrics (one query).

    Criteria of former rubrics stay: results that were released under them refer to them.
    """
    exercises = {each.pk: each for found in reach.classes for each in found.all_exercises}
    criteria = Criterion.objects.filter(rubric__version__exercise__in=exercises)
    rows: list[Row] = [
        {
            "sourcedId": str(exercise.pk),
            "status": "tobedeleted" if exercise.retired_at else "active",
            "dateLastModified": stamp(exercise.retired_at or exercise.session.imported_at),
            "title": exercise.title,
        }
        for exercise in exercises.values()
    ]
    for criterion in criteria.select_related("rubric__version"):
        exercise = exercises[criterion.rubric.version.exercise_id]
        rows.append(
            {
                "sourcedId": str(criterion.pk),
                "status": "tobedeleted" if exercise.retired_at else "active",
                "dateLastModified": stamp(exercise.retired_at or criterion.rubric.created_at),
                "title": criterion.title,
                "parentAssessmentLineItem": references.to("assessmentLineItem", exercise.pk),
                "resultValueMin": 0,
                "resultValueMax": number(criterion.points),
            }
        )
    return rows


def assessment_results(reach: Reach, references: References) -> Stored:
    """Return the points of every criterion of every released grade; withdrawn ones as deleted."""
    grade = Grade.objects.filter(review=OuterRef("review"), cohort__in=reach.cohorts)
    exempt = Exemption.objects.filter(
        enrolment=OuterRef("review__submission__enrolment"),
        exercise=OuterRef("review__submission__exercise"),
        lifted_at=None,
    )
    queryset = (
        CriterionScore.objects.filter(Exists(grade))
        .annotate(
            changed_at=Subquery(grade.values("updated_at")[:1]),
            present=Exists(grade.released()),
            exempt=Exists(exempt),
        )
        .annotate(
            status=Case(
                When(present=True, exempt=False, then=Value("active")),
                default=Value("tobedeleted"),
                output_field=CharField(),
            )
        )
        .select_related("review__submission__enrolment")
        .order_by()
    )
    return Stored(
        ASSESSMENT_RESULT,
        queryset,
        _COLUMNS,
        Q(present=True, exempt=False),
        lambda found: [_row(score, references) for score in found],
    )


def _row(score: CriterionScore, references: References) -> Row:
    enrolment = score.review.submission.enrolment
    changed_at = score.changed_at  # type: ignore[attr-defined]  # annotated
    row: Row = {
        "sourcedId": str(score.pk),
        "status": score.status,  # type: ignore[attr-defined]  # annotated
        "dateLastModified": stamp(changed_at),
        "assessmentLineItem": references.to("assessmentLineItem", score.criterion_id),
        "student": references.to("user", enrolment.user_id),
        "scoreDate": changed_at.date().isoformat(),
        "scoreStatus": "submitted",
    }
    if row["status"] == "active":
        row |= {"scoreStatus": "fully graded", "score": number(score.points)}
    return row
