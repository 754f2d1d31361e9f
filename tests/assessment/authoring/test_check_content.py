"""``check_content``: what it proves of real content, and what it finds in content made to fail."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from assessment.authoring.publishing import publish
from exercises import references
from exercises.models import Exercise, ExerciseVersion, Session
from tests.factories import enrol, make_cohort, make_exercise, make_session

ROOT = Path(__file__).parents[3]
BUNDLED = ROOT / "exercises" / "content" / "applied-ai-advanced-11"
SOURCE = ROOT.parent / "shared" / "source"
VARY = "      logits[0]: {from: 1.2, to: 3, step: 0.1}\n"
# Equal logits: every share is a third, whatever the mistake.
CANNOT = "      logits: [[0, 0, 0], [1, 1, 1], [5, 5, 5]]\n"

pytestmark = pytest.mark.django_db


def report(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> tuple[dict[str, Any], str]:
    """Return what the command prints as JSON, and the error it ends with, or nothing."""
    capsys.readouterr()
    try:
        call_command("check_content", *map(str, arguments), "--json")
    except CommandError as error:
        ended = f"{error.returncode}: {error}"
    else:
        ended = ""
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found, ended


def findings(found: dict[str, Any]) -> list[str]:
    sessions = found["sessions"]
    return [
        finding
        for each in sessions
        for finding in (*(f for e in each["exercises"] for f in e["findings"]), *each["findings"])
    ]


def checks(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """Write the bundled bindings with changes."""
    text = (BUNDLED / "checks.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "checks.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def rows() -> dict[str, int]:
    return {model.__name__: model._default_manager.count() for model in apps.get_models()}


def test_the_bundled_session_is_proved_over_ten_thousand_draws(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, error = report(capsys, BUNDLED)

    assert error == ""
    assert findings(found) == []
    (session,) = found["sessions"]
    computed = [each for each in session["exercises"] if each["is_computed"]]
    for exercise in computed:
        assert exercise["draws"] == 10_000
        assert exercise["rate"] == exercise["accepted"] / 10_000 > 0.9
        assert min(exercise["margins"].values()) > 0.01
    assert set(computed[0]["margins"]) == {
        f"{step.name}.{mistake.name}"
        for step in references.get("cross_entropy").steps
        for mistake in step.mistakes
    }


@pytest.mark.skipif(not SOURCE.is_dir(), reason="the author's documents are not here")
def test_the_author_s_documents_are_proved_with_the_same_bindings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, error = report(capsys, SOURCE, "--checks", BUNDLED / "checks.yaml", "--draws", "500")

    assert (findings(found), error) == ([], "")


def test_nothing_is_stored_by_reading_documents(capsys: pytest.CaptureFixture[str]) -> None:
    before = rows()

    report(capsys, BUNDLED, "--draws", "10")

    assert rows() == before


def test_every_stored_session_is_proved_and_left_as_it_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("import_session", str(BUNDLED), verbosity=0)
    make_exercise(make_session(slug="another"))
    before, versions = rows(), list(ExerciseVersion.objects.order_by("pk").values())

    found, error = report(capsys, "--draws", "20")

    assert error == ""
    slugs = {each["session"] for each in found["sessions"]}
    assert slugs == {"applied-ai-advanced-11", "another"}
    assert rows() == before
    assert list(ExerciseVersion.objects.order_by("pk").values()) == versions


def test_one_stored_session_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    make_exercise(make_session(slug="one"))
    make_exercise(make_session(slug="two"))

    found, _error = report(capsys, "--session", "two", "--draws", "10")

    assert [each["session"] for each in found["sessions"]] == ["two"]


def test_without_any_stored_session_the_bundled_one_is_proved(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, _error = report(capsys, "--draws", "10")

    assert [each["session"] for each in found["sessions"]] == ["applied-ai-advanced-11"]


def test_an_exercise_that_cannot_discriminate_is_found_with_the_draws_that_show_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    invented = checks(tmp_path, (VARY, CANNOT))

    found, error = report(capsys, BUNDLED, "--checks", invented, "--draws", "300")

    first = found["sessions"][0]["exercises"][0]
    assert (first["accepted"], first["rate"]) == (0, 0.0)
    shown = " ".join(findings(found))
    assert "0 of 300 draws" in shown
    assert 'not {"logits": [5, 5, 5], "target": 0}' in shown
    assert "loss: wrong_target would pass for right" in shown
    assert error.endswith("findings")


@pytest.mark.parametrize(
    "good", [pytest.param(1, id="one in twenty"), pytest.param(4, id="four in twenty")]
)
def test_an_import_refuses_what_hardly_ever_discriminates(tmp_path: Path, good: int) -> None:
    choices = ["[0, 0, 0]"] * (20 - good) + ["[2.7, 1, 0]"] * good
    path = checks(tmp_path, (VARY, f"      logits: [{', '.join(choices)}]\n"))

    if good > 2:
        call_command("import_session", str(BUNDLED), "--checks", str(path), verbosity=0)
        assert Session.objects.exists()
        return
    with pytest.raises(CommandError) as caught:
        call_command("import_session", str(BUNDLED), "--checks", str(path))

    line = path.read_text(encoding="utf-8").splitlines().index("    vary:") + 2
    message = str(caught.value)
    assert message.startswith(f"line {line} of checks.yaml: exercises.exercise-1.vary: ")
    assert '{"logits": [0, 0, 0], "target": 0}: exp: power_of_ten would pass for right' in message
    assert caught.value.returncode == 1
    assert not Session.objects.exists()


def test_an_import_refuses_draws_that_no_reference_can_start_from(tmp_path: Path) -> None:
    path = checks(tmp_path, (VARY, "      target: [7, 8, 9]\n"))

    with pytest.raises(CommandError, match="givens that cannot be used: target"):
        call_command("import_session", str(BUNDLED), "--checks", str(path))


def test_a_tolerance_so_wide_that_mistakes_pass_is_refused(tmp_path: Path) -> None:
    path = checks(tmp_path, ("{title: Cross-entropy}", "{title: Loss, tolerance: {atol: 1}}"))

    with pytest.raises(CommandError, match="loss: probability_as_loss would pass for right"):
        call_command("import_session", str(BUNDLED), "--checks", str(path))


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        pytest.param(
            ("variation: {logits: [2.4, 1, 0]}", "variation: {logits: [1, 1, 0]}"),
            "variation: loss: wrong_target would pass for right",
            id="the variation's own values",
        ),
        pytest.param(
            (
                "given: {logits: [2, 1, 0], target: 0}\n    v",
                "given: {logits: [0, 0, 1], target: 0}\n    v",
            ),
            "given: loss: wrong_target would pass for right",
            id="the given values",
        ),
    ],
)
def test_an_exercise_s_own_values_are_proved_too(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: tuple[str, str],
    finding: str,
) -> None:
    path = checks(tmp_path, change)

    found, error = report(capsys, BUNDLED, "--checks", path, "--draws", "20")

    assert finding in findings(found)
    assert error


WITHHELD = '    withheld:\n      - {mentions: "2.4", until: prediction}\n'
PAGE, API = "/exercises/applied-ai-advanced-11-exercise-1/", "/api/v1/exercises/"


@pytest.mark.parametrize(
    ("change", "leaks"),
    [
        pytest.param(
            (WITHHELD, ""),
            {f"{PAGE}: shows “2.4”, withheld until: prediction"},
            id="the changed value before the prediction",
        ),
        pytest.param(
            (
                "in: [starting_data, worked_case, mechanism_map, c",
                "in: [starting_data, worked_case, c",
            ),
            {"/sessions/applied-ai-advanced-11/: shows “0.408”, withheld until: worked_case"},
            id="a result that also stands in a place that nobody named",
        ),
        pytest.param(
            ("common_errors, exercise-3]", "common_errors]"),
            {
                f"{PAGE.replace('1/', '3/')}: shows “0.408”, withheld until: worked_case",
            },
            id="a result that another exercise prints",
        ),
        pytest.param(
            ("shown: [1, 5, 7, 10, 14, 15]", "shown: [1, 2, 5, 7, 10, 14, 15]"),
            set(),
            id="a line that is shown on purpose",
        ),
        pytest.param(
            ('figures: ["0.748",', 'figures: ["2.4", "0.748",'),
            {f"{PAGE}: shows “2.4”, withheld until: publication"},
            id="what the prediction must not open",
        ),
    ],
)
def test_what_a_learner_reads_too_early_is_found(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: tuple[str, str],
    leaks: set[str],
) -> None:
    path = checks(tmp_path, change)

    found, _error = report(capsys, BUNDLED, "--checks", path, "--draws", "20")

    assert leaks <= set(findings(found))
    assert bool(leaks) == bool(findings(found))


def test_a_published_solution_is_no_finding(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("import_session", str(BUNDLED), verbosity=0)
    exercise = Exercise.objects.get(key="exercise-1")
    publish(exercise, enrol(make_cohort(exercise.session), role="instructor").user)

    found, error = report(capsys, "--draws", "20")

    assert (findings(found), error) == ([], "")


def test_a_reference_that_the_engine_no_longer_has_is_a_finding(
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_exercise(reference="entropy_of_old")

    found, error = report(capsys, "--draws", "20")

    assert any("entropy_of_old" in finding for finding in findings(found))
    assert error == "1: 1 finding"


def test_stored_values_that_a_reference_cannot_start_from_are_a_finding(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exercise = make_exercise(variation={"logits": [800, 1, 0]})
    exercise.session.classchecks.create(
        position=2,
        prompt="How much?",
        binding={
            "fields": [
                {
                    "name": "x",
                    "reference": "recompute_cost",
                    "given": {"forward": 0},
                    "step": "plain",
                }
            ]
        },
    )

    found, _error = report(capsys, "--draws", "20")

    assert {finding.split(": ")[0] for finding in findings(found)} == {
        "variation",
        "checks.2.fields.x",
    }


def test_the_report_for_people_names_every_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check_content", str(BUNDLED), "--draws", "200")

    lines = capsys.readouterr().out
    for step in references.get("cross_entropy").steps:
        for mistake in step.mistakes:
            assert f"{step.name}, {mistake.name}: smallest margin" in lines
    assert "finding" not in lines


def test_documents_that_cannot_be_read_end_as_in_an_import(tmp_path: Path) -> None:
    path = checks(tmp_path, ("reference: cross_entropy", "reference: entropy"))

    with pytest.raises(CommandError, match=r"of checks\.yaml: .* there is no “entropy”") as caught:
        call_command("check_content", str(BUNDLED), "--checks", str(path))

    assert caught.value.returncode == 1
