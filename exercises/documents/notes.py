"""Take an instructor's note apart: the answer, what is expected wrongly, and what remains."""

import re
from dataclasses import dataclass
from itertools import pairwise

from exercises.documents.session import ExpectedWrongAnswer
from exercises.documents.text import sentences, unquoted

_LABEL = re.compile(
    r"(?:^|(?<=[.!?”\"»)]\s))(?P<label>Answers?|Expected (?:wrong answers?|miss(?:es)?|errors?)"
    r"|Expected|Misconceptions? to harvest)(?:\s*:|\s+[—–-](?=\s))\s*"
)
_QUOTED = re.compile(r"^(?P<text>[“\"«][^”\"»]+[”\"»])(?:\s*[—–-]\s*(?P<refutation>.+))?$")


@dataclass(frozen=True, slots=True)
class Note:
    """A note in parts; ``expected`` and ``harvest`` are those of a transfer challenge."""

    answer: str
    wrong_answers: tuple[ExpectedWrongAnswer, ...]
    expected: str
    harvest: ExpectedWrongAnswer
    remark: str


def read_note(text: str) -> Note:
    """Cut a note at its labels; of a wrong answer only the first sentence belongs to it."""
    answer, expected = "", ""
    harvest = ExpectedWrongAnswer("", "")
    wrong: list[ExpectedWrongAnswer] = []
    marks = list(_LABEL.finditer(text))
    remarks = [text[: marks[0].start()] if marks else text]
    for mark, following in pairwise([*marks, None]):
        if mark is None:
            break
        end = following.start() if following is not None else len(text)
        label, part = mark["label"], text[mark.end() : end].strip()
        if label.startswith("Answer"):
            answer = f"{answer} {part}".strip()
            continue
        if label == "Expected":
            expected = f"{expected} {part}".strip()
            continue
        first, *rest = sentences(part) or ("",)
        if label.startswith("Misconception"):
            harvest = _wrong_answer(first)
        else:
            wrong.append(_wrong_answer(first))
        remarks += rest
    remark = " ".join(part.strip() for part in remarks if part.strip())
    return Note(answer, tuple(wrong), expected, harvest, remark)


def _wrong_answer(sentence: str) -> ExpectedWrongAnswer:
    sentence = sentence.removesuffix(".")
    match = _QUOTED.match(sentence)
    if match is None:
        return ExpectedWrongAnswer(unquoted(sentence), "")
    return ExpectedWrongAnswer(unquoted(match["text"]), match["refutation"] or "")
