"""The points sheet through spreadsheet programs: nothing lost, nothing run, no false conflict."""

import shutil
import subprocess
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Browser

from assessment.cohorts.models import User
from assessment.web.csv_files.cells import Notation
from assessment.web.csv_files.reading import read_table
from assessment.web.csv_files.writing import lines
from tests.assessment.grades.conftest import Course
from tests.factories import enrol, make_exercise, make_review, make_submission, make_user

OFFICE = shutil.which("soffice")
# Names and numbers that programs like to run, split, or rewrite.
PEOPLE = [
    ("Zoë", "Müller", "00123"),
    ("小明", "王", "1E5"),
    ("عائشة", "בן־דוד", "2-3"),
    ("😀", 'O"Brien; Ada, "the"', "1/2"),
    ("line\nbreak", "=HYPERLINK(1)", "MAR-1"),
    ("+41", "@sum", "12345678901234567890"),
    ("-2", "'quoted'", "1.10"),
    ("00", "TRUE", "10:30"),
]
# What LibreOffice 7.4 with German settings saved: opened from the sheet with a decimal comma.
GERMAN = (
    "\ufefflearner;username;sis_id;family_name;given_name;exercise;criterion;points;maximum\r\n"
    ";zoe;'00123;Müller;Zoë;{x};Traceable calculation;2,125;5\r\n"
    ";wang;'1E5;王;小明;{x};Traceable calculation;0;5\r\n"
    ";ben;'2-3;בן־דוד;\"عائشة\n'=1\";{x};Traceable calculation;;5\r\n"
)


def fetch(user: User, course: Course, query: str) -> bytes:
    """Save the points sheet as someone."""
    browser = Browser()
    browser.force_login(user)
    response: Any = browser.get(f"/files/{course.cohort.slug}/points.csv{query}")
    return bytes(response.getvalue())


def plan_of(user: User, course: Course, content: bytes) -> Any:  # noqa: ANN401 (what the page shows)
    """Hand a file in and return what it would change."""
    browser = Browser()
    browser.force_login(user)
    file = SimpleUploadedFile("points.csv", content, content_type="text/csv")
    return browser.post(f"/files/{course.cohort.slug}/", {"file": file}, follow=True).context[
        "plan"
    ]


@pytest.fixture
def awkward(course: Course) -> Course:
    """Return the course with people whose names and numbers programs rewrite, all reviewed."""
    course.exercise = make_exercise(
        course.cohort.sessions.get(), rubric={"Traceable calculation": "5", "Größe; «α»": "2.5"}
    )
    for number, (given, family, sis_id) in enumerate(PEOPLE):
        user = make_user(f"awkward-{number}", first_name=given, last_name=family, sis_id=sis_id)
        submission = make_submission(enrol(course.cohort, user), course.exercise)
        points = [("0", "2.125"), ("4.5", "1.0625"), ("3", "0")][number % 3]
        make_review(submission, course.instructor, *points)
    return course


@pytest.mark.parametrize("query", ["", "?decimal=comma", "?mark=0"])
def test_an_untouched_sheet_changes_nothing_and_fits(awkward: Course, query: str) -> None:
    plan = plan_of(awkward.instructor, awkward, fetch(awkward.instructor, awkward, query))

    assert (plan.changes, plan.problems, plan.unchanged) == ([], [], len(PEOPLE))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_what_a_german_program_saved_is_read_exactly(course: Course, encoding: str) -> None:
    for name, sis_id in (("zoe", "00123"), ("wang", "1E5"), ("ben", "2-3")):
        place = enrol(course.cohort, make_user(name, sis_id=sis_id))
        make_submission(place, course.exercise)
    content = GERMAN.format(x=course.exercise.slug).encode(encoding)

    plan = plan_of(course.instructor, course, content)

    assert plan.problems == []
    assert [change.differences[0][2] for change in plan.changes] == [Decimal("2.125"), Decimal(0)]
    assert plan.unchanged == 1


