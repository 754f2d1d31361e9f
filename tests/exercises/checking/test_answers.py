"""One answer to one question, through the line that asks it."""

import json
from collections.abc import Mapping

import pytest

from exercises.checking.answers import check, check_line, field_of
from exercises.checking.expectations import FieldError
from exercises.checking.messages import MESSAGES, message

LOSS = 0.4076059644443803
OPTIONS = {
    "forward": ["the forward pass"],
    "accumulation": ["accumulation of updates", "the accumulation of updates"],
}
FIELDS = {
    "m, v": ["optimizer moments", "adam state"],
    "scheduler": [],
    "data position": [],
    "RNG states": ["RNG", "random states"],
}

CONTRACT = [
    ("number", {"kind": "number", "answer": "0,408", "expected": LOSS}, "right", 0.408),
    (
        "array",
        {
            "kind": "array",
            "answer": "[0.665; 0.245; 0.090]",
            "expected": [0.66524, 0.24473, 0.09003],
        },
        "right",
        [0.665, 0.245, 0.09],
    ),
    (
        "quantity",
        {"kind": "quantity", "answer": "52.15 GiB", "expected": 56e9, "unit": "byte"},
        "right",
        55_995_636_121.6,
    ),
    (
        "shape",
        {"kind": "shape", "answer": "(B, T, V)", "expected": ["B", "T", "V"]},
        "right",
        ["B", "T", "V"],
    ),
    (
        "choice",
        {
            "kind": "choice",
            "answer": "the accumulation of updates",
            "expected": "accumulation",
            "options": OPTIONS,
        },
        "right",
        "accumulation",
    ),
    (
        "set",
        {
            "kind": "set",
            "answer": "optimizer moments; scheduler; RNG",
            "expected": FIELDS,
            "at_least": 3,
        },
        "right",
        ["m, v", "scheduler", "RNG states"],
    ),
]


@pytest.mark.parametrize(
    ("line", "verdict", "read"), [pytest.param(*row[1:], id=row[0]) for row in CONTRACT]
)
def test_each_kind_answers_as_the_contract_shows(
    line: dict[str, object], verdict: str, read: object
) -> None:
    found = check_line({"id": "a1", **line})

    assert list(found)[:4] == ["id", "verdict", "read", "message"]
    assert (found["id"], found["verdict"], found["read"]) == ("a1", verdict, read)


