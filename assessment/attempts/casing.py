"""Gives a learner the values to work on: the group's, or their own."""

import logging
from typing import Any

from assessment.attempts.models import Case
from assessment.cohorts.models import Enrolment
from exercises import references
from exercises.checking.drawing import VaryError
from exercises.checking.tolerance import Tolerance
from exercises.checking.variants import Variant, draw
from exercises.models import ExerciseVersion

log = logging.getLogger(__name__)

FIRST = 0


def case_for(enrolment: Enrolment, version: ExerciseVersion) -> Case:
    """Return the learner's case of this version, made at the first call and the same ever after."""
    found = Case.objects.filter(enrolment=enrolment, version=version, number=FIRST).first()
    if found:
        return found
    case, _created = Case.objects.get_or_create(
        enrolment=enrolment, version=version, number=FIRST, defaults=_values(enrolment, version)
    )
    return case


def _values(enrolment: Enrolment, version: ExerciseVersion) -> dict[str, Any]:
    """Return given values, what the prediction opens, and the generator where they were drawn."""
    common = {"given": version.given, "variation": version.variation}
    if version.numbers != ExerciseVersion.Numbers.OWN or not version.vary:
        return common
    try:
        variant = _drawn(enrolment, version)
    except (VaryError, references.UnknownReferenceError) as error:
        log.warning("%s hands out its common numbers: %s", version, error)
        return common
    generator = {"generator": variant.generator_version}
    if not version.variation:
        return generator | {"given": variant.given}
    # What is drawn is the change; the starting state stays the worked case of the group.
    changed = {name: value for name, value in variant.given.items() if value != version.given[name]}
    return generator | {"given": version.given, "variation": changed}


def _drawn(enrolment: Enrolment, version: ExerciseVersion) -> Variant:
    cases = Case.objects.filter(
        enrolment__user=enrolment.user_id, version__exercise=version.exercise_id
    )
    asked = version.given | version.variation
    seen = [asked, *(case.given | case.variation for case in cases)]
    fields = version.fields.exclude(tolerance={})
    return draw(
        references.get(version.reference),
        asked,
        version.vary,
        seed_parts=[version.exercise.slug, version.number, str(enrolment.pk), FIRST],
        seen=seen,
        tolerances={each.name: Tolerance.from_json(each.tolerance) for each in fields},
    )
