"""Take a written operation apart into numbers, names and signs."""

import re
from dataclasses import dataclass
from typing import Literal

from exercises.checking.reading.brackets import CLOSES, MOST_NESTED
from exercises.checking.reading.characters import LETTER, SUPERSCRIPTS, WORD, Decimal, prepare
from exercises.checking.reading.errors import AmbiguousError, MalformedError, TooLargeError
from exercises.checking.reading.numerals import refusal, split_marks

MOST_TOKENS = 500
LISTS = frozenset({"sum", "mean", "max", "min"})

_TOKEN = re.compile(
    r" *(?:"
    r"(?P<number>(?:[0-9]+(?:[.,'][0-9]+)*\.?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<superscript>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    rf"|(?P<name>{LETTER}{WORD}*|√)"
    r"|(?P<sign>\*\*|[-+*/^()\[\];])"
    r")"
)
_RESULT = re.compile(r"(?<! ) *[=~] *(?:[-+] *)?[0-9][0-9.,]*$")


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of an operation, and the column where it starts."""

    kind: Literal["number", "name", "sign", "end"]
    text: str
    column: int


def tokenize(text: str, decimal: Decimal = "auto") -> list[Token]:
    """Return the pieces of an operation, closed by an ``end``.

    A label in front and a result behind (``loss = -ln(0.665) = 0.408``) are left out. Numbers are
    in canonical spelling. The commas that separate arguments and entries become semicolons.

    Raises
    ------
    ReadingError
    """
    body, column = prepare(text)
    result = _RESULT.search(body)
    body = _arguments(body[: result.start()] if result else body, column)
    found: list[Token] = []
    at = 0
    while at < len(body):
        piece = _TOKEN.match(body, at)
        if piece is None:
            blank = len(body) - len(body[at:].lstrip(" "))
            raise refusal(body, min(blank, len(body) - 1), column)
        at = piece.end()
        here = column + piece.start(piece.lastgroup or 0)
        if piece["number"]:
            found.append(Token("number", _number(piece["number"], here, decimal), here))
        elif piece["superscript"]:
            power = piece["superscript"].translate(SUPERSCRIPTS)
            found.append(Token("sign", "^", here))
            if power[0] in "+-":
                found.append(Token("sign", power[0], here))
            found.append(Token("number", power.lstrip("+-"), here))
        elif piece["name"]:
            name = "sqrt" if piece["name"] == "√" else piece["name"]
            found.append(Token("name", name, here))
        else:
            found.append(Token("sign", piece["sign"].replace("**", "^"), here))
        if len(found) > MOST_TOKENS:
            raise TooLargeError("too_long_operation", most=MOST_TOKENS)
    return [*found, Token("end", "", column + len(body))]


def _number(text: str, column: int, decimal: Decimal) -> str:
    mantissa, _, exponent = text.lower().partition("e")
    whole, fraction = split_marks(mantissa, column, decimal)
    plain = (whole or "0") + (f".{fraction}" if fraction else "")
    return f"{plain}e{exponent}" if exponent else plain


def _arguments(body: str, column: int) -> str:
    """Return the body with the commas between arguments and entries made semicolons."""
    marks = list(body)
    stack: list[tuple[str, bool, list[int]]] = []
    for at, char in enumerate(body):
        if char in CLOSES:
            if len(stack) == MOST_NESTED:
                raise TooLargeError("too_deep", column=column + at, most=MOST_NESTED)
            caller = re.search(r"([a-z]+) *$", body[:at][-24:])
            is_list = char == "[" or (caller is not None and caller[1] in LISTS)
            stack.append((CLOSES[char], is_list, []))
        elif char in "])":
            if not stack or stack[-1][0] != char:
                raise MalformedError("bracket", column=column + at, seen=char)
            _, is_list, commas = stack.pop()
            if is_list:
                _separate(body, commas, marks, column)
        elif char == "," and stack:
            stack[-1][2].append(at)
    if stack:
        raise MalformedError("bracket_open", column=column + len(body))
    return "".join(marks)


def _separate(body: str, commas: list[int], marks: list[str], column: int) -> None:
    spaced = [at for at in commas if " " in (body[at - 1], body[at + 1])]
    if spaced and len(spaced) < len(commas):
        raise AmbiguousError(
            "ambiguous_arguments", column=column + commas[0], seen=body[commas[0] - 1 :][:24]
        )
    for at in commas:
        marks[at] = ";"
