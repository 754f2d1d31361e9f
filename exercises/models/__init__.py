"""What is asked: a session with its material, its exercises and their versions."""

from exercises.models.exercise import Exercise, ExerciseVersion, Field
from exercises.models.material import (
    ClassCheck,
    CommonError,
    Concept,
    DiagnosticQuestion,
    ExpectedWrongAnswer,
    LeverCell,
    LeverTable,
    Misconception,
    Passage,
    PlanRow,
    ProbingQuestion,
    Slide,
    Track,
    TransferChallenge,
    TransferOption,
    WorkedCase,
    WorkedLine,
)
from exercises.models.session import Session

__all__ = [
    "ClassCheck",
    "CommonError",
    "Concept",
    "DiagnosticQuestion",
    "Exercise",
    "ExerciseVersion",
    "ExpectedWrongAnswer",
    "Field",
    "LeverCell",
    "LeverTable",
    "Misconception",
    "Passage",
    "PlanRow",
    "ProbingQuestion",
    "Session",
    "Slide",
    "Track",
    "TransferChallenge",
    "TransferOption",
    "WorkedCase",
    "WorkedLine",
]