VERDICTS: list[tuple[str, dict[str, object], str, object]] = [
    ("coarse", {"kind": "number", "answer": "0.41", "expected": LOSS}, "coarse", 0.41),
    ("wrong", {"kind": "number", "answer": "0.42", "expected": LOSS}, "wrong", 0.42),
    ("unreadable", {"kind": "number", "answer": "about 0.4", "expected": LOSS}, "unreadable", None),
    ("two readings", {"kind": "number", "answer": "1,234", "expected": 1234}, "unreadable", None),
    ("blank", {"kind": "number", "answer": "  ", "expected": LOSS}, "blank", None),
    ("no answer", {"kind": "number", "expected": LOSS}, "blank", None),
    ("null answer", {"kind": "number", "answer": None, "expected": LOSS}, "blank", None),
    ("unit on a number", {"kind": "number", "answer": "9,81 m/s", "expected": 981}, "unit", None),
    ("shape", {"kind": "array", "answer": "0.25", "expected": [0.25] * 4}, "shape", [0.25]),
    ("empty", {"kind": "array", "answer": "[]", "expected": [1.0]}, "shape", []),
    ("empty rows", {"kind": "array", "answer": "[[], []]", "expected": [1.0]}, "shape", [[], []]),
    ("matrix", {"kind": "array", "answer": "[1 2; 3 4]", "expected": [[1, 2], [3, 4]]}, "right",
     [[1.0, 2.0], [3.0, 4.0]]),
    ("three axes", {"kind": "array", "answer": "[[[1, 2]]]", "expected": [[[1, 2]]]}, "right",
     [[[1.0, 2.0]]]),
    ("coarse array", {"kind": "array", "answer": "0.7 0.2 0.1", "expected": [0.665, 0.245, 0.09]},
     "coarse", [0.7, 0.2, 0.1]),
    ("no unit", {"kind": "quantity", "answer": "56", "expected": 56e9, "unit": "byte"}, "unit",
     None),
    ("other dimension", {"kind": "quantity", "answer": "56 s", "expected": 56e9, "unit": "byte"},
     "unit", None),
    ("unknown unit", {"kind": "quantity", "answer": "56 x", "expected": 56e9, "unit": "byte"},
     "unreadable", None),
    ("wrong quantity", {"kind": "quantity", "answer": "57 GB", "expected": 56e9, "unit": "byte"},
     "wrong", 57e9),
    ("not converted", {"kind": "quantity", "answer": "0.025 g", "expected": 0.025, "unit": "kg"},
     "wrong", 2.5e-5),
    ("two axes", {"kind": "shape", "answer": "(B, T)", "expected": ["B", "T", "V"]}, "shape",
     ["B", "T"]),
    ("other name", {"kind": "shape", "answer": "(B, T, D)", "expected": ["B", "T", "V"]}, "wrong",
     ["B", "T", "D"]),
    ("other size", {"kind": "shape", "answer": "(2, 5)", "expected": [2, 4]}, "wrong", [2, 5]),
    ("size as text", {"kind": "shape", "answer": "(2, 4)", "expected": ["2", 4]}, "right", [2, 4]),
    ("other option", {"kind": "choice", "answer": "Forward", "expected": "accumulation",
                      "options": OPTIONS}, "wrong", "forward"),
    ("expected by a synonym", {"kind": "choice", "answer": "forward", "expected":
                               "the forward pass", "options": OPTIONS}, "right", "forward"),
    ("no option", {"kind": "choice", "answer": "backward", "expected": "accumulation",
                   "options": OPTIONS}, "unreadable", None),
    ("too few", {"kind": "set", "answer": "RNG", "expected": FIELDS}, "wrong", ["RNG states"]),
    ("percent allowed", {"kind": "number", "answer": "66.5 %", "expected": 0.66524,
                         "percent": True}, "right", 0.665),
    ("percent refused", {"kind": "number", "answer": "66.5 %", "expected": 0.66524}, "unreadable",
     None),
    ("not a number", {"kind": "number", "answer": "NaN", "expected": "nan"}, "right", "nan"),
    ("infinite", {"kind": "number", "answer": "-∞", "expected": "-inf"}, "right", "-inf"),
    ("infinite for nan", {"kind": "number", "answer": "inf", "expected": "nan"}, "wrong", "inf"),
    ("finite for nan", {"kind": "number", "answer": "1", "expected": "nan"}, "wrong", 1.0),
    ("nan for finite", {"kind": "number", "answer": "nan", "expected": 1}, "unreadable", None),
    ("infinite entry", {"kind": "array", "answer": "[1; inf]", "expected": [1, "inf"]}, "right",
     [1.0, "inf"]),
    ("point declared", {"kind": "number", "answer": "1,234", "expected": 1234, "decimal": "point"},
     "right", 1234.0),
    ("comma declared", {"kind": "number", "answer": "1,234", "expected": 1.234,
                        "decimal": "comma"}, "right", 1.234),
    ("large count", {"kind": "number", "answer": "9" * 400, "expected": int("9" * 400),
                     "tolerance": {"exact": True}}, "right", int("9" * 400)),
    ("large count off by one", {"kind": "number", "answer": "9" * 399 + "8",
                                "expected": int("9" * 400), "tolerance": {"exact": True}}, "wrong",
     int("9" * 399 + "8")),
    ("count in two readings", {"kind": "number", "answer": "10.000", "expected": 10000,
                               "tolerance": {"exact": True}}, "unreadable", None),
    ("count with zeros behind the point", {"kind": "number", "answer": "10.000", "expected": 10,
                                           "tolerance": {"exact": True}}, "right", 10),
    ("number with zeros behind the point", {"kind": "number", "answer": "10.000", "expected": 10},
     "right", 10.0),
    ("not whole", {"kind": "number", "answer": "3.2", "expected": 3,
                   "tolerance": {"exact": True}}, "wrong", 3.2),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "verdict", "read"), [pytest.param(*row[1:], id=row[0]) for row in VERDICTS]
)
def test_verdicts(line: dict[str, object], verdict: str, read: object) -> None:
    found = check_line({"id": 7, **line})

    assert (found["id"], found["verdict"], found["read"]) == (7, verdict, read)
    assert found["message"]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_set_says_what_was_found_how_many_are_missing_and_what_is_unknown() -> None:
    found = check_line(
        {"kind": "set", "answer": "scheduler; weights", "expected": FIELDS, "at_least": 2}
    )

    assert (found["verdict"], found["found"]) == ("wrong", ["scheduler"])
    assert (found["missing"], found["unknown"]) == (3, ["weights"])
    assert "RNG" not in str(found["message"])


def test_entries_that_are_off_are_named_by_their_place() -> None:
    line = {"kind": "array", "answer": "0.665 0.3 0.1", "expected": [0.665, 0.245, 0.0901]}

    assert "Entry 2 " in str(check_line(line)["message"])


def test_many_wrong_entries_are_named_in_short() -> None:
    found = check_line({"kind": "array", "answer": "1 " * 9, "expected": [2] * 9})

    assert "1, 2, 3, 4, 5, …" in str(found["message"])


