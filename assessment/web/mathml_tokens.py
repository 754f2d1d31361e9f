"""The words of a formula: numbers, names, operators, brackets, scripts."""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final


class UnreadableFormulaError(Exception):
    """The text is not a formula in the documents' notation."""


class Kind(Enum):
    """What a token is."""

    NUMBER = auto()
    NAME = auto()
    OPERATOR = auto()
    OPEN = auto()
    CLOSE = auto()
    SUB = auto()
    SUP = auto()
    BIG = auto()
    ROOT = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a formula.

    ``accent`` is the mark above a name, ``parts`` the characters of a Unicode script run, and
    ``spaced`` tells whether a blank stood before it.
    """

    kind: Kind
    text: str
    spaced: bool = False
    accent: str = ""
    parts: tuple[str, ...] = ()


_ACCENTS: Final = {"\u0302": "^", "\u0304": "¯", "\u0303": "~", "\u0307": "˙", "\u20d7": "→"}
_SUPERSCRIPTS: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿᵀᵗ′'", "0123456789+−=()inTt′′", strict=True))
_SUBSCRIPTS: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₖₘₙₜᵥ", "0123456789+−=()ijkmntv", strict=True))
_BIG: Final = {"Σ": "∑", "∑": "∑", "∏": "∏", "Π": "∏", "∫": "∫"}
# The language counts these as letters, or as word characters; a formula does not.
_NOT_IN_WORDS: Final = frozenset(_BIG) | frozenset(_SUPERSCRIPTS) | frozenset(_SUBSCRIPTS)
_OPERATORS: Final = frozenset("=≠≈≡≤≥<>≪≫∈∉∝+−-·⋅×*/÷±∓←→⇒↦⟶∂∇∞|‖,;:!%…⊙∘∼~∀∃∧∨⊤°")
_OPEN: Final = frozenset("([{⟨⌊⌈")
_CLOSE: Final = frozenset(")]}⟩⌋⌉")
_ARROWS: Final = {"->": "→", "<=": "≤", ">=": "≥", "!=": "≠", "...": "…"}
_SPELLED: Final = {"-": "−", "*": "∗", "~": "∼"}

_NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?", re.ASCII)
_PLAIN_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_WORD: Final = re.compile(r"[^\W\d_]+[0-9]*")
_JOINED: Final = re.compile(r"[^\W\d_]{2,}[0-9]*(?:_[^\W\d_]{2,}[0-9]*)+")
_LONGEST_RUN_OF_WORDS: Final = 2


def tokens(text: str) -> list[Token]:
    """Return the words of a formula.

    Raises
    ------
    UnreadableFormulaError
        At a character outside the notation, or where words follow each other as in a sentence.
    """
    found: list[Token] = []
    at, words, brackets = 0, 0, 0
    while at < len(text):
        start = at
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            break
        read, at = _token(text, at, inside_brackets=brackets > 0, spaced=at > start)
        brackets += sum((t.kind is Kind.OPEN) - (t.kind is Kind.CLOSE) for t in read)
        is_word = read[0].kind is Kind.NAME and len(read[0].text) > 1
        words = words + 1 if is_word else 0
        if words > _LONGEST_RUN_OF_WORDS:
            raise UnreadableFormulaError
        found.extend(read)
    return found


def _token(text: str, at: int, *, inside_brackets: bool, spaced: bool) -> tuple[list[Token], int]:
    character = text[at]
    for spelled, sign in _ARROWS.items():
        if text.startswith(spelled, at):
            return [Token(Kind.OPERATOR, sign, spaced)], at + len(spelled)
    if character.isascii() and character.isdigit():
        pattern = _PLAIN_NUMBER if inside_brackets else _NUMBER
        found = pattern.match(text, at)
        if found is None:
            raise UnreadableFormulaError
        return [Token(Kind.NUMBER, found.group(), spaced)], found.end()
    if character in _SUPERSCRIPTS:
        return _run(text, at, _SUPERSCRIPTS, Kind.SUP)
    if character in _SUBSCRIPTS:
        return _run(text, at, _SUBSCRIPTS, Kind.SUB)
    single = _single(character, spaced=spaced)
    if single is not None:
        return [single], at + 1
    return _name(text, at, spaced=spaced)


def _single(character: str, *, spaced: bool) -> Token | None:
    if character in _BIG:
        return Token(Kind.BIG, _BIG[character], spaced)
    if character == "√":
        return Token(Kind.ROOT, character, spaced)
    if character == "_":
        return Token(Kind.SUB, "")
    if character == "^":
        return Token(Kind.SUP, "")
    if character in _OPEN:
        return Token(Kind.OPEN, character, spaced)
    if character in _CLOSE:
        return Token(Kind.CLOSE, character, spaced)
    if character in _OPERATORS:
        return Token(Kind.OPERATOR, _SPELLED.get(character, character), spaced)
    return None


def _run(text: str, at: int, table: dict[str, str], kind: Kind) -> tuple[list[Token], int]:
    """Read consecutive script characters; digits of one run make one number."""
    end = at
    while end < len(text) and text[end] in table:
        end += 1
    line = "".join(table[character] for character in text[at:end])
    return [Token(kind, line, parts=tuple(re.findall(r"\d+|\D", line)))], end


def _name(text: str, at: int, *, spaced: bool) -> tuple[list[Token], int]:
    """Read a name: one letter with its accent, a word, or a word joined by underscores."""
    plain = unicodedata.normalize("NFD", text[at : at + 2])
    if len(plain) > 1 and plain[0].isalpha() and plain[1] in _ACCENTS:
        width = 1 if len(unicodedata.normalize("NFD", text[at])) > 1 else 2
        return [Token(Kind.NAME, plain[0], spaced, accent=_ACCENTS[plain[1]])], at + width
    found = _WORD.match(text, at)
    if found is None:
        raise UnreadableFormulaError
    word = found.group()
    for place, character in enumerate(word):
        if place and (character in _NOT_IN_WORDS or _is_accented(text, at + place)):
            word = word[:place]
            break
    end = at + len(word)
    letter, digits = word[0], word[1:]
    if digits and digits.isdecimal():
        return [Token(Kind.NAME, letter, spaced), Token(Kind.SUB, digits, parts=(digits,))], end
    if len(word) > 1 and (joined := _JOINED.match(text, at)):
        return [Token(Kind.NAME, joined.group(), spaced)], joined.end()
    return [Token(Kind.NAME, word, spaced)], end


def _is_accented(text: str, at: int) -> bool:
    plain = unicodedata.normalize("NFD", text[at : at + 2])
    return len(plain) > 1 and plain[1] in _ACCENTS
