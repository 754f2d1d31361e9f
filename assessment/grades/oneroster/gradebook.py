"""The small collections of the gradebook: categories, line items, score scales."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from assessment.grades.models import Offer
from assessment.grades.numbers import number
from assessment.grades.oneroster.listing import Row
from assessment.grades.oneroster.reach import Class, Reach
from assessment.grades.oneroster.references import References, joined, stamp
from exercises.models import Exercise, Session
from rubrics.models import Rubric, Scale


def categories(reach: Reach, references: References) -> list[Row]:
    """Return one category a session (a reference is not needed by any member)."""
    del references
    offers: defaultdict[Session, list[Offer]] = defaultdict(list)
    for found in reach.classes:
        for offer in found.offers.values():
            offers[offer.session].append(offer)
    return [
        {
            "sourcedId": str(session.pk),
            "status": _status(is_active=any(each.withdrawn_at is None for each in made)),
            "dateLastModified": stamp(
                max(session.imported_at, *(each.changed_at for each in made))
            ),
            "title": session.title,
        }
        for session, made in offers.items()
    ]


def _status(*, is_active: bool) -> str:
    return "active" if is_active else "tobedeleted"


def line_items(reach: Reach, references: References) -> list[Row]:
    """Return one line item an exercise of a class (one query beyond the reach's)."""
    maxima = _maxima(exercise for found in reach.classes for exercise in found.all_exercises)
    return [
        _line_item(found, exercise, maxima.get(exercise.current_id), references)
        for found in reach.classes
        for exercise in found.all_exercises
    ]


def _line_item(
    found: Class, exercise: Exercise, maximum: Decimal | None, references: References
) -> Row:
    row: Row = {
        "sourcedId": joined(found.cohort.pk, exercise.pk),
        "status": _status(is_active=found.is_offered(exercise)),
        "dateLastModified": stamp(_changed(found, exercise)),
        "title": exercise.title,
        "assignDate": stamp(found.assigned_at(exercise)),
        "dueDate": stamp(found.due_at(exercise)),
        "class": references.to("class", found.cohort.pk),
        "school": references.to("org", found.term.school_id),
        "category": references.to("category", exercise.session_id),
        "academicSession": references.to("academicSession", found.term.pk),
        "resultValueMin": 0,
        "metadata": {"exercise": exercise.slug},
    }
    if maximum is not None:
        row["resultValueMax"] = number(maximum)
    return row


def _changed(found: Class, exercise: Exercise) -> datetime:
    moved_at = found.moved_at(exercise)
    return max(moved_at, exercise.current.created_at) if exercise.current else moved_at


def _maxima(exercises: Iterable[Exercise]) -> dict[UUID | None, Decimal]:
    """Return what the present rubric of each present version adds up to."""
    versions = {exercise.current_id for exercise in exercises}
    rubrics = Rubric.objects.filter(version__in=versions).order_by("number")
    return dict(rubrics.values_list("version", "total"))


def score_scales(reach: Reach, references: References) -> list[Row]:
    """Return the scale of levels of each session of each class (two queries)."""
    sessions = {session for found in reach.classes for session in found.offers}
    scales = Scale.objects.filter(session__in=sessions).prefetch_related("levels")
    levels = {scale.session_id: list(scale.levels.all()) for scale in scales}
    return [
        {
            "sourcedId": joined(found.cohort.pk, offer.session_id),
            "status": _status(is_active=offer.withdrawn_at is None),
            "dateLastModified": stamp(max(offer.session.imported_at, offer.changed_at)),
            "title": f"Levels of {offer.session.title}",
            "type": "ordinal",
            "class": references.to("class", found.cohort.pk),
            "course": references.to("course", found.cohort.pk),
            "scoreScaleValue": [
                {"itemValueLHS": str(level.number), "itemValueRHS": level.criterion}
                for level in levels[offer.session_id]
            ],
        }
        for found in reach.classes
        for offer in found.offers.values()
        if levels.get(offer.session_id)
    ]
