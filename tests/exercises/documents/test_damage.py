import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises.documents.exercises import read_exercises
from exercises.documents.guide import read_guide
from exercises.documents.package import read_package
from exercises.documents.slides import read_slides
from exercises.documents.text import (
    MAX_BYTES,
    MAX_LINE,
    Document,
    DocumentError,
    document_from_text,
)
from tests.exercises.documents.invented import Numbers, exercises, guide, slides, write

N = Numbers()


def without(text: str, *beginnings: str) -> str:
    """Leave out the lines that begin so."""
    return "\n".join(line for line in text.splitlines() if not line.startswith(beginnings))


def line_of(text: str, beginning: str, nth: int = 1) -> int:
    """Return the number of the nth line that begins so."""
    found = [n for n, line in enumerate(text.splitlines(), 1) if line.startswith(beginning)]
    return found[nth - 1]


GUIDE, SLIDES, EXERCISES = guide(N), slides(N), exercises(N)

GUIDE_DAMAGE = [
    pytest.param(
        without(GUIDE, "## Diagnostic"), None, "the section “Diagnostic” is missing", id="section"
    ),
    pytest.param(
        GUIDE + "\n\n## Diagnostic\n\n1. Again?", -3, "also stands on line", id="section twice"
    ),
    pytest.param(
        GUIDE.replace("| 18–36 min | Activity 1 |", "| 18–36 min |"),
        line_of(GUIDE, "| 18–36"),
        "the table row has 2 cells where 3 belong",
        id="a missing cell",
    ),
    pytest.param(
        GUIDE.replace("Activity 1 |", " |"),
        line_of(GUIDE, "| 18–36"),
        "cell 2 of the table row is empty",
        id="an empty cell",
    ),
    pytest.param(
        GUIDE.replace("18–36 min", "20–36 min"),
        line_of(GUIDE, "| 18–36"),
        "the row starts at 20 min, not at 18",
        id="a gap in the plan",
    ),
    pytest.param(
        GUIDE.replace("18–36 min", "18–18 min"),
        line_of(GUIDE, "| 18–36"),
        "the row ends at 18 min, before it starts",
        id="a row of no minutes",
    ),
    pytest.param(
        GUIDE.replace("18–36 min", "soon"),
        line_of(GUIDE, "| 18–36"),
        "“soon” is not “start–end min”",
        id="no minutes",
    ),
    pytest.param(
        without(GUIDE, "| 72–90"),
        line_of(GUIDE, "## Timed plan"),
        "the plan ends at 72 min, the guide lasts 90",
        id="a short plan",
    ),
    pytest.param(
        without(GUIDE, "**Duration"),
        1,
        "“Duration:” is missing below the title",
        id="no duration",
    ),
    pytest.param(
        GUIDE.replace("### 2. Mechanism 2", "### 1. Mechanism 2"),
        line_of(GUIDE, "### 2."),
        "mechanism 1 also stands on line",
        id="two mechanisms of a number",
    ),
    pytest.param(
        GUIDE.replace("| 3 | Criterion of level 3", "| 2 | Criterion of level 3"),
        line_of(GUIDE, "| 3 | Criterion"),
        "level 2 stands twice",
        id="two levels of a number",
    ),
    pytest.param(
        without(GUIDE, "**Exit threshold"),
        line_of(GUIDE, "## Assessment"),
        "“Exit threshold:” is missing in the section “Assessment”",
        id="no threshold",
    ),
    pytest.param(
        GUIDE.replace("- **Track 1:** what", "- Track 1, what"),
        line_of(GUIDE, "- **Track 1"),
        "a track is written",
        id="a track without a name",
    ),
    pytest.param("Good morning\n" + GUIDE, 1, "must begin with its heading", id="no title"),
    pytest.param("\n \n", None, "is empty", id="empty"),
]

