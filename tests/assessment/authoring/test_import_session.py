import json
import threading
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Model
from pytest_django import DjangoAssertNumQueries

from assessment.authoring.importing import Imported, import_package
from exercises import models
from exercises.documents.package import read_package
from exercises.models import (
    ClassCheck,
    Exercise,
    ExerciseVersion,
    Field,
    LeverCell,
    Passage,
    Session,
)
from rubrics.models import Criterion, Level, Rubric
from tests.command_line import Ended, run_command
from tests.exercises.documents.invented import Numbers, exercises, write

ROOT = Path(__file__).parents[3]
BUNDLED = ROOT / "exercises" / "content" / "applied-ai-advanced-11"
SOURCE = ROOT.parent / "shared" / "source"

pytestmark = pytest.mark.django_db


def run(*arguments: str | Path) -> None:
    call_command("import_session", *map(str, arguments))


def report(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, object]:
    run(*arguments, "--json")
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def everything() -> dict[str, list[dict[str, object]]]:
    """Return every row of content, by table."""
    tables: list[type[Model]] = [
        *apps.get_app_config("exercises").get_models(),
        *apps.get_app_config("rubrics").get_models(),
    ]
    return {t.__name__: list(t._default_manager.order_by("pk").values()) for t in tables}


def test_reports_what_was_stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path / "s")

    found = report(capsys, folder)

    assert found["session"] == {
        "number": 4,
        "title": "Caches for serving",
        "created": True,
        "changed": False,
    }
    assert found["counts"] == read_package(folder).counts()
    assert found["warnings"] == list(read_package(folder).warnings)


def test_every_counted_thing_is_a_row_of_its_own(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    counts = read_package(folder).counts()

    run(folder)

    session = Session.objects.get(slug="serving-systems-intermediate-4")
    kinds = Passage.Kind
    assert {
        "outcomes": session.passages.filter(kind=kinds.OUTCOME).count(),
        "diagnostic_questions": session.diagnosticquestions.count(),
        "plan_rows": session.planrows.count(),
        "plan_minutes": session.duration_minutes,
        "concepts": session.concepts.count(),
        "formulas": session.concepts.exclude(formula="").count(),
        "misconceptions": session.misconceptions.count(),
        "common_errors": session.commonerrors.count(),
        "probing_questions": session.probingquestions.count(),
        "levels": Level.objects.filter(scale__session=session).count(),
        "checks": session.classchecks.count(),
        "expected_answers": session.classchecks.exclude(answer="").count(),
        "expected_wrong_answers": models.ExpectedWrongAnswer.objects.count(),
        "levers": LeverCell.objects.filter(table__session=session, column=1).count(),
        "exercises": session.exercises.count(),
        "rubric_points": [float(r.total) for r in Rubric.objects.order_by("version__exercise")],
        "exit_ticket_parts": session.exitticketparts.count(),
        "instructor_notes": session.slides.exclude(note="").count(),
        "sources": session.passages.filter(kind=kinds.SOURCE).count(),
        "differentiation_tracks": session.tracks.count(),
        "review_questions": session.passages.filter(kind=kinds.REVIEW_QUESTION).count(),
        "worked_cases": session.workedcases.count(),
        "transfer_challenges": session.transferchallenges.count(),
    } == counts


def test_importing_twice_changes_nothing_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "s")
    run(folder)
    before = everything()
    capsys.readouterr()

    run(folder)

    assert "unchanged" in capsys.readouterr().out
    assert report(capsys, folder)["session"] == {
        "number": 4,
        "title": "Caches for serving",
        "created": False,
        "changed": False,
    }
    assert everything() == before


def test_blank_lines_and_line_ends_are_no_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "s")
    run(folder)
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        if path.name != "slides.txt":  # where blank lines belong to the drawing
            text = text.replace("\n\n", "\n\n\n")
        path.write_text(f"\ufeff\n{text}", encoding="utf-8", newline="\r\n")
    capsys.readouterr()

    found = report(capsys, folder)

    assert found["session"]["changed"] is False  # type: ignore[index]  # a JSON object


def test_a_dry_run_reports_and_stores_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything()

    found = report(capsys, write(tmp_path / "s"), "--dry-run")

    assert found["session"]["created"] is True  # type: ignore[index]  # a JSON object
    assert everything() == before


