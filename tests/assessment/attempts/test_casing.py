import pytest

from assessment.attempts import checking
from assessment.attempts.casing import case_for
from assessment.attempts.models import Case, Prediction
from assessment.attempts.predicting import predict
from assessment.attempts.submitting import submit
from assessment.cohorts.models import Enrolment
from exercises.models import ExerciseVersion
from tests.factories import GIVEN, RIGHT, enrol, make_cohort, make_exercise

pytestmark = pytest.mark.django_db

VARY = {"logits[0]": {"from": 1.2, "to": 3, "step": 0.1}}


def version_with(**fields: object) -> ExerciseVersion:
    version = make_exercise(**fields).current  # type: ignore[arg-type]
    assert version is not None
    return version


def test_common_numbers_are_the_exercises_own() -> None:
    version = version_with(vary=VARY)
    case = case_for(enrol(make_cohort()), version)

    assert (case.given, case.generator) == (GIVEN, "")


def test_own_numbers_stay_the_same_and_differ_between_learners() -> None:
    version = version_with(vary=VARY, numbers="own")
    cohort = make_cohort()
    places = [enrol(cohort) for _each in range(6)]

    drawn = [case_for(place, version).given["logits"][0] for place in places]

    assert drawn == [case_for(place, version).given["logits"][0] for place in places]
    assert len(set(drawn)) > 1
    assert GIVEN["logits"][0] not in drawn  # type: ignore[index]
    assert Case.objects.count() == len(places)


def test_own_numbers_with_a_variation_are_the_change() -> None:
    version = version_with(vary=VARY, numbers="own", variation={"logits": [2.4, 1, 0]})

    case = case_for(enrol(make_cohort()), version)

    assert case.given == GIVEN
    assert case.variation["logits"][0] not in {2, 2.4}
    assert case.variation["logits"][1:] == [1, 0]
    assert case.generator


def test_own_numbers_keep_what_else_the_variation_changes() -> None:
    version = version_with(vary=VARY, numbers="own", variation={"logits": [2.4, 1, 0], "target": 1})

    case = case_for(enrol(make_cohort()), version)

    assert case.variation["target"] == 1


def test_an_answer_is_judged_on_the_values_that_were_shown() -> None:
    version = version_with(variation={"logits": [2.4, 1, 0]})
    place = enrol(make_cohort(version.exercise.session))

    before = submit(enrolment=place, version=version, answers=RIGHT)
    predict(case=case_for(place, version), direction=Prediction.Direction.DOWN)
    after = submit(enrolment=place, version=version, answers=RIGHT)
    checking.check(before.pk)

    for submission in (before, after):
        submission.refresh_from_db()
        assert submission.current_check is not None
    assert (before.given["logits"][0], after.given["logits"][0]) == (2, 2.4)
    assert before.current_check.result["first_break"] is None  # type: ignore[union-attr]
    assert after.current_check.result["first_break"]["step"] == "exp"  # type: ignore[union-attr]


def test_the_support_track_is_given_its_steps_and_earns_nothing_for_them() -> None:
    version = version_with()
    version.fields.filter(name="exp").update(given_on_support=True)
    version.rubrics.get().criteria.filter(position=1).update(evidence="trace")
    cohort = make_cohort(version.exercise.session)
    supported = enrol(cohort)
    supported.track = Enrolment.Track.SUPPORT
    supported.save()
    others = {name: parts for name, parts in RIGHT.items() if name != "exp"}

    stored = submit(enrolment=supported, version=version, answers=others)
    core = submit(enrolment=enrol(cohort), version=version, answers=RIGHT)
    checking.check(stored.pk)

    for submission in (stored, core):
        submission.refresh_from_db()
    assert stored.given_steps == ["exp"]
    assert stored.current_check.result["first_break"] is None  # type: ignore[union-attr]
    assert stored.current_check.proposed["total"] == "3.75"  # type: ignore[union-attr]
    assert core.current_check.proposed["total"] == "5.00"  # type: ignore[union-attr]