SLIDES_DAMAGE = [
    pytest.param(
        without(SLIDES, "Synthesis"),
        None,
        "the slide “Synthesis” is missing|25 instructor notes",
        id="a slide without its title",
    ),
    pytest.param(
        SLIDES[: SLIDES.rindex("Instructor notes:")],
        line_of(SLIDES, "Exit ticket"),
        "25 slides are followed by 24 instructor notes",
        id="a note too few",
    ),
    pytest.param(
        SLIDES + "\n\nInstructor notes: One more.",
        line_of(SLIDES, "Exit ticket"),
        "25 slides are followed by 26 instructor notes",
        id="a note too many",
    ),
    pytest.param(
        SLIDES[: SLIDES.index("Instructor notes:")],
        None,
        "no instructor note stands behind the slides",
        id="no notes at all",
    ),
    pytest.param(
        SLIDES.replace("Instructor notes: Draw.", "Instructor notes:"),
        line_of(SLIDES, "Instructor notes:", 3),
        "the instructor note is empty",
        id="an empty note",
    ),
    pytest.param(
        SLIDES.replace("/labs/cache.html", "/labs/" + "x" * 500),
        line_of(SLIDES, "Causal lab"),
        "address is longer than 500 characters",
        id="a long address",
    ),
    pytest.param(
        SLIDES.replace("· intermediate ·", "· " + "i" * 101 + " ·"),
        1,
        "does not say “Course · level · Session number”",
        id="a long level",
    ),
    pytest.param(
        SLIDES.replace("Serving Systems · intermediate · Session 4", "Caches"),
        1,
        "does not say “Course · level · Session number”",
        id="no session number",
    ),
]

EXERCISES_DAMAGE = [
    pytest.param(
        EXERCISES.replace("| Criterion 1 | 2.5 |", "| Criterion 1 | 3.5 |"),
        line_of(EXERCISES, "Rubric Exercise 1"),
        "the points add up to 9, the rubric says /8",
        id="points that do not add up",
    ),
    pytest.param(
        EXERCISES.replace("3 points per element", "2 points per element"),
        line_of(EXERCISES, "Rubric Exercise 2"),
        "the points add up to 8, the rubric says /12",
        id="prose points that do not add up",
    ),
    pytest.param(
        EXERCISES.replace("3 points per element: element 0, ", "As you like: "),
        line_of(EXERCISES, "3 points per element"),
        "neither a table nor “n points per element",
        id="a rubric that says no points",
    ),
    pytest.param(
        EXERCISES.replace("Exercise 3 — Kind", "Exercise 2 — Kind").replace(
            "Rubric Exercise 3", "Rubric Exercise 2"
        ),
        line_of(EXERCISES, "Exercise 3 — Kind"),
        f"exercise 2 also stands on line {line_of(EXERCISES, 'Exercise 2 — Kind')}",
        id="two exercises of a number",
    ),
    pytest.param(
        EXERCISES.replace("Rubric Exercise 3", "Rubric Exercise 1"),
        line_of(EXERCISES, "Rubric Exercise 3"),
        "the rubric of exercise 1 stands below exercise 3",
        id="another exercise's rubric",
    ),
    pytest.param(
        EXERCISES.replace("| Criterion 1 | 2.5 |", "| Criterion 1 |"),
        line_of(EXERCISES, "| Criterion 1 | 2.5"),
        "the table row has 1 cells where 2 belong",
        id="a missing cell",
    ),
    pytest.param(
        EXERCISES.replace("| Criterion 1 | 2.5 |", "| Criterion 1 | two |"),
        line_of(EXERCISES, "| Criterion 1 | 2.5"),
        "“two” is not a number of points",
        id="points in words",
    ),
    pytest.param(
        EXERCISES.replace("| Criterion 1 | 2.5 |", "| Criterion 1 | 1e999999999 |"),
        line_of(EXERCISES, "| Criterion 1 | 2.5"),
        "is not a number of points between 0 and 1,000",
        id="points without bound",
    ),
    pytest.param(
        without(EXERCISES, "Extension"),
        None,
        "the section “Extension” is missing",
        id="a missing section",
    ),
    pytest.param(
        without(EXERCISES, "Worked solution"),
        line_of(EXERCISES, "Exercise 1"),
        "exercise 1 has no solution below it",
        id="no solution",
    ),
    pytest.param(
        without(EXERCISES, "Rubric Exercise 4", "20 points"),
        line_of(EXERCISES, "Exercise 4 —"),
        "has no “Rubric Exercise 4 — /points” below it",
        id="no rubric",
    ),
    pytest.param(
        without(EXERCISES, "Starting data"),
        4 - 1,
        "“Starting data:” is missing here",
        id="no starting data",
    ),
    pytest.param(
        EXERCISES.replace("Exercise 2 — Kind 2 — Mechanism 2\n", ""),
        line_of(EXERCISES, "Exercise 2 —"),
        "belongs neither to the rubric nor to an exercise",
        id="an exercise without its heading",
    ),
]


def refusal(folder: Path) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        read_package(folder)
    assert str(caught.value).startswith(
        f"line {caught.value.line} of " if caught.value.line else caught.value.file
    )
    return caught.value


