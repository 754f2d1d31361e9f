"""Formulas as the course documents write them, to MathML.

The notation is Unicode text in one line: ``L = −Σ log p(x_t | x_<t)``. The reader is small and
strict: what it cannot read stays inert text in ``<code>``. Nothing here raises, nothing typed
reaches the page unescaped, and length and nesting are bounded.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from assessment.web.mathml_tokens import Kind, Token, UnreadableFormulaError, tokens

MAX_LENGTH: Final = 500
MAX_DEPTH: Final = 20

FUNCTIONS: Final = frozenset(
    {
        "argmax",
        "argmin",
        "cos",
        "det",
        "diag",
        "erf",
        "exp",
        "lim",
        "ln",
        "log",
        "lse",
        "max",
        "mean",
    }
    | {"min", "norm", "round", "sign", "sin", "softmax", "sqrt", "std", "sum", "tan", "tanh", "var"}
)
_CLOSING: Final = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_APPLY: Final = "<mo>&#x2061;</mo>"
# Between a function's name and an argument without brackets: applied, and a thin space apart.
APPLY_THIN: Final = _APPLY + '<mspace width="0.17em"></mspace>'


def element(text: str, *, block: bool = False) -> SafeString:
    """Return the formula as MathML, or as inert text in ``<code>`` where it cannot be read.

    Parameters
    ----------
    text
        One formula in the documents' notation, at most 500 characters.
    block
        Whether it stands on its own line.
    """
    body = body_of(text)
    if body is None:
        inner = format_html('<code class="formula-text">{}</code>', text)
    else:
        inner = wrap(body, text, block=block)
    name = "formula" if block else "formula-inline"
    return format_html('<span class="{}">{}</span>', name, inner)


def wrap(body: str, plain: str, *, block: bool = False) -> SafeString:
    """Return ``<math>`` around a body of safe MathML, with its plain text for those who need it."""
    plain = " ".join(plain.split())
    return format_html(
        '<math display="{}" alttext="{}"><semantics><mrow>{}</mrow>'
        '<annotation encoding="text/plain">{}</annotation></semantics></math>',
        "block" if block else "inline",
        plain,
        mark_safe(body),  # noqa: S308 (made of our own tags and escaped text)
        plain,
    )


@lru_cache(maxsize=512)
def body_of(text: str) -> str | None:
    """Return the MathML of a formula, without its ``<math>``; ``None`` where it cannot be read."""
    if not text.strip() or len(text) > MAX_LENGTH:
        return None
    try:
        return _Reader(tokens(unicodedata.normalize("NFC", text))).formula()
    except UnreadableFormulaError:
        return None


def _row(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


class _Reader:
    """Recursive descent over the tokens; each method returns MathML."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self._depth = 0

    def formula(self) -> str:
        parts = self._items(closing=None)
        if not parts:
            raise UnreadableFormulaError
        return "".join(parts)

    def _peek(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> Token:
        token = self._peek()
        if token is None:
            raise UnreadableFormulaError
        self._at += 1
        return token

    def _items(self, *, closing: str | None) -> list[str]:
        """Read items up to the closing bracket, or to the end where there is none."""
        parts: list[str] = []
        while (token := self._peek()) is not None:
            if token.kind is Kind.CLOSE:
                if token.text != closing:
                    raise UnreadableFormulaError
                return parts
            is_start = not parts or self._tokens[self._at - 1].kind is Kind.OPERATOR
            parts.append(self._item(is_start=is_start))
        if closing is not None:
            raise UnreadableFormulaError
        return parts

    def _item(self, *, is_start: bool) -> str:
        """Read an operator, or an atom with its scripts; a sign at the start is a prefix."""
        token = self._peek()
        if token is not None and token.kind is Kind.OPERATOR:
            self._at += 1
            return _operator(token, is_prefix=is_start and token.text in "+−±")
        base = self._scripted()
        is_function = token is not None and token.kind is Kind.NAME and token.text in FUNCTIONS
        following = self._peek()
        if is_function and following is not None and _can_be_argument(following):
            return base + (_APPLY if following.kind is Kind.OPEN else APPLY_THIN)
        return base

    def _scripted(self) -> str:
        """Read one atom with its subscript and superscript, in either order."""
        base = self._atom()
        scripts: dict[Kind, str] = {}
        while (token := self._peek()) is not None and token.kind in (Kind.SUB, Kind.SUP):
            if token.kind in scripts:
                raise UnreadableFormulaError
            self._at += 1
            scripts[token.kind] = _raised(token) if token.text else self._script()
        sub, sup = scripts.get(Kind.SUB), scripts.get(Kind.SUP)
        if sub and sup:
            return f"<msubsup>{base}{sub}{sup}</msubsup>"
        if sub:
            return f"<msub>{base}{sub}</msub>"
        if sup:
            return f"<msup>{base}{sup}</msup>"
        return base

    def _script(self) -> str:
        """Read what follows ``_`` or ``^``: an atom, a group, or a sign or relation before one."""
        token = self._peek()
        if token is not None and token.kind is Kind.OPERATOR and token.text in "<>≤≥−+":
            self._at += 1
            return f"<mrow>{_operator(token, bare=True)}{self._atom()}</mrow>"
        if token is not None and token.kind is Kind.OPEN and token.text in "({":
            return self._group(show=False)
        return self._atom()

    def _atom(self) -> str:
        token = self._next()
        match token.kind:
            case Kind.NUMBER:
                return f"<mn>{escape(token.text)}</mn>"
            case Kind.NAME:
                return _name(token)
            case Kind.BIG:
                return f'<mo largeop="false">{token.text}</mo>'
            case Kind.ROOT:
                return f"<msqrt>{self._radicand()}</msqrt>"
            case Kind.OPEN:
                self._at -= 1
                return self._group(show=True)
            case _:
                raise UnreadableFormulaError

    def _radicand(self) -> str:
        token = self._peek()
        if token is not None and token.kind is Kind.OPEN and token.text == "(":
            return self._group(show=False)
        return self._atom()

    def _group(self, *, show: bool) -> str:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise UnreadableFormulaError
        opening = self._next().text
        closing = _CLOSING[opening]
        parts = self._items(closing=closing)
        self._next()
        self._depth -= 1
        if not show:
            return _row(parts) if parts else "<mrow></mrow>"
        inner = "".join(parts)
        return f"<mrow>{_fence(opening)}{inner}{_fence(closing)}</mrow>"


def _fence(bracket: str) -> str:
    return f'<mo stretchy="false">{bracket}</mo>'


def _can_be_argument(token: Token) -> bool:
    return token.kind in (Kind.NUMBER, Kind.NAME, Kind.BIG, Kind.ROOT, Kind.OPEN)


def _raised(token: Token) -> str:
    """Return a run of Unicode superscript or subscript characters, already mapped to the line."""
    return _row([_script_character(part) for part in token.parts])


def _script_character(text: str) -> str:
    if text[0].isdecimal():
        return f"<mn>{text}</mn>"
    return f"<mi>{text}</mi>" if text.isalpha() else f"<mo>{text}</mo>"


def _name(token: Token) -> str:
    safe = escape(token.text)
    base = f"<mi>{safe}</mi>"
    if token.accent:
        return f'<mover accent="true">{base}<mo stretchy="false">{token.accent}</mo></mover>'
    return base


def _operator(token: Token, *, bare: bool = False, is_prefix: bool = False) -> str:
    safe = escape(token.text)
    if is_prefix:
        return f'<mo form="prefix">{safe}</mo>'
    if bare:
        return f'<mo lspace="0" rspace="0">{safe}</mo>'
    if token.text == "|":
        space = "0.3em" if token.spaced else "0"
        return f'<mo stretchy="false" lspace="{space}" rspace="{space}">|</mo>'
    if token.text == "‖":
        return '<mo stretchy="false" lspace="0" rspace="0">‖</mo>'
    return f"<mo>{safe}</mo>"
