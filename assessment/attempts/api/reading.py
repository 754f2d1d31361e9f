"""Gathers what learners may read, for the serializers."""

from typing import Any

from assessment.attempts import supporting
from assessment.attempts.casing import case_for
from assessment.attempts.models import Prediction
from assessment.attempts.submitting import attempts_left
from assessment.attempts.withholding import opened_for, opened_in, prompt, published_solution
from assessment.cohorts.models import Enrolment
from exercises.models import Exercise, Passage, Session


def session_data(session: Session, place: Enrolment | None) -> dict[str, Any]:
    """Return a session as learners may read it, figures still withheld blanked."""
    opened = opened_in(session, place)
    passages: dict[str, list[str]] = {}
    for passage in session.passages.for_learners():
        passages.setdefault(passage.kind, []).append(passage.text)
    return {
        "slug": session.slug,
        "course": session.course,
        "level": session.level,
        "number": session.number,
        "title": session.title,
        "positioning": session.positioning,
        "general_instruction": session.general_instruction,
        "starting_data": session.masked(session.starting_data, "starting_data", opened),
        "boundary": session.boundary,
        "evidence_status": session.evidence_status,
        "outcomes": passages.get(Passage.Kind.OUTCOME, []),
        "concepts": session.concepts.all(),
        "lab_protocol": passages.get(Passage.Kind.LAB_PROTOCOL, []),
        "exit_ticket_parts": session.exitticketparts.values_list("name", flat=True),
        "sources": passages.get(Passage.Kind.SOURCE, []),
        "exercises": session.exercises.offered().filter(current__isnull=False),
    }


def exercise_data(exercise: Exercise, place: Enrolment | None) -> dict[str, Any]:
    """Return an exercise as this person may see it now; staff see it as before a prediction."""
    version = exercise.current
    if version is None:
        return {}
    case = case_for(place, version) if place else None
    prediction = Prediction.objects.filter(case=case).first() if case else None
    opened = opened_for(exercise, place, case)
    masked = [
        exercise.session.masked(text, exercise.key, opened)
        for text in (version.deliverable, *version.items)
    ]
    return {
        "slug": exercise.slug,
        "session": exercise.session.slug,
        "number": exercise.number,
        "title": exercise.title,
        "version": version.number,
        "prompt": prompt(exercise, case, opened),
        "items": masked[1:],
        "deliverable": masked[0],
        "cohort": place.cohort.slug if place else None,
        "given": case.shown() if case else version.given,
        "needs_prediction": bool(case and case.variation and prediction is None),
        "prediction": prediction,
        "fields": version.fields.all(),
        "attempts": {
            "allowed": version.attempts,
            "left": attempts_left(place, version) if place else None,
        },
        "feedback": version.feedback,
        "solution": published_solution(version, opened),
        "given_steps": supporting.given_steps(case) if case else {},
    }
