"""What the support track gives: the first transformation, done on the learner's own values."""

from typing import Final

import numpy as np

from assessment.attempts.models import Case
from assessment.cohorts.models import Enrolment
from exercises import references
from exercises.checking.steps import FloatArray, GivenError
from exercises.models import Field

_DIGITS: Final = 6


def given_steps(case: Case) -> dict[str, str]:
    """Return the results that the support track is given, by step; other tracks get none."""
    if case.enrolment.track != Enrolment.Track.SUPPORT or not case.version.reference:
        return {}
    fields = case.version.fields.filter(kind=Field.Kind.STEP, given_on_support=True)
    names = list(fields.values_list("name", flat=True))
    if not names:
        return {}
    try:
        reference = references.get(case.version.reference)
        exact = reference.exact_values(reference.read_given(case.shown()))
    except (references.UnknownReferenceError, GivenError):
        return {}  # the check will say so, with a reason
    return {name: _written(exact[name]) for name in names if name in exact}


def _written(value: FloatArray) -> str:
    if value.ndim == 0:
        return f"{float(value):.{_DIGITS}g}"
    return f"[{'; '.join(_written(entry) for entry in np.asarray(value))}]"