def test_a_dry_run_of_a_change_keeps_the_old(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    run(folder)
    before = everything()
    write(folder, replace(Numbers(), outcomes=1, misconceptions=6))

    run(folder, "--dry-run")

    assert everything() == before


def test_a_changed_exercise_gets_a_new_version_and_the_old_one_stays(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    run(folder)
    first, second = Exercise.objects.order_by("number")[:2]
    kept = (ExerciseVersion.objects.filter(exercise=first).values().get(), second.current_id)
    text = exercises(Numbers()).replace("| Criterion 0 | 4 |", "| Criterion 0 | 3 |")
    write(folder, exercises=text.replace("| Criterion 1 | 2.5 |", "| Criterion 1 | 3.5 |"))

    run(folder)

    old = ExerciseVersion.objects.filter(pk=kept[0]["id"])
    first.refresh_from_db()
    second.refresh_from_db()
    assert second.current_id == kept[1]
    assert first.current is not None
    assert (first.current.number, old.values().get()) == (2, kept[0])
    assert points(first.current) == {"0": Decimal(3), "1": Decimal("3.5"), "2": Decimal("1.5")}
    assert points(old.get()) == {"0": Decimal(4), "1": Decimal("2.5"), "2": Decimal("1.5")}


def points(version: ExerciseVersion) -> dict[str, Decimal]:
    found = Criterion.objects.filter(rubric__version=version)
    return {each.title.removeprefix("Criterion "): each.points for each in found}


def test_a_change_beside_the_exercises_makes_no_version(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    run(folder)
    versions = list(ExerciseVersion.objects.order_by("pk").values())
    question = Session.objects.get().probingquestions.get(position=1).pk
    write(folder, replace(Numbers(), probing_questions=2, levels=3))

    run(folder)

    assert list(ExerciseVersion.objects.order_by("pk").values()) == versions
    assert Session.objects.get().probingquestions.get(position=1).pk == question
    assert Session.objects.get().probingquestions.count() == 2
    assert Level.objects.count() == 3


def test_an_exercise_that_is_gone_is_retired_and_comes_back_as_it_was(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    run(folder)
    last = Exercise.objects.get(number=4)

    run(write(folder, replace(Numbers(), rubrics=Numbers().rubrics[:3])))
    assert list(Exercise.objects.offered().values_list("number", flat=True)) == [1, 2, 3]

    run(write(folder))
    back = Exercise.objects.offered().get(number=4)
    assert (back.pk, back.current_id) == (last.pk, last.current_id)


def test_exercises_of_two_sessions_have_addresses_of_their_own(tmp_path: Path) -> None:
    run(write(tmp_path / "s"))
    run(BUNDLED)

    slugs = list(Exercise.objects.values_list("slug", flat=True))
    assert len(slugs) == len(set(slugs)) == 7
    assert "applied-ai-advanced-11-exercise-1" in slugs


def test_a_version_and_a_rubric_are_never_saved_again(tmp_path: Path) -> None:
    run(write(tmp_path / "s"))

    for row in (ExerciseVersion.objects.earliest("pk"), Rubric.objects.earliest("pk")):
        with pytest.raises(TypeError, match="never changes"):
            row.save()


def test_the_bundled_session_is_bound_and_hides_its_variation() -> None:
    run(BUNDLED)

    version = Exercise.objects.get(slug="applied-ai-advanced-11-exercise-1").current
    assert version is not None
    assert (version.reference, version.predicted) == ("cross_entropy", "loss")
    assert "2.4" in " ".join(version.prompt)
    assert "2.4" not in " ".join(version.prompt_before)
    assert "target 0" in " ".join(version.prompt_before)
    steps = version.fields.filter(kind=Field.Kind.STEP).order_by("position")
    assert [(each.name, each.shape) for each in steps] == [
        ("exp", ["V"]),
        ("sum", []),
        ("softmax", ["V"]),
        ("loss", []),
    ]
    criteria = Criterion.objects.filter(rubric__version=version)
    assert {each.title: (each.points, each.evidence) for each in criteria} == {
        "Explicit data and shapes": (Decimal(2), "shapes"),
        "Traceable calculation": (Decimal(3), "trace"),
        "Prediction before variation": (Decimal(2), "prediction"),
        "Interpretation and check": (Decimal(2), "interpretation"),
        "Named limitation": (Decimal(1), "limitation"),
    }


def test_results_of_the_worked_case_are_blanked_until_it_is_answered() -> None:
    run(BUNDLED)
    session = Session.objects.get()

    shown = session.masked(session.starting_data, "starting_data")

    assert "[2,1,0]" in shown
    assert not any(figure in shown for figure in ("0.665", "0.245", "0.090", "0.408"))
    assert session.masked(session.starting_data, "starting_data", {"worked_case"}) == (
        session.starting_data
    )
    assert "0.408" not in session.masked(session.mechanism_map, "mechanism_map")


def test_learners_load_neither_answers_nor_notes(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    run(BUNDLED)

    with django_assert_num_queries(1):
        row = ClassCheck.objects.for_learners().order_by("position").first()
    assert row is not None
    assert {"answer", "remark", "binding"} <= row.get_deferred_fields()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("reference: cross_entropy", "reference: entropy", "there is no “entropy”"),
        ("given: {logits: [2, 1, 0], target: 0}", "given: {logits: [2, 1, 0]}", "not given"),
        ("given: {logits: [2, 1, 0], target: 0}", "given: {logits: 2, target: 0}", "logits"),
        ("target: 0}\n    variation", "target: 3}\n    variation", "target"),
        ("      loss: {title: Cross-entropy}\n", "", "loss"),
        ("sum: {title: Sum of the", "total: {title: Sum of the", "“total” is no step"),
        ("shape: [V], given", "shape: [B], given", "the reference's is [V]"),
        ("step: valid_positions", "step: positions", "“positions” is no step"),
        ("steps: {2: sum,", "steps: {2: total,", "“total” is no step"),
    ],
)
def test_a_binding_the_engine_cannot_follow_is_named_and_nothing_is_stored(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    text = (BUNDLED / "checks.yaml").read_text(encoding="utf-8")
    checks = tmp_path / "checks.yaml"
    checks.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert text != checks.read_text(encoding="utf-8")

    with pytest.raises(CommandError) as caught:
        run(BUNDLED, "--checks", checks)

    assert reason in str(caught.value)
    assert str(caught.value).startswith("line ")
    assert caught.value.returncode == 1
    assert not Session.objects.exists()


def test_a_damaged_document_leaves_what_was_stored(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    run(folder)
    before = everything()
    text = exercises(Numbers()).replace("| Criterion 1 | 2.5 |", "| Criterion 1 | 9 |")
    write(folder, replace(Numbers(), outcomes=1), exercises=text)

    with pytest.raises(
        CommandError, match=r"line 12 of exercises\.txt: the points add up"
    ) as caught:
        run(folder)

    assert caught.value.returncode == 1
    assert everything() == before


def test_an_address_that_another_session_has_is_refused(tmp_path: Path) -> None:
    run(write(tmp_path / "s"))
    slides = (tmp_path / "s" / "slides.txt").read_text(encoding="utf-8")
    write(tmp_path / "s", slides=slides.replace("Serving Systems", "Serving: Systems"))

    with pytest.raises(CommandError, match="belongs to") as caught:
        run(tmp_path / "s")

    assert caught.value.returncode == 1
    assert Session.objects.count() == 1


@pytest.mark.skipif(not SOURCE.is_dir(), reason="the author's documents are not here")
def test_the_author_s_documents_are_the_bundled_session_in_other_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bundled = report(capsys, BUNDLED)

    found = report(capsys, SOURCE, "--checks", BUNDLED / "checks.yaml")

    assert found["counts"] == bundled["counts"]
    assert found["warnings"] == []
    assert Session.objects.count() == 1
    version = Exercise.objects.get(number=1).current
    assert version is not None
    assert version.number == 2
    assert "2.4" not in " ".join(version.prompt_before)


@pytest.mark.django_db(transaction=True)
def test_two_imports_at_a_time_come_one_after_the_other(tmp_path: Path) -> None:
    package = read_package(write(tmp_path / "s"))
    done: list[Imported] = []

    def work() -> None:
        try:
            done.append(import_package(package))
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(each.is_new for each in done) == [False, False, False, True]
    assert not any(each.is_changed for each in done)
    assert ExerciseVersion.objects.count() == 4


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_the_command_line_ends_in_one_line_and_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = write(tmp_path / "s", exercises=exercises(Numbers()).replace("/8.0", "/9"))
    (tmp_path / "empty").mkdir()

    def ending_of(*arguments: str | Path) -> Ended:
        return run_command(monkeypatch, capsys, "import_session", *map(str, arguments))

    endings = {
        "damaged": ending_of(folder),
        "no folder": ending_of(tmp_path / "none"),
        "empty folder": ending_of(tmp_path / "empty"),
        "no checks": ending_of(BUNDLED, "--checks", tmp_path / "no.yaml"),
        "sound": ending_of(BUNDLED, "--json"),
    }

    assert {name: ending.status for name, ending in endings.items()} == {
        "damaged": 1,
        "no folder": 2,
        "empty folder": 1,
        "no checks": 2,
        "sound": 0,
    }
    for name, ending in endings.items():
        assert "Traceback" not in ending.err
        assert len(ending.err.splitlines()) == (0 if name == "sound" else 1), ending.err
    assert json.loads(endings["sound"].out)["session"]["created"] is True