ERRORS: list[tuple[str, dict[str, object]]] = [
    ("no kind", {"expected": 1}),
    ("unknown kind", {"kind": "essay", "expected": 1}),
    ("kind that is no text", {"kind": ["number"], "expected": 1}),
    ("no expected number", {"kind": "number"}),
    ("expected text", {"kind": "number", "expected": "1"}),
    ("expected true", {"kind": "number", "expected": True}),
    ("expected list", {"kind": "number", "expected": [1]}),
    ("expected infinite", {"kind": "number", "expected": float("inf")}),
    ("expected too large", {"kind": "number", "expected": 10**400}),
    ("unknown tolerance", {"kind": "number", "expected": 1, "tolerance": {"rel": 1}}),
    ("unknown decimal mark", {"kind": "number", "expected": 1, "decimal": "dot"}),
    ("decimal mark that is no text", {"kind": "number", "expected": 1, "decimal": []}),
    ("percent that is no choice", {"kind": "number", "expected": 1, "percent": "yes"}),
    ("answer that is a number", {"kind": "number", "expected": 1, "answer": 1}),
    ("answer that is a list", {"kind": "array", "expected": [1], "answer": [1]}),
    ("expected number for an array", {"kind": "array", "expected": 1}),
    ("ragged", {"kind": "array", "expected": [[1, 2], [3]]}),
    ("text in an array", {"kind": "array", "expected": [1, "two"]}),
    ("entry too large", {"kind": "array", "expected": [10**400]}),
    ("no unit", {"kind": "quantity", "expected": 1}),
    ("unknown unit", {"kind": "quantity", "expected": 1, "unit": "apple"}),
    ("infinite quantity", {"kind": "quantity", "expected": "inf", "unit": "s"}),
    ("shape that is no list", {"kind": "shape", "expected": "B, T"}),
    ("axis of no size", {"kind": "shape", "expected": [0]}),
    ("axis that is true", {"kind": "shape", "expected": [True]}),
    ("expected none of the options", {"kind": "choice", "expected": "x", "options": OPTIONS}),
    ("no options", {"kind": "choice", "expected": "x"}),
    ("options that share a name", {"kind": "choice", "expected": "a",
                                   "options": {"a": ["x"], "b": ["X"]}}),
    ("synonyms that are no list", {"kind": "choice", "expected": "a", "options": {"a": "x"}}),
    ("empty set", {"kind": "set", "expected": {}}),
    ("more than there are", {"kind": "set", "expected": {"a": []}, "at_least": 2}),
    ("none at least", {"kind": "set", "expected": {"a": []}, "at_least": 0}),
    ("half at least", {"kind": "set", "expected": {"a": []}, "at_least": 0.5}),
]  # fmt: skip


@pytest.mark.parametrize("line", [row[1] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_a_question_or_answer_that_cannot_be_used_is_an_error(line: dict[str, object]) -> None:
    found = check_line({"id": "e", "answer": "1", **line})

    assert set(found) == {"id", "verdict", "message"}
    assert (found["id"], found["verdict"]) == ("e", "error")
    assert found["message"]


def test_an_array_nested_too_deep_is_an_error() -> None:
    expected: list[object] = [1]
    for _ in range(30):
        expected = [expected]

    assert check_line({"kind": "array", "expected": expected})["verdict"] == "error"


def test_equal_descriptions_share_a_field_and_like_ones_do_not() -> None:
    line = {"kind": "number", "expected": 1}

    assert field_of(dict(line)) is field_of(dict(line))
    assert field_of({**line, "expected": 1.0}) is not field_of(line)
    with pytest.raises(FieldError):
        field_of({**line, "expected": True})


class Line(Mapping[str, object]):
    """A mapping that is no plain dictionary."""

    def __init__(self, **parts: object) -> None:
        self._parts = parts

    def __getitem__(self, key: str) -> object:
        return self._parts[key]

    def __iter__(self):  # type: ignore[no-untyped-def] # noqa: ANN204 - of the base class
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


def test_any_mapping_describes_a_field() -> None:
    found = check(Line(kind="number", expected=1, tolerance=Line(rtol=0.1), answer="1.05"))

    assert found.verdict == "right"


@pytest.mark.parametrize("answer", ["0.42", "0.41", "0.4076", "x", "", "5 GB", "1,234", "66 %"])
def test_no_message_depends_on_the_expected_value_beyond_the_verdict(answer: str) -> None:
    first = check_line({"kind": "number", "answer": answer, "expected": 0.9137551})
    second = check_line({"kind": "number", "answer": answer, "expected": 0.8137552})

    assert first["verdict"] == second["verdict"]
    assert first["message"] == second["message"]
    assert "137" not in str(first["message"])


def test_a_sentence_is_translated_with_its_places() -> None:
    french = {
        MESSAGES["character"]: "Le caractère « %(seen)s » n'est pas d'un nombre.",
        MESSAGES["in_entry"]: "Entrée %(entry)s : %(sentence)s",
        MESSAGES["at_column"]: "%(sentence)s (Caractère %(column)s.)",
    }

    said = message("character", {"seen": "?", "column": 3}, entry=2, translate=french.__getitem__)

    assert said == "Entrée 2 : Le caractère « ? » n'est pas d'un nombre. (Caractère 3.)"
