from pathlib import Path

import pytest

from exercises.checking.drawing import places_of
from exercises.documents.checks import read_checks
from exercises.documents.package import read_package
from exercises.documents.text import DocumentError, document_from_text
from tests.exercises.documents.invented import write

WHOLE = """
slides:
  levers:
    starts: {1: [Fewer, Memory]}
exercises:
  exercise-1:
    reference: cross_entropy
    given: {logits: [2, 1, -1e-8], target: 0}
    variation: {logits: [2.4, 1, 0]}
    vary:
      logits[0]: {from: 1.2, to: 3, step: 0.1}
    predict: loss
    trace:
      loss: {title: Loss, tolerance: {rtol: 0.01, atol: 0.1}}
    fields:
      check: {element: check, max_length: 50}
      verdict: {kind: choice, options: [keep, drop]}
    criteria: {Criterion 0: trace, criterion 1: prediction}
    withheld:
      - {mentions: "12", until: prediction}
checks:
  2:
    fields:
      rate: {kind: number, expected: 0.6}
worked_case:
  reference: cross_entropy
  given: {logits: [1, 0], target: 0}
  steps: {2: loss}
  shown: [1]
exit_ticket:
  lengths: [1, 2, 3, 4]
figures:
  - {figures: ["0.6"], in: [starting_data, exercise-1], until: worked_case}
"""


def refusal(text: str) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        read_checks(document_from_text("checks.yaml", text))
    return caught.value


def test_bindings_are_read_whole() -> None:
    checks = read_checks(document_from_text("checks.yaml", WHOLE))

    binding = checks.exercises["exercise-1"]
    assert binding.given == {"logits": [2, 1, -1e-8], "target": 0}
    assert [(each.name, each.kind) for each in binding.fields] == [
        ("loss", "step"),
        ("check", "text"),
        ("verdict", "choice"),
    ]
    assert binding.fields[0].tolerance == {"rtol": 0.01, "atol": 0.1}
    assert binding.criteria == {"criterion 0": "trace", "criterion 1": "prediction"}
    assert (binding.attempts, binding.feedback, binding.decimal) == (3, "at_once", "auto")
    assert checks.lever_starts == {1: ("Fewer", "Memory")}
    assert checks.checks[0].fields[0].expected == 0.6
    assert checks.worked_case is not None
    assert checks.worked_case.steps == {2: "loss"}
    assert checks.exit_ticket_lengths == (1, 2, 3, 4)
    assert checks.figures[0].places == ("starting_data", "exercise-1")


