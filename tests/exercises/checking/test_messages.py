"""The sentences for learners."""

import ast
import re
from pathlib import Path

import pytest

import exercises.checking
from exercises.checking.messages import MESSAGES

ENGINE = Path(exercises.checking.__file__).parent
RAISED = re.compile(r"[a-z][a-z_]+")


def codes_of(path: Path) -> set[str]:
    """Return the codes that a module gives to its errors and results."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", "")
        if name.endswith("Error") and name not in {"FieldError", "NamesError", "ToleranceError"}:
            found |= _texts(node.args[:1])
        elif name == "Checked":
            found |= _texts(node.args[2:3])
        elif name == "_error":
            found |= _texts(node.args[1:2])
    return found


def _texts(nodes: list[ast.expr]) -> set[str]:
    constants = [part for node in nodes for part in ast.walk(node)]
    return {
        part.value
        for part in constants
        if isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        and RAISED.fullmatch(part.value)
    }


MODULES = [
    ENGINE / "__main__.py",
    ENGINE / "answers.py",
    ENGINE / "fields.py",
    *sorted((ENGINE / "reading").glob("*.py")),
]


@pytest.mark.parametrize("path", MODULES, ids=[path.name for path in MODULES])
def test_every_code_has_a_sentence(path: Path) -> None:
    assert codes_of(path) <= set(MESSAGES)


def test_the_codes_of_the_engine_are_found_at_all() -> None:
    found = set().union(*map(codes_of, MODULES))

    assert {"mixed_number", "unit_other", "ambiguous", "axes", "not_json"} <= found


@pytest.mark.parametrize("sentence", MESSAGES.values(), ids=MESSAGES)
def test_a_sentence_is_short_and_has_only_named_places(sentence: str) -> None:
    bare = re.sub(r"%\([a-z]+\)s", "", sentence)

    assert "%" not in bare
    assert len(bare) < 130
    assert sentence[0].isupper() or sentence[0] in "“%"
