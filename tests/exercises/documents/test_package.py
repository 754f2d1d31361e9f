from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises.documents.package import Package, read_package
from exercises.documents.session import (
    ExpectedWrongAnswer,
    Option,
    PlanRow,
    TransferChallenge,
)
from exercises.documents.text import DocumentError
from tests.exercises.documents.invented import Numbers, exercises, guide, slides, write

SOURCE = Path(__file__).parents[4] / "shared" / "source"
CONTENT = Path(__file__).parents[3] / "exercises" / "content"


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return read_package(write(tmp_path / "session"))


def expected_counts(n: Numbers) -> dict[str, object]:
    """Count what the invented documents were asked to hold."""
    answered = range(n.unanswered_checks + 1, n.checks + 1)
    totals = [sum(Decimal(p) for p in points) for points in n.rubrics]
    return {
        "outcomes": n.outcomes,
        "diagnostic_questions": n.diagnostic_questions,
        "plan_rows": n.plan_rows,
        "plan_minutes": n.plan_rows * n.common_minutes,
        "concepts": n.mechanisms,
        "formulas": min(n.formulas, n.mechanisms),
        "misconceptions": n.misconceptions,
        "common_errors": n.common_errors,
        "probing_questions": n.probing_questions,
        "levels": n.levels,
        "checks": n.checks,
        "expected_answers": len(answered),
        "expected_wrong_answers": sum(i <= n.wrong_answers + 1 for i in answered),
        "levers": n.levers,
        "exercises": len(n.rubrics),
        "rubric_points": [float(total) for total in totals],
        "exit_ticket_parts": n.exit_ticket_parts,
        "instructor_notes": slides(n).count("Instructor notes:"),
        "sources": n.sources,
        "differentiation_tracks": n.tracks,
        "review_questions": n.review_questions,
        "worked_cases": 1,
        "transfer_challenges": n.transfer_challenges,
    }


def test_counts_are_what_an_invented_session_holds(package: Package) -> None:
    assert package.counts() == expected_counts(Numbers())


some = st.integers(1, 7)


@given(
    numbers=st.builds(
        Numbers,
        outcomes=some,
        diagnostic_questions=some,
        plan_rows=some,
        mechanisms=st.integers(3, 9),
        formulas=st.integers(0, 3),
        misconceptions=some,
        common_errors=st.integers(0, 5),
        probing_questions=some,
        levels=some,
        checks=st.integers(1, 3),
        unanswered_checks=st.integers(0, 1),
        wrong_answers=st.integers(0, 3),
        levers=some,
        rubrics=st.lists(
            st.integers(1, 6).flatmap(
                lambda k: st.sampled_from(["1", "2", "2.5", "0.5"]).map(lambda p: (p,) * k)
            ),
            min_size=1,
            max_size=6,
        ).map(tuple),
        exit_ticket_parts=some,
        sources=some,
        tracks=some,
        review_questions=some,
        transfer_challenges=st.integers(1, 2),
    )
)
@settings(max_examples=60, deadline=None)
def test_counts_follow_the_documents_whatever_their_numbers(
    tmp_path_factory: pytest.TempPathFactory, numbers: Numbers
) -> None:
    folder = write(tmp_path_factory.mktemp("session"), numbers)

    assert read_package(folder).counts() == expected_counts(numbers)


def test_texts_are_taken_apart(package: Package) -> None:
    guide_, slides_, packet = package.guide, package.slides, package.packet

    assert guide_.plan[1] == PlanRow(18, 36, "Activity 1", "Evidence 1")
    assert guide_.worked_case_questions == ("What was evicted?", "Why?")
    assert guide_.worked_case_instructions == ("Hide the rate.", "Then go on.")
    assert guide_.misconceptions[0].statement == "Eviction 1 is free."
    assert guide_.observation_rules == (
        "Write what you see.",
        "Ask for the line above, e.g. the eviction.",
        "Then stop.",
    )
    assert (slides_.course, slides_.level, slides_.number) == (
        "Serving Systems",
        "intermediate",
        4,
    )
    assert slides_.mechanism_map.splitlines()[2] == "            │ miss"
    assert slides_.lab_address == "/labs/cache.html"
    assert slides_.lab_cycle == ("Predict", "change one variable", "run")
    assert slides_.levers.rows[0] == ("More lines 0", "Fewer misses seen", "Memory of the host")
    assert [line.section for line in slides_.worked_cases[0].lines] == [
        *[""] * 3,
        *["COLD START"] * 2,
        *["WARM"] * 2,
    ]
    assert [line.mark for line in slides_.worked_cases[0].lines] == [
        *["", "", "right", "", "wrong", "", "right"]
    ]
    assert slides_.transfer_challenges[0] == TransferChallenge(
        statement="Half the cache is lost.",
        options=(Option("A", "refill it slowly"), Option("B", "restart all of it")),
        tasks=("Draw the rate.", "Decide."),
        expected="take B. It is safe. Ten minutes.",
        misconception="",
        refutation="",
        remark="",
    )
    assert packet.review_introduction == "Read it as a stranger."
    assert packet.review_closing == ("Then hand it in.",)
    assert packet.exercises[0].solved_variant == "It hits 8 of 12."
    assert packet.appendix[0].formula == "h_1 = hits / requests"