def test_bindings_fit_the_documents_that_they_name(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    (folder / "checks.yaml").write_text(WHOLE, encoding="utf-8")

    package = read_package(folder)

    assert package.checks.exercises["exercise-1"].predict == "loss"
    assert not any("exercise 1 is not bound" in warning for warning in package.warnings)


DAMAGE = [
    ("  exercise-1:", "  exercise-0:", "exercises.exercise-0: the key must be exercise-"),
    ("    predict: loss", "    predicts: loss", "exercises.exercise-1.predicts: unknown key"),
    ("    predict: loss", "    predict: sum", "“sum” is none of loss"),
    ("    predict: loss", "    predict: loss\n    predict: loss", "stands already on line 12"),
    ("to: 3, step", "to: 1, step", "from must be less than to"),
    ("logits[0]:", "logits[3]:", "“logits” has no such entry"),
    ("logits[0]:", "weights[0]:", "the key must be a given"),
    ("variation: {logits: [2.4", "variation: {weights: [2.4", "“weights” is not given"),
    ("target: 0}\n    variation", "target: true}\n    variation", "numbers, names or lists"),
    ("[2, 1, -1e-8]", "[2, 1, 1e999]", "the number is too large"),
    ("[2, 1, -1e-8]", "[[[[2]]]]", "numbers, names or lists"),
    ("{rtol: 0.01, atol: 0.1}", "{rtol: 0.01, decimals: 2}", "only rtol and atol go together"),
    ("{rtol: 0.01, atol: 0.1}", "{rtol: 2}", "a number from 0 to 1"),
    ("kind: choice, options: [keep, drop]", "kind: choice", "a choice needs options"),
    ("kind: choice, options", "kind: essay, options", "“essay” is none of text, choice"),
    ("max_length: 50", "max_length: 500000", "a number from 1 to 10000"),
    ("Criterion 0: trace", "Criterion 0: luck", "“luck” is none of trace"),
    ('{mentions: "12", until: prediction}', '{mentions: "12"}', "until is missing"),
    ('mentions: "12", until', 'mentions: "12", sentence: 2, until', "either mentions or sentence"),
    ("expected: 0.6", "title: Rate", "either expected, or reference, given and step"),
    ("expected: 0.6", "reference: cross_entropy", "reference, given and step belong together"),
    ("  steps: {2: loss}", "  steps: {two: loss}", "the key must be a number"),
    ("in: [starting_data", "in: [attic", "“attic” is none of starting_data"),
    ("until: worked_case}", "until: christmas}", "“christmas” is none of"),
    ("exit_ticket:\n  lengths", "exit_ticket:\n  sizes", "exit_ticket.sizes: unknown key"),
    ("    reference: cross_entropy\n    given", "    given", "needs a reference"),
    ("slides:", "slides: [", "is not YAML"),
    ("slides:", "a: &a 1\nb: *a\nslides:", "an alias"),
]


@pytest.mark.parametrize(
    ("old", "new", "reason"), [pytest.param(*row, id=f"{row[1][:40]!r}") for row in DAMAGE]
)
def test_a_binding_that_says_nothing_sound_is_named(old: str, new: str, reason: str) -> None:
    assert WHOLE.count(old) >= 1

    error = refusal(WHOLE.replace(old, new, 1))

    assert reason in error.reason
    assert error.file == "checks.yaml"
    assert error.line


def test_the_line_is_the_entry_s_own() -> None:
    text = WHOLE.replace("attempts", "").replace("    predict: loss", "    attempts: 0")
    line = text.splitlines().index("    attempts: 0") + 1

    assert refusal(text).line == line


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 3000 + "]" * 3000, id="brackets"),
        pytest.param("a: " + "{a: " * 500 + "1" + "}" * 500, id="braces"),
        pytest.param("- 1\n- 2", id="a list"),
        pytest.param("just text", id="a text"),
        pytest.param("? [a]\n: 1", id="a key that is a list"),
        pytest.param("a: !!python/object/apply:os.system [ls]", id="a tag"),
        pytest.param("exercises: 3", id="a number for keys"),
        pytest.param("figures: {a: 1}", id="keys for a list"),
    ],
)
def test_whatever_stands_there_ends_in_a_message(text: str) -> None:
    assert refusal(text).reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("  exercise-1:", "  exercise-9:", "hold no such exercise"),
        ("criterion 1: prediction", "charm: prediction", "no criterion “charm”"),
        ('mentions: "12"', 'mentions: "1"', "holds no such sentence"),
        ('mentions: "12"', "mentions: table", "holds no such sentence"),
        ("  2:\n    fields", "  7:\n    fields", "the slides hold 4 checks"),
        ("steps: {2: loss}", "steps: {20: loss}", "the full trace has 7"),
        ("starts: {1:", "starts: {9:", "the table has 3 rows"),
        ("lengths: [1, 2, 3, 4]", "lengths: [1, 2]", "2 lengths for 4 parts"),
        ("starting_data, exercise-1", "starting_data, exercise-8", "there is no exercise-8"),
        ("[Fewer, Memory]", "[Fewer, Disk]", "“Disk”, declared to begin a column"),
        ("[Fewer, Memory]", "[Fewer]", "2 columns are declared where the table has 3"),
    ],
)
def test_a_binding_must_fit_the_documents(tmp_path: Path, old: str, new: str, reason: str) -> None:
    folder = write(tmp_path / "s")
    assert old in WHOLE
    (folder / "checks.yaml").write_text(WHOLE.replace(old, new, 1), encoding="utf-8")

    with pytest.raises(DocumentError) as caught:
        read_package(folder)

    assert reason in caught.value.reason


def test_what_is_withheld_must_not_stand_in_an_item(tmp_path: Path) -> None:
    folder = write(tmp_path / "s")
    exercises = folder / "exercises.txt"
    text = exercises.read_text(encoding="utf-8").replace(
        "Deliverable: a table.", "Deliverable: 12."
    )
    exercises.write_text(text, encoding="utf-8")
    (folder / "checks.yaml").write_text(WHOLE, encoding="utf-8")

    with pytest.raises(DocumentError, match="which are shown at once"):
        read_package(folder)


VARIED = """
exercises:
  exercise-1:
    reference: masked_mean_loss
    given: {token_losses: [[1, 0.5], [0.9, 0.2]], mask: [[1, 1], [1, 0]]}
    vary:
      VARY
    trace: {mean: {}}
"""


@pytest.mark.parametrize(
    ("vary", "read"),
    [
        pytest.param(
            "token_losses[1][0]: {from: 1, to: 3}",
            {"token_losses[1][0]": {"from": 1, "to": 3, "step": 1}},
            id="an entry of a matrix, in whole steps",
        ),
        pytest.param("mask: [[[1, 1], [0, 1]]]", {"mask": [[[1, 1], [0, 1]]]}, id="whole arrays"),
        pytest.param("mask[0]: {choices: [[1, 0]]}", {"mask[0]": [[1, 0]]}, id="rows, named"),
    ],
)
def test_what_is_drawn_is_read_as_the_engine_draws_it(vary: str, read: dict[str, object]) -> None:
    text = VARIED.replace("VARY", vary)

    binding = read_checks(document_from_text("checks.yaml", text)).exercises["exercise-1"]

    assert binding.vary == read
    assert places_of(binding.given, binding.vary)


@pytest.mark.parametrize(
    "vary",
    ["token_losses[2][0]: [1]", "mask[0][0][0]: [1]", "Mask: [1]", "mask[-1]: [1]", "mask: []"],
)
def test_what_cannot_be_drawn_is_named_with_its_line(vary: str) -> None:
    error = refusal(VARIED.replace("VARY", vary))

    assert error.line == 7
    assert error.reason.startswith("exercises.exercise-1.vary.")
