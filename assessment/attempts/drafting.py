"""Keeps what a learner is writing; a draft is never checked and never judged."""

from collections.abc import Iterable, Mapping

from assessment.attempts.answers import storable
from assessment.attempts.models import Draft
from assessment.cohorts.models import Enrolment
from exercises.models import Exercise, Field


def save(*, enrolment: Enrolment, exercise: Exercise, answers: Mapping[str, str]) -> Draft:
    """Keep the texts of the form's inputs as they stand; the latest save wins."""
    kept = {name: storable(text) for name, text in answers.items()}
    draft, _created = Draft.objects.update_or_create(
        enrolment=enrolment, exercise=exercise, defaults={"answers": kept}
    )
    return draft


def too_long(fields: Iterable[Field], typed: Mapping[str, str]) -> list[str]:
    """Return the titles of fields with a text longer than they take."""
    longest = {each.name: each for each in fields}
    found = []
    for name, text in typed.items():
        field = longest.get(name) or longest[name.rpartition(".")[0]]
        if len(text) > field.max_length:
            found.append(field.title)
    return found
