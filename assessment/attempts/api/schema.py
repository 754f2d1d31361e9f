"""What the OpenAPI document says of sessions, exercises and submissions."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from assessment.attempts.api.parameters import (
    EXERCISE_SLUG,
    KEY,
    LOCATION,
    SESSION_SLUG,
    SUBMISSION_ID,
)
from assessment.attempts.api.serializers import (
    AnswersSerializer,
    ExerciseSerializer,
    SessionDetailSerializer,
    SessionSerializer,
    SubmissionSerializer,
)
from assessment.web.parameters import COHORT
from assessment.web.problems import OF_BODIES, problems

# Values of no exercise: an example must not give away an answer.
_ANSWERS = {
    "answers": {
        "exp": {"operation": "e^z", "result": "[2.718, 1, 1]"},
        "sum": "4.718",
        "softmax": "0.576 0.212 0.212",
        "loss": "0.551",
    }
}
_SUBMISSION: dict[str, Any] = {
    "id": "01935a7e-8c00-7000-8000-000000000003",
    "state": "submitted",
    "reason": None,
    "exercise": "applied-ai-advanced-11-exercise-1",
    "cohort": "autumn-1",
    "learner": "ada",
    "attempt": 1,
    "counts": True,
    "submitted_at": "2026-11-30T08:00:00Z",
    "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "given": {"logits": [1, 0, 0], "target": 0},
    "answers": {"loss": {"result": "0.551"}},
    "steps": [],
    "first_break": None,
    "faults": [],
    "score": None,
    "missing_elements": [],
    "points": None,
    "maximum": None,
    "provisional": None,
}
_SESSION: dict[str, Any] = {
    "slug": "applied-ai-advanced-11",
    "course": "Applied AI",
    "level": "advanced",
    "number": 11,
    "title": "From a loss to a checkpoint",
    "exercises": [
        {"slug": "applied-ai-advanced-11-exercise-1", "number": 1, "title": "Calculated trace"}
    ],
}
_SESSION_DETAIL = _SESSION | {
    "positioning": "After the session on attention.",
    "general_instruction": "Show data, transformation, result, one check and one limitation.",
    "starting_data": "Logits z = [1, 0, 0] for three tokens.",
    "boundary": "A toy case; nothing is claimed of a full model.",
    "evidence_status": "established",
    "outcomes": ["Follow a loss from logits to a number."],
    "concepts": [
        {"number": 1, "title": "Cross-entropy", "text": "One share is read.", "formula": "-log p_y"}
    ],
    "lab_protocol": ["Predict, change one variable, run, explain."],
    "exit_ticket_parts": ["mechanism"],
    "sources": ["Kingma and Ba 2015"],
}
_EXERCISE: dict[str, Any] = {
    "slug": "applied-ai-advanced-11-exercise-1",
    "session": "applied-ai-advanced-11",
    "number": 1,
    "title": "Calculated trace",
    "version": 1,
    "prompt": ["Compute the loss of the first token."],
    "items": [],
    "deliverable": "a trace",
    "cohort": "autumn-1",
    "given": {"logits": [1, 0, 0], "target": 0},
    "needs_prediction": True,
    "prediction": None,
    "fields": [
        {
            "name": "exp",
            "kind": "step",
            "title": "Exponentials",
            "hint": "one for each logit",
            "unit": "",
            "shape": ["V"],
            "options": [],
            "max_length": 2000,
            "element": "",
            "given": "",
        }
    ],
    "attempts": {"allowed": 3, "left": 3},
    "feedback": "at_once",
    "solution": [],
}
_FAULT = {
    "step": "sum",
    "status": "wrong",
    "break": "operation",
    "cause": "sum_of_logits",
    "message": "Look at what is added: the logits were summed, not their exponentials.",
}
_CHECKED = _SUBMISSION | {
    "state": "checked",
    "steps": [{"name": "sum", "status": "wrong", "read": 1.0, "message": _FAULT["message"]}],
    "first_break": _FAULT,
    "faults": [_FAULT],
    "score": 0.75,
    "missing_elements": ["limitation"],
}

SESSIONS: dict[str, Any] = {
    "operation_id": "sessions_list",
    "summary": "The sessions of one's cohorts",
    "parameters": [COHORT],
    "responses": {
        200: OpenApiResponse(
            SessionSerializer(many=True), examples=[OpenApiExample("One session", _SESSION)]
        ),
        **problems(400, 404),
    },
}
SESSION: dict[str, Any] = {
    "operation_id": "sessions_retrieve",
    "summary": "A session, as learners may read it",
    "parameters": [SESSION_SLUG, COHORT],
    "responses": {
        200: OpenApiResponse(
            SessionDetailSerializer, examples=[OpenApiExample("A session", _SESSION_DETAIL)]
        ),
        **problems(400, 404),
    },
}
EXERCISE: dict[str, Any] = {
    "operation_id": "exercises_retrieve",
    "summary": "An exercise with one's own given values",
    "parameters": [EXERCISE_SLUG, COHORT],
    "responses": {
        200: OpenApiResponse(
            ExerciseSerializer, examples=[OpenApiExample("Before the prediction", _EXERCISE)]
        ),
        **problems(400, 404),
    },
}
SUBMIT: dict[str, Any] = {
    "operation_id": "submissions_create",
    "summary": "Submit an attempt",
    "description": (
        "The answer is stored first and checked by a worker afterwards: follow `Location`. The "
        "same answers twice in a row are one attempt. 409: no attempt is left. 422: the key was "
        "used for other answers."
    ),
    "parameters": [EXERCISE_SLUG, COHORT, KEY, LOCATION],
    "request": AnswersSerializer,
    "examples": [OpenApiExample("A trace", _ANSWERS, request_only=True)],
    "responses": {
        201: OpenApiResponse(
            SubmissionSerializer, examples=[OpenApiExample("Stored", _SUBMISSION)]
        ),
        **problems(*OF_BODIES, 404, 409, 422),
    },
}
SUBMISSION: dict[str, Any] = {
    "operation_id": "submissions_retrieve",
    "summary": "A submission, its findings and its points",
    "description": (
        "`steps`, `first_break` and `faults` are open to its learner when the exercise's feedback "
        "timing says so, `points` once they are released; both to those who review it."
    ),
    "parameters": [SUBMISSION_ID],
    "responses": {
        200: OpenApiResponse(SubmissionSerializer, examples=[OpenApiExample("Checked", _CHECKED)]),
        **problems(404),
    },
}