@pytest.mark.parametrize(("text", "line", "reason"), GUIDE_DAMAGE)
def test_a_damaged_guide_is_named_with_its_line(
    tmp_path: Path, text: str, line: int | None, reason: str
) -> None:
    check(refusal(write(tmp_path / "s", guide=text)), "teacher-guide.md", text, line, reason)


@pytest.mark.parametrize(("text", "line", "reason"), SLIDES_DAMAGE)
def test_damaged_slides_are_named_with_their_line(
    tmp_path: Path, text: str, line: int | None, reason: str
) -> None:
    check(refusal(write(tmp_path / "s", slides=text)), "slides.txt", text, line, reason)


@pytest.mark.parametrize(("text", "line", "reason"), EXERCISES_DAMAGE)
def test_damaged_exercises_are_named_with_their_line(
    tmp_path: Path, text: str, line: int | None, reason: str
) -> None:
    check(refusal(write(tmp_path / "s", exercises=text)), "exercises.txt", text, line, reason)


def check(error: DocumentError, file: str, text: str, line: int | None, reason: str) -> None:
    assert error.file == file
    assert re.search(reason, error.reason), error.reason
    if line is not None:
        assert error.line == (line if line > 0 else len(text.splitlines()) + 1 + line)


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        pytest.param(
            lambda data: data.replace("“".encode(), b"\x93"), None, "not UTF-8", id="Windows-1252"
        ),
        pytest.param(lambda data: data.decode().encode("utf-16"), 1, "UTF-16", id="UTF-16"),
        pytest.param(lambda data: data + b"\x00", None, "control character", id="NUL"),
        pytest.param(lambda data: data + b"x" * MAX_LINE + b"x", None, "longer than", id="long"),
        pytest.param(lambda data: data + b"\n" * 20_000, None, "more than 20000", id="many lines"),
        pytest.param(lambda _: b"", None, "is empty", id="empty"),
        pytest.param(lambda _: b"\xef\xbb\xbf", None, "is empty", id="only a mark"),
    ],
)
@pytest.mark.parametrize("file", ["teacher-guide.md", "slides.txt", "exercises.txt"])
def test_bytes_that_are_no_text_are_named(
    tmp_path: Path, file: str, change: Callable[[bytes], bytes], line: int | None, reason: str
) -> None:
    path = write(tmp_path / "s") / file
    data = path.read_bytes()
    if change(data) == data:
        path.write_bytes(change(data.replace(b".", "“".encode(), 1)))
    else:
        path.write_bytes(change(data))

    error = refusal(path.parent)

    assert error.file == file
    assert reason in error.reason
    assert line in {None, error.line}


def test_a_file_of_200_mb_is_refused_without_being_read(tmp_path: Path) -> None:
    path = write(tmp_path / "s") / "slides.txt"
    with path.open("r+b") as stream:
        stream.truncate(200_000_000)

    assert "larger than 2 MB" in refusal(path.parent).reason


def test_a_file_just_within_the_bound_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    path = folder / "slides.txt"
    size = path.stat().st_size
    blank = b" " * (MAX_LINE - 1) + b"\n"
    path.write_bytes(path.read_bytes() + (b"\n" + blank * 200)[: MAX_BYTES - size])

    assert read_package(folder).counts()["instructor_notes"] == SLIDES.count("Instructor notes:")


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        pytest.param("guide.md", GUIDE, read_guide, id="guide"),
        pytest.param("slides.txt", SLIDES, read_slides, id="slides"),
        pytest.param("exercises.txt", EXERCISES, read_exercises, id="exercises"),
    ],
)
def test_whatever_line_is_lost_reading_ends_in_a_document_or_in_a_message(
    name: str, text: str, read: Callable[[Document], object]
) -> None:
    lines = text.splitlines()
    refused = 0
    for lost in range(len(lines)):
        damaged = "\n".join(lines[:lost] + lines[lost + 1 :])
        try:
            read(document_from_text(name, damaged))
        except DocumentError as error:
            refused += bool(error.reason)
    assert 0 < refused < len(lines)


@pytest.mark.parametrize("read", [read_guide, read_slides, read_exercises])
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_text_stands_there_reading_ends(
    read: Callable[[Document], object], data: st.DataObject
) -> None:
    lines = data.draw(st.lists(st.sampled_from((GUIDE + SLIDES + EXERCISES).splitlines())))
    lines += data.draw(st.lists(st.text(max_size=60), max_size=5))
    with suppress(DocumentError):
        read(document_from_text("any", "\n".join(lines)))