@pytest.mark.parametrize("first", ["Müller", "王"])
def test_a_windows_1252_file_is_told_of(course: Course, first: str) -> None:
    make_submission(course.learner, course.exercise)
    text = f"username;family_name;exercise;criterion;points\nada;{first};"
    text += f"{course.exercise.slug};Traceable calculation;2,5\n"
    browser = Browser()
    browser.force_login(course.instructor)
    # A program writes a question mark for what the encoding does not have.
    file = SimpleUploadedFile("points.csv", text.encode("cp1252", errors="replace"))

    page: Any = browser.post(f"/files/{course.cohort.slug}/", {"file": file}, follow=True)

    assert len(page.context["plan"].changes) == 1
    assert ("Windows-1252" in page.content.decode()) is (first == "Müller")


def office(folder: Path, locale: str, *arguments: str) -> None:
    """Run LibreOffice without a window, with settings of its own in this language."""
    settings = folder / locale / "user" / "registrymodifications.xcu"
    if not settings.exists():
        settings.parent.mkdir(parents=True)
        settings.write_text(
            '<?xml version="1.0" encoding="UTF-8"?>'
            '<oor:items xmlns:oor="http://openoffice.org/2001/registry">'
            '<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale"'
            f' oor:op="fuse"><value>{locale}</value></prop></item></oor:items>'
        )
    command = [str(OFFICE), f"-env:UserInstallation=file://{folder / locale}", "--headless"]
    subprocess.run([*command, *arguments], check=True, capture_output=True, timeout=120)


def saved_by_office(folder: Path, content: bytes, locale: str, kind: str, out: str) -> bytes:
    """Open a CSV (its numbers and days guessed), save it as ``kind``, open that, save a CSV."""
    separator = "59" if b";username" in content else "44"
    (folder / "sheet.csv").write_bytes(content)
    first = f"--infilter=Text - txt - csv (StarCalc):{separator},34,76,1,,0,false,true"
    book = folder / "book"
    office(
        folder,
        locale,
        first,
        "--convert-to",
        kind,
        "--outdir",
        str(book),
        str(folder / "sheet.csv"),
    )
    last = f"csv:Text - txt - csv (StarCalc):{out},1,,0,false,true,false"
    office(
        folder, locale, "--convert-to", last, "--outdir", str(folder), str(book / f"sheet.{kind}")
    )
    return (folder / "sheet.csv").read_bytes()


@pytest.mark.soak
@pytest.mark.skipif(OFFICE is None, reason="LibreOffice Calc (soffice) is not installed")
@pytest.mark.parametrize(
    ("locale", "query", "out"),
    [
        pytest.param("en-US", "", "44,34,76", id="English"),
        pytest.param("de-DE", "?decimal=comma", "59,34,76", id="German"),
        pytest.param("de-DE", "?decimal=comma", "9,34,65535", id="German, Unicode text"),
        pytest.param("fr-FR", "?decimal=comma", "59,34,76", id="French"),
    ],
)
@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_libreoffice_gives_the_sheet_back_as_it_was(
    awkward: Course, tmp_path: Path, kind: str, locale: str, query: str, out: str
) -> None:
    content = fetch(awkward.instructor, awkward, query)

    saved = saved_by_office(tmp_path, content, locale, kind, out)

    plan = plan_of(awkward.instructor, awkward, saved)
    assert (plan.changes, plan.problems, plan.unchanged) == ([], [], len(PEOPLE))
    for name in ("sis_id", "family_name", "given_name", "criterion"):
        assert [row.values[name] for row in read_table(saved).rows] == [
            row.values[name] for row in read_table(content).rows
        ]


@pytest.mark.soak
@pytest.mark.skipif(OFFICE is None, reason="LibreOffice Calc (soffice) is not installed")
def test_nothing_in_a_cell_is_a_formula_for_libreoffice(tmp_path: Path) -> None:
    texts = ["=1+1", "+1+1", "-1+1", "@sum(1)", "\t=1+1", "a;=1+1", "＝1+1"]
    content = "".join(lines(("username", "x"), ((text, 1) for text in texts), Notation()))

    saved = saved_by_office(tmp_path, content.encode(), "en-US", "xlsx", "44,34,76")

    assert [row.values["username"] for row in read_table(saved).rows] == texts
