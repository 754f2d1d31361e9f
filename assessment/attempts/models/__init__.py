"""What a learner was given, predicted, drafted and submitted, and how it was checked."""

from assessment.attempts.models.case import Case, Draft, Prediction
from assessment.attempts.models.check import Check
from assessment.attempts.models.submission import Submission, SubmissionQuerySet

__all__ = ["Case", "Check", "Draft", "Prediction", "Submission", "SubmissionQuerySet"]
