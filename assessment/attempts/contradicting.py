"""Where a prediction turned: shown to a learner who has found the right value themselves."""

from typing import Any, Final

from assessment.attempts.models import Prediction, Submission
from exercises import references
from exercises.checking.directions import PredictionError, first_contradiction
from exercises.checking.steps import GivenError

# A learner whose own value stands has seen which way it moved; others are told nothing here.
_OBSERVED: Final = frozenset({"right", "coarse"})


def turning_step(submission: Submission, result: dict[str, Any]) -> str:
    """Return the first step that moves against the stored prediction, or nothing."""
    version, case = submission.version, submission.case
    if not version.reference or not case.variation:
        return ""
    prediction = Prediction.objects.filter(case=case).first()
    if prediction is None or submission.given != case.given | case.variation:
        return ""
    try:
        reference = references.get(version.reference)
        last = reference.step_names[-1]
        predicted = version.predicted or last
        statuses = {step["name"]: step["status"] for step in result.get("steps", [])}
        if statuses.get(predicted) not in _OBSERVED:
            return ""
        expected = prediction.direction if predicted == last else {predicted: prediction.direction}
        found = first_contradiction(reference, case.given, case.variation, expected)
    except (references.UnknownReferenceError, GivenError, PredictionError):
        return ""
    return found.step if found else ""
