"""How a sample learner works a trace: from their own lines, with one fault at most."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from exercises.checking.steps import FloatArray, Reference, Step

Row = dict[str, str]

# What people write beside a step, and beside a known mistake.
_OPERATIONS: Final = {
    "exp": "exp(logits)",
    "sum": "sum(exp)",
    "softmax": "exp / sum",
    "loss": "-ln(softmax[0])",
    "power_of_ten": "10^logits",
    "sum_of_logits": "sum(logits)",
    "linear_share": "logits / sum(logits)",
    "missing_minus": "ln(softmax[0])",
    "log_base_ten": "-log10(softmax[0])",
    "wrong_target": "-ln(softmax[1])",
    "probability_as_loss": "softmax[0]",
}


@dataclass(frozen=True)
class Manner:
    """How someone works: where they go wrong, and how they write.

    ``mistake`` is one of the reference's known mistakes, by step and name, or ``None``; ``texts``
    replaces single results as typed; ``blank`` leaves steps out. Whoever ``carries_rounded`` types
    rounded figures into the next line, others keep all digits in the calculator.
    """

    mistake: tuple[str, str] | None = None
    decimals: int = 3
    comma: bool = False
    carries_rounded: bool = False
    texts: tuple[tuple[str, str], ...] = ()
    blank: tuple[str, ...] = ()
    shows_operations: bool = True


def work(reference: Reference, given: Mapping[str, object], manner: Manner) -> dict[str, Row]:
    """Return the rows of a trace, each step computed from the learner's own rounded lines."""
    start = reference.read_given(given)
    values: dict[str, FloatArray] = {}
    rows: dict[str, Row] = {}
    for step in reference.steps:
        with np.errstate(all="ignore"):
            value = _value(reference, step, start, values, manner)
        typed = np.round(value, manner.decimals)
        values[step.name] = typed if manner.carries_rounded else value
        result = dict(manner.texts).get(step.name) or _typed(typed, manner)
        if step.name not in manner.blank:
            rows[step.name] = _row(reference, step, result, manner)
    return rows


def _value(
    reference: Reference,
    step: Step,
    given: Mapping[str, FloatArray],
    values: Mapping[str, FloatArray],
    manner: Manner,
) -> FloatArray:
    for mistake in step.mistakes:
        if (step.name, mistake.name) == manner.mistake:
            value = reference.call(step, mistake, given, values)
            return np.asarray(value[np.isfinite(value)][0]) if mistake.several else value
    return reference.call(step, step.routes[0], given, values)


def _typed(value: FloatArray, manner: Manner) -> str:
    if value.ndim:
        entries = [_typed(entry, manner) for entry in np.asarray(value)]
        # Decimal commas inside brackets could be rows of a matrix, so their writers leave them out.
        return "; ".join(entries) if manner.comma else f"[{', '.join(entries)}]"
    text = f"{float(value):.{manner.decimals}f}".replace("-", "−")
    whole, _, rest = text.partition(".")
    shortened = whole if not rest.strip("0") else text
    return shortened.replace(".", ",") if manner.comma else shortened


def _row(reference: Reference, step: Step, result: str, manner: Manner) -> Row:
    row = {"result": result}
    if manner.shows_operations:
        broken, mistake = manner.mistake or ("", "")
        row["operation"] = _OPERATIONS.get(mistake if broken == step.name else step.name, "")
        inputs = reference.inputs(step, step.routes[0])
        row["data"] = (
            ", ".join(inputs) if inputs else ", ".join(each.name for each in reference.givens)
        )
        row["interpretation"] = f"{step.title}."
    return row
