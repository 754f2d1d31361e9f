"""Numbers of the school: written where it is certain, reported where it is not."""

from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from assessment.cohorts.models import User
from assessment.grades.people.mapping import Outcome, map_people
from assessment.web.csv_files.reading import read_table
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> None:
    """Make people with and without numbers."""
    for name, number in (("ada", None), ("bea", "S-2"), ("cleo", None), ("dora", None)):
        make_user(name, sis_id=number, email=f"{name}@example.org")


def run(folder: Path, text: str, *options: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command over a file."""
    path = folder / "users.csv"
    path.write_text(text, encoding="utf-8")
    call_command("map_people", str(path), *options)
    return capsys.readouterr().out


@pytest.mark.usefixtures("people")
def test_a_file_of_numbers_is_mapped_and_the_rest_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "sourcedId,status,username,email\n"
        "S-1,active,ada,\n"
        "S-2,active,bea,\n"
        "S-2,active,cleo,\n"
        "S-4,active,,dora@example.org\n"
        "S-5,active,Ada Lovelace,\n"
        ",active,dora,\n"
    )

    said = run(tmp_path, text, capsys=capsys)

    assert dict(User.objects.values_list("username", "sis_id")) == {
        "ada": "S-1",
        "bea": "S-2",
        "cleo": None,
        "dora": None,
    }
    assert "mapped: 1, already mapped: 1, unknown person: 2, conflict: 2" in said
    assert "line 4: cleo S-2: conflict. bea has this number." in said


@pytest.mark.usefixtures("people")
def test_a_number_is_never_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = run(tmp_path, "username,sis_id\nbea,S-9\n", capsys=capsys)

    assert "Has the number S-2 already" in said
    assert User.objects.get(username="bea").sis_id == "S-2"


@pytest.mark.usefixtures("people")
def test_a_trial_run_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "username,number\nada,7\n"

    said = run(tmp_path, text, "--column", "Number", "--dry-run", capsys=capsys)

    assert "mapped: 1" in said
    assert User.objects.get(username="ada").sis_id is None


@pytest.mark.parametrize("text", ["username,x\nada,1\n", "sis_id\n1\n", ""])
def test_a_file_without_the_columns_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "users.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(CommandError) as refused:
        call_command("map_people", str(path), stdout=StringIO())
    assert refused.value.returncode == 1


def test_a_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("map_people", str(tmp_path / "none.csv"))
    assert refused.value.returncode == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_files_at_once_that_give_the_same_numbers_one_gives_each() -> None:
    numbers = [f"S-{number}" for number in range(40)]
    files = []
    for letter, order in (("a", numbers), ("b", numbers[::-1])):
        rows = [f"{make_user(f'{letter}-{number}').username},{number}" for number in order]
        files.append("\n".join(["username,sis_id", *rows]).encode())

    def hand_in(file: bytes) -> list[Outcome]:
        try:
            return [line.outcome for line in map_people(read_table(file))]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(hand_in, files))

    assert sorted({each for found in outcomes for each in found}) == ["conflict", "mapped"]
    given = User.objects.exclude(sis_id=None).values_list("sis_id", flat=True)
    assert (len(given), set(given)) == (len(numbers), set(numbers))