def test_notes_give_answers_and_what_is_expected_wrongly(package: Package) -> None:
    unanswered, second, third, fourth = package.slides.checks

    assert (unanswered.answer, unanswered.remark) == ("", "Wait for a while.")
    assert second.answer == "six of ten, i.e. 0.6. Say why."
    assert second.wrong_answers == (ExpectedWrongAnswer("the first request, or the last", ""),)
    assert third.wrong_answers == (ExpectedWrongAnswer("all of it", "misses exist"),)
    assert third.remark == "Move on."
    assert fourth.wrong_answers == ()


def test_warnings_name_the_line_of_an_unanswered_check(package: Package) -> None:
    line = slides(Numbers()).splitlines().index("Check — Mechanism 1") + 1

    assert f"line {line} of slides.txt: the note of this check gives no answer" in package.warnings


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: text.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(lambda text: text.replace("\n", "\r"), id="CR alone"),
        pytest.param(lambda text: "\ufeff" + text, id="byte-order mark"),
        pytest.param(lambda text: text.replace("“", '"').replace("”", '"'), id="straight quotes"),
        pytest.param(
            lambda text: text.replace("“", "\x93").replace("”", "\x94"), id="quotes as controls"
        ),
        pytest.param(lambda text: text.replace("“", "«").replace("”", "»"), id="French quotes"),
        pytest.param(lambda text: text.replace(" — ", " - "), id="hyphens for dashes"),
        pytest.param(lambda text: text.replace("–", "-"), id="hyphens in the plan"),
        pytest.param(lambda text: text + "\n\n\n", id="blank lines at the end"),
        pytest.param(lambda text: text.replace("\n", "  \n"), id="blanks at line ends"),
    ],
)
def test_the_same_session_in_another_guise_counts_the_same(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    n = Numbers()
    texts = {"guide": guide(n), "slides": slides(n), "exercises": exercises(n)}
    folder = write(tmp_path / "s", None, **{kind: change(text) for kind, text in texts.items()})

    assert read_package(folder).counts() == expected_counts(n)


def test_exercises_may_be_markdown(tmp_path: Path) -> None:
    marked = "\n".join(
        f"## {line}"
        if line.startswith(("Exercise ", "Rubric", "Extension", "Review", "Reference", "Sources"))
        else line
        for line in exercises(Numbers()).splitlines()
    )
    folder = write(tmp_path / "s")
    (folder / "exercises.txt").unlink()
    (folder / "exercises.md").write_text(marked, encoding="utf-8")

    assert read_package(folder).counts() == expected_counts(Numbers())


@pytest.mark.parametrize(
    ("missing", "kind"),
    [("teacher-guide.md", "guide"), ("slides.txt", "slides"), ("exercises.txt", "exercises")],
)
def test_a_missing_document_is_named(tmp_path: Path, missing: str, kind: str) -> None:
    folder = write(tmp_path / "s")
    (folder / missing).unlink()

    with pytest.raises(DocumentError, match=f"no document whose name says “{kind}”"):
        read_package(folder)


def test_two_documents_of_a_kind_are_not_guessed_between(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    (folder / "slides-old.txt").write_text("x", encoding="utf-8")

    with pytest.raises(DocumentError, match=r"slides-old\.txt, slides\.txt"):
        read_package(folder)


def test_the_bundled_session_reads_without_a_warning() -> None:
    for checks in CONTENT.glob("*/checks.yaml"):
        assert read_package(checks.parent).warnings == ()


@pytest.mark.skipif(not SOURCE.is_dir(), reason="the author's documents are not here")
@pytest.mark.parametrize("is_bound", [True, False], ids=["with checks", "without checks"])
def test_the_author_s_documents_read_as_they_are(*, is_bound: bool) -> None:
    checks = CONTENT / "applied-ai-advanced-11" / "checks.yaml" if is_bound else None

    package = read_package(SOURCE, checks)

    assert package.counts() == read_package(CONTENT / "applied-ai-advanced-11").counts()
    assert package.slides.levers.rows[2] == (
        "Data parallelism",
        "Near-linear throughput in GPU count",
        "Weights and optimizer state replicated on every rank",
    )
    assert bool(package.warnings) != is_bound


def test_documents_that_disagree_are_imported_with_a_warning(tmp_path: Path) -> None:
    n = Numbers()
    folder = write(tmp_path / "s", slides=slides(replace(n, mechanisms=4)))

    assert any("4 mechanisms do not match" in text for text in read_package(folder).warnings)
