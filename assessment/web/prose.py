"""Markdown with formulas, to HTML that is sanitised after the last transformation."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import nh3
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from assessment.web import mathml

MAX_LENGTH: Final = 100_000
_MAX_BRACES: Final = 20
_LONGEST_FORMULA: Final = 200

_MATHML: Final = frozenset(
    {"math", "semantics", "annotation", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac"}
    | {"msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover"}
    | {"mtable", "mtr", "mtd", "mpadded", "mstyle"}
)
_TEXT: Final = frozenset(
    {"p", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em"}
    | {"strong", "a", "br", "hr", "table", "thead", "tbody", "tr", "th", "td", "div", "span"}
)
_ATTRIBUTES: Final = {
    "a": {"href", "title"},
    "ol": {"start"},
    "th": {"scope"},
    "math": {"display", "alttext"},
    "annotation": {"encoding"},
    "mo": {"stretchy", "lspace", "rspace", "largeop", "form", "fence", "separator", "accent"},
    "mover": {"accent"},
    "mspace": {"width"},
    "mfrac": {"linethickness"},
    "mtd": {"columnalign"},
    "mi": {"mathvariant"},
}
_CLEANER: Final = nh3.Cleaner(
    tags=set(_MATHML | _TEXT),
    attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
    allowed_classes={
        "div": {"table-scroll"},
        "span": {"formula", "formula-inline"},
        "code": {"formula-text"},
    },
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
)
_MATH_CLEANER: Final = nh3.Cleaner(
    tags=set(_MATHML),
    attributes={tag: set(names) for tag, names in _ATTRIBUTES.items() if tag in _MATHML},
    clean_content_tags={"script", "style"},
)
# What a formula has and a file name or an identifier has not.
_FORMULA_SIGN: Final = re.compile(r"[=←→≈≤≥≠Σ∑√∂·×÷∝^]")
# The converter sets a function's name tight against what follows it.
_TIGHT: Final = re.compile(
    rf"(<mi>(?:{'|'.join(sorted(mathml.FUNCTIONS))})</mi>)(?=<m(?:i|n|sub|sup|frac|sqrt)\b)"
)
# Pandoc's rule: no blank inside the marks, and no digit after the closing one (prices stay text).
_DOLLARS: Final = re.compile(r"\$(?!\s)((?:[^$\\\n]|\\.){1,500}?)(?<!\s)\$(?!\d)")


@lru_cache(maxsize=256)
def render(text: str, *, heading_level: int = 3) -> SafeString:
    """Return Markdown as HTML that is safe to show, whoever wrote it.

    ``$…$`` is LaTeX and a code span with the signs of a formula is one in the documents' notation;
    both become MathML. HTML in the text stays text. The first level of heading becomes
    ``heading_level``. Text over 100,000 characters is shown as typed.
    """
    if len(text) > MAX_LENGTH:
        return format_html('<p class="typed">{}</p>', text)
    html = _markdown(heading_level).render(text)
    return mark_safe(_CLEANER.clean(html))  # noqa: S308 (sanitised in this very call)


def with_formulas(text: str, formulas: Sequence[str]) -> str:
    """Mark the session's formulas where a text repeats them, so that they are typeset."""
    known = sorted({each for each in formulas if 0 < len(each) <= _LONGEST_FORMULA}, key=len)
    if not known or "`" in text:
        return text
    pattern = "|".join(re.escape(each) for each in reversed(known))
    return re.sub(pattern, lambda found: f"`{found.group(0)}`", text)


def latex(text: str) -> SafeString:
    """Return LaTeX as MathML, or as inert text in ``<code>`` where it cannot be typeset."""
    body = _latex_body(text)
    if body is None:
        return format_html('<code class="formula-text">{}</code>', text)
    return format_html('<span class="formula-inline">{}</span>', mathml.wrap(body, text))


def _latex_body(text: str) -> str | None:
    if len(text) > mathml.MAX_LENGTH or text.count("{") > _MAX_BRACES:
        return None
    # The converter copies angle brackets inside \\text as they are.
    spelled = text.replace("<", "\\lt ").replace(">", "\\gt ")
    try:
        converted = convert(spelled)
    except Exception:  # noqa: BLE001 (the converter raises its own and built-in errors alike)
        return None
    if "\\" in converted:  # a command that it does not know comes back as text
        return None
    return (
        _TIGHT.sub(rf"\1{mathml.APPLY_THIN}", _MATH_CLEANER.clean(converted))
        .removeprefix('<math display="inline">')
        .removesuffix("</math>")
    )


def _dollar_rule(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 (markdown-it's signature)
    if state.src[state.pos] != "$":
        return False
    found = _DOLLARS.match(state.src, state.pos)
    if found is None or found.end() > state.posMax:
        return False
    if not silent:
        state.push("latex", "math", 0).content = found.group(1)
    state.pos = found.end()
    return True


class _Renderer(RendererHTML):
    """HTML with formulas, demoted headings and tables that scroll in their own box."""

    def latex(
        self, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
    ) -> str:
        return latex(tokens[index].content)

    def code_inline(
        self, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
    ) -> str:
        content = tokens[index].content
        if _FORMULA_SIGN.search(content):
            return mathml.element(content)
        return f"<code>{escape(content)}</code>"

    def table_open(self, *_: object) -> str:
        return '<div class="table-scroll"><table>\n'

    def table_close(self, *_: object) -> str:
        return "</table></div>\n"


@lru_cache(maxsize=8)
def _markdown(heading_level: int) -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}, renderer_cls=_Renderer)
    reader.enable("table").disable("image")
    reader.inline.ruler.before("escape", "latex", _dollar_rule)

    def demote(state: StateCore) -> None:
        for token in state.tokens:
            if token.type in {"heading_open", "heading_close"}:
                token.tag = f"h{min(6, int(token.tag[1]) - 1 + heading_level)}"

    reader.core.ruler.push("demote", demote)
    return reader
