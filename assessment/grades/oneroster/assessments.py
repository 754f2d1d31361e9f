"""The assessment profile: exercises with their criteria, and released points by criterion."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce, Greatest

from assessment.cohorts.models import Enrolment
from assessment.grades.models import Exemption, Offer, ResultChange
from assessment.grades.numbers import number
from assessment.grades.oneroster.collections import Stored
from assessment.grades.oneroster.columns import Columns, day, ids, reference, text, value
from assessment.grades.oneroster.facts import noted
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.objects import ASSESSMENT_RESULT
from assessment.grades.oneroster.reach import Reach
from assessment.grades.oneroster.references import References, stamp
from assessment.review.models import CriterionScore, Grade
from exercises.models import Exercise
from rubrics.models import Criterion

_ENROLMENT = "review__submission__enrolment"


def _columns(references: References) -> Columns:
    item, criterion = "assessmentLineItem", "criterion_id"
    user = f"{_ENROLMENT}__user_id"
    return {
        "sourcedId": ids("pk"),
        "status": text("status"),
        "dateLastModified": value("changed_at"),
        **reference(item, item, references.prefix(item), criterion),
        **reference("student", "user", references.prefix("user"), user),
        "scoreDate": day("changed_at"),
        "scoreStatus": text("score_status"),
        "score": value("score"),
    }


def assessment_line_items(reach: Reach, references: References) -> list[Row]:
    """Return every exercise, and below it the criteria of all its rubrics (one query).

    Criteria of former rubrics stay: results that were released under them refer to them.
    """
    exercises: dict[UUID, Exercise] = {}
    moved: dict[UUID, datetime] = {}
    offered: set[UUID] = set()
    for found in reach.classes:
        for each in found.all_exercises:
            exercises[each.pk] = each
            moved[each.pk] = max(found.moved_at(each), moved.get(each.pk, each.session.imported_at))
            if found.is_offered(each):
                offered.add(each.pk)
    criteria = Criterion.objects.filter(rubric__version__exercise__in=exercises)
    rows: list[Row] = [
        {
            "sourcedId": str(exercise.pk),
            "status": "active" if exercise.pk in offered else "tobedeleted",
            "dateLastModified": stamp(moved[exercise.pk]),
            "title": exercise.title,
        }
        for exercise in exercises.values()
    ]
    for criterion in criteria.select_related("rubric__version"):
        exercise = exercises[criterion.rubric.version.exercise_id]
        rows.append(
            {
                "sourcedId": str(criterion.pk),
                "status": "active" if exercise.pk in offered else "tobedeleted",
                "dateLastModified": stamp(max(moved[exercise.pk], criterion.rubric.created_at)),
                "title": criterion.title,
                "parentAssessmentLineItem": references.to("assessmentLineItem", exercise.pk),
                "resultValueMin": 0,
                "resultValueMax": number(criterion.points),
            }
        )
    return rows


def assessment_results(reach: Reach, references: References) -> Stored:
    """Return the points of every criterion of every released grade.

    Those of a grade that was withdrawn, or released anew since by another review, are shown as
    deleted, and so are those of what is no longer asked or of whom it is no longer asked.
    """
    submission = "review__submission"
    grade = Grade.objects.filter(
        enrolment=OuterRef(f"{submission}__enrolment"),
        exercise=OuterRef(f"{submission}__exercise"),
        cohort__in=reach.cohorts,
    )
    exemption = Exemption.objects.filter(
        enrolment=OuterRef(f"{submission}__enrolment"),
        exercise=OuterRef(f"{submission}__exercise"),
        lifted_at=None,
    )
    change = ResultChange.objects.filter(
        enrolment=OuterRef(f"{submission}__enrolment"),
        exercise=OuterRef(f"{submission}__exercise"),
    )
    offer = Offer.objects.filter(
        cohort=OuterRef(f"{_ENROLMENT}__cohort"),
        session=OuterRef(f"{submission}__exercise__session"),
    )
    known = {
        "noted_at": Subquery(change.values("changed_at")),
        "offered_at": Subquery(offer.values("changed_at")),
        "exercise_noted_at": noted(f"{submission}__exercise"),
    }
    moments = (*known, f"{_ENROLMENT}__left_at", f"{_ENROLMENT}__roll__changed_at")
    queryset = (
        CriterionScore.objects.filter(Exists(grade))
        .annotate(
            graded_at=Subquery(grade.values("updated_at")),
            is_released=Exists(grade.released().filter(review=OuterRef("review"))),
            exempt=Exists(exemption),
            offered=Exists(offer.filter(withdrawn_at=None)),
            **known,
        )
        .annotate(
            changed_at=Greatest("graded_at", *(Coalesce(each, "graded_at") for each in moments)),
            status=_when_shown(Value("active"), Value("tobedeleted")),
            score_status=_when_shown(Value("fully graded"), Value("submitted")),
            score=Case(When(_SHOWN, then=F("points"))),
        )
        .select_related(_ENROLMENT)
        .order_by()
    )
    return Stored(
        ASSESSMENT_RESULT,
        queryset,
        _columns(references),
        _SHOWN,
        lambda found: [_row(score, references) for score in found],
    )


_SHOWN = Q(
    is_released=True,
    exempt=False,
    offered=True,
    review__submission__exercise__retired_at=None,
    review__submission__enrolment__left_at=None,
    review__submission__enrolment__role=Enrolment.Role.LEARNER,
)


def _when_shown(shown: Value, otherwise: Value) -> Case:
    return Case(When(_SHOWN, then=shown), default=otherwise, output_field=CharField())


def _row(score: CriterionScore, references: References) -> Row:
    found: Any = score  # annotated
    enrolment = score.review.submission.enrolment
    row: Row = {
        "sourcedId": str(score.pk),
        "status": found.status,
        "dateLastModified": stamp(found.changed_at),
        "assessmentLineItem": references.to("assessmentLineItem", score.criterion_id),
        "student": references.to("user", enrolment.user_id),
        "scoreDate": found.changed_at.date().isoformat(),
        "scoreStatus": found.score_status,
    }
    if found.score is not None:
        row["score"] = number(found.score)
    return row
