"""``python -m exercises.checking``: one line out for each line in, whatever the line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NUMBER = {"id": "a1", "kind": "number", "answer": "0,408", "expected": 0.4076059644443803}
GIVEN = {"logits": [2, 1, 0], "target": 0}
ANSWERS = {
    "exp": "[7.389, 2.718, 1]",
    "sum": "11.107",
    "softmax": "0.665 0.245 0.090",
    "loss": "0.408",
}
TRACE = {
    "id": "t1",
    "kind": "trace",
    "reference": "cross_entropy",
    "given": GIVEN,
    "answers": ANSWERS,
}
REFERENCE = {"id": "r1", "kind": "reference", "reference": "cross_entropy", "given": GIVEN}


def run(data: bytes) -> list[dict[str, object]]:
    """Give the command its input and return its lines; each must be JSON as the standard has it."""

    def refuse(constant: str) -> object:
        raise AssertionError(constant)

    done = subprocess.run(
        [sys.executable, "-m", "exercises.checking"],
        input=data,
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line, parse_constant=refuse) for line in done.stdout.splitlines()]


def jsonl(*lines: object) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_answers_come_in_the_order_read() -> None:
    lines = [{**NUMBER, "id": number} for number in range(50)]

    found = run(jsonl(*lines))

    assert [line["id"] for line in found] == list(range(50))
    assert {line["verdict"] for line in found} == {"right"}


@pytest.mark.parametrize(("argument", "status"), [("answers.jsonl", 2), ("--help", 0)])
def test_arguments_are_wrong_use_and_told_in_one_line(argument: str, status: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "exercises.checking", argument],
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )

    assert done.returncode == status
    assert (done.stderr if status else done.stdout).count(b"\n") == 1


def test_a_trace_is_followed() -> None:
    (found,) = run(jsonl(TRACE))

    assert (found["id"], found["first_break"], found["faults"]) == ("t1", None, [])
    assert found["score"] == 1.0
    steps = found["steps"]
    assert isinstance(steps, list)
    assert [(step["name"], step["status"]) for step in steps] == [
        (name, "right") for name in ANSWERS
    ]


def test_a_reference_gives_the_exact_values() -> None:
    (found,) = run(jsonl(REFERENCE))

    steps = found["steps"]
    assert isinstance(steps, dict)
    assert list(steps) == list(ANSWERS)
    assert steps["loss"] == pytest.approx(0.4076059644443803, rel=1e-15)


STRANGE = [
    ("not JSON", b"0.408"[:-1] + b"x", None),
    ("nothing", b"", None),
    ("a list", b"[1]", None),
    ("a number", b"1", None),
    ("null", b"null", None),
    ("binary", bytes(range(256)).replace(b"\n", b"").replace(b"\r", b""), None),
    ("null bytes", b"\x00" * 100, None),
    ("not UTF-8", b'{"id": "\xff\xfe"}', None),
    ("cut off", json.dumps(NUMBER).encode()[:-5], None),
    ("deep list", b"[" * 100_000, None),
    ("deep object", b'{"a":' * 50_000 + b"1" + b"}" * 50_000, None),
    ("not-a-number constant", b'{"id": "n", "kind": "number", "expected": NaN}', None),
    ("too long", b'{"id": "' + b"x" * 1_500_000 + b'"}', None),
    ("huge whole number", b'{"id": "n", "expected": ' + b"9" * 10_000 + b"}", None),
    ("unknown kind", b'{"id": "k", "kind": "essay"}', "k"),
    ("no kind", b'{"id": 5}', 5),
    ("kind that is a list", b'{"id": "k", "kind": ["trace"]}', "k"),
    ("id that is an object", b'{"id": {"a": 1}, "kind": "essay"}', None),
    ("id too large for a double", b'{"id": 1e999, "kind": "essay"}', None),
    ("unknown reference", b'{"id": "u", "kind": "trace", "reference": "x", "given": {}}', "u"),
    ("reference that is a list", b'{"id": "u", "kind": "reference", "reference": []}', "u"),
    ("no givens", b'{"id": "u", "kind": "reference", "reference": "cross_entropy"}', "u"),
    ("expected too large", b'{"id": "x", "kind": "number", "expected": 1e999}', "x"),
    ("lone surrogate", b'{"id": "\\ud800", "kind": "essay"}', "\ud800"),
]


@pytest.mark.parametrize(("line", "name"), [pytest.param(*row[1:], id=row[0]) for row in STRANGE])
def test_a_strange_line_is_an_error_and_the_run_goes_on(line: bytes, name: object) -> None:
    first, strange, last = run(jsonl(NUMBER) + line + b"\n" + jsonl(NUMBER))

    assert (strange["id"], strange["verdict"]) == (name, "error")
    assert strange["message"]
    assert first == last
    assert first["verdict"] == "right"


def test_the_last_line_needs_no_line_break() -> None:
    assert len(run(jsonl(NUMBER, NUMBER)[:-1])) == 2
    assert len(run(b'{"id": "' + b"x" * 1_500_000)) == 1


def test_no_lines_give_none() -> None:
    assert run(b"") == []


def test_windows_line_breaks_are_read() -> None:
    assert run(json.dumps(NUMBER).encode() + b"\r\n")[0]["verdict"] == "right"


def test_each_answer_is_written_at_once() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "exercises.checking"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(jsonl({**NUMBER, "id": number}))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_a_reader_that_goes_away_ends_the_run_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "exercises.checking"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(jsonl(NUMBER))
        process.stdin.close()
        said = process.stderr.read()
        assert process.wait(timeout=30) == 0
    assert said == b""


def test_the_engine_starts_without_references_units_and_django() -> None:
    code = (
        "import sys, exercises.checking.__main__\n"
        "print([name for name in ('exercises.references', 'pint', 'django') "
        "if name in sys.modules])"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )

    assert done.stdout.strip() == "[]"
