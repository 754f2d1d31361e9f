"""Formulas of the course documents to MathML."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessment.web import mathml

NOTATION = "abxyzθβλεLNpBTV019.,()[]{}_^+-−·×/=<>≤≈←→|√Σ∂²⁻ⁿ₀ₜm̂v̂' logexp"


def body(text: str) -> str:
    found = mathml.body_of(text)
    assert found is not None, text
    return found


@pytest.mark.parametrize(
    ("text", "part"),
    [
        pytest.param("x_t", "<msub><mi>x</mi><mi>t</mi></msub>", id="subscript"),
        pytest.param(
            "x_<t",
            '<msub><mi>x</mi><mrow><mo lspace="0" rspace="0">&lt;</mo><mi>t</mi></mrow></msub>',
            id="subscript with a relation",
        ),
        pytest.param("z_{t+1}", "<mo>+</mo><mn>1</mn></mrow></msub>", id="subscript in braces"),
        pytest.param("e²", "<msup><mi>e</mi><mn>2</mn></msup>", id="superscript digit"),
        pytest.param(
            "10⁻³", "<msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup>", id="power"
        ),
        pytest.param("e^z", "<msup><mi>e</mi><mi>z</mi></msup>", id="caret"),
        pytest.param("e^(z_j)", "<msup><mi>e</mi><msub>", id="a script drops its brackets"),
        pytest.param(
            "x_i^2", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", id="both scripts"
        ),
        pytest.param("β₁", "<msub><mi>β</mi><mn>1</mn></msub>", id="subscript digit"),
        pytest.param("β2·v", "<msub><mi>β</mi><mn>2</mn></msub><mo>·</mo>", id="letter and digit"),
        pytest.param(
            "m̂",
            '<mover accent="true"><mi>m</mi><mo stretchy="false">^</mo></mover>',
            id="combining hat",
        ),
        pytest.param("ŷ", '<mover accent="true"><mi>y</mi>', id="composed hat"),
        pytest.param("√v̂", '<msqrt><mover accent="true"><mi>v</mi>', id="root of a hatted letter"),
        pytest.param("√(a+b)", "<msqrt><mrow><mi>a</mi><mo>+</mo>", id="root of a group"),
        pytest.param("Σ x", '<mo largeop="false">∑</mo><mi>x</mi>', id="sum"),
        pytest.param(
            "log p", "<mi>log</mi><mo>&#x2061;</mo><mspace", id="function without brackets"
        ),
        pytest.param(
            "exp(z)", '<mi>exp</mi><mo>&#x2061;</mo><mrow><mo stretchy="false">(</mo>', id="call"
        ),
        pytest.param("= −z", '<mo form="prefix">−</mo><mi>z</mi>', id="a sign after a relation"),
        pytest.param("a − z", "<mi>a</mi><mo>−</mo><mi>z</mi>", id="a difference"),
        pytest.param("a -> b", "<mo>→</mo>", id="arrow in ASCII"),
        pytest.param("12,000", "<mn>12,000</mn>", id="grouped digits"),
        pytest.param(
            "[2,100]", "<mn>2</mn><mo>,</mo><mn>100</mn>", id="a comma in brackets separates"
        ),
        pytest.param("one_hot", "<mi>one_hot</mi>", id="a name of two words"),
        pytest.param("z′", "<msup><mi>z</mi><mo>′</mo></msup>", id="prime"),
        pytest.param("logΣe^z", "<mi>log</mi><mo>&#x2061;</mo>", id="a sum sign ends a word"),
    ],
)
def test_reads(text: str, part: str) -> None:
    assert part in body(text)


@pytest.mark.parametrize(
    "text",
    [
        "L = −Σ log p(x_t | x_<t)",
        "CE(z,y)=−z_y+log Σ exp(z_j)",
        "θ ← θ − lr·m̂/(√v̂+ε) − lr·λ·θ",
        "[2,1,0]",
        "CE = −z_y + log Σ e^z = −2 + log(11.107) = −2 + 2.408 = 0.408",
        "−12 + log(e¹² + e¹¹ + e¹⁰) = −12 + 12.408",
        "g = ∂L/∂θ",
        "m + v = 2 × 7 × 10⁹ × 4 ≈ 56",
        "s ← round(s + round(increment))",
        "L = (1/N) Σ_{i=1}^N −log p_i",
        "‖g‖ > c",
    ],
)
def test_reads_the_formulas_of_a_course(text: str) -> None:
    shown = mathml.element(text)

    assert shown.startswith('<span class="formula-inline"><math display="inline" alttext="')
    assert "<code" not in shown


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("   ", id="blanks"),
        pytest.param("(a", id="open bracket"),
        pytest.param("(a]", id="crossed brackets"),
        pytest.param("a_", id="nothing below"),
        pytest.param("_t", id="nothing to stand below"),
        pytest.param("x^2^3", id="two superscripts"),
        pytest.param("the loss of the first token", id="a sentence"),
        pytest.param('p = "x"', id="quotation mark"),
        pytest.param("\\frac{1}{2}", id="LaTeX"),
        pytest.param("a & b", id="ampersand"),
        pytest.param("(" * 25 + "a" + ")" * 25, id="nested too deep"),
        pytest.param("a+" * 300 + "a", id="too long"),
        pytest.param("x = 5.", id="a full stop"),
    ],
)
def test_what_it_cannot_read_stays_text(text: str) -> None:
    assert mathml.body_of(text) is None
    assert "<code" in mathml.element(text)
    assert "<math" not in mathml.element(text)


class Tags(HTMLParser):
    """Collects what a browser would see as tags and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


ALLOWED_TAGS = {
    "span",
    "code",
    "math",
    "semantics",
    "annotation",
    "mrow",
    "mi",
    "mn",
    "mo",
    "mspace",
} | {
    "msub",
    "msup",
    "msubsup",
    "mover",
    "msqrt",
}
ALLOWED_ATTRIBUTES = {"class", "display", "alttext", "encoding", "accent", "stretchy", "form"} | {
    "lspace",
    "rspace",
    "largeop",
    "width",
}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<script>alert(1)</script>", id="script"),
        pytest.param('" onmouseover="alert(1)', id="attribute break"),
        pytest.param("a < img src=x onerror=alert(1) >", id="tag made of operators"),
        pytest.param("x_{<script>}", id="script in a subscript"),
        pytest.param("</annotation></semantics></math><b>", id="closing tags"),
        pytest.param("a\x00b", id="null"),
    ],
)
def test_markup_stays_text(text: str) -> None:
    seen = Tags()
    seen.feed(mathml.element(text))

    assert seen.tags <= ALLOWED_TAGS
    assert seen.attributes <= ALLOWED_ATTRIBUTES


@given(st.text(max_size=60) | st.text(alphabet=NOTATION, max_size=60))
@settings(max_examples=400, deadline=None)
def test_any_text_at_all_gives_harmless_markup(text: str) -> None:
    seen = Tags()
    seen.feed(mathml.element(text))

    assert seen.tags <= ALLOWED_TAGS
    assert seen.attributes <= ALLOWED_ATTRIBUTES


@given(st.text(alphabet="abxyzθβLNp019,()[]_^+−·/=<|√ logexp", min_size=1, max_size=40))
@settings(max_examples=400, deadline=None)
def test_what_is_typeset_keeps_every_letter_and_digit(text: str) -> None:
    found = mathml.body_of(text)
    shown = re.sub(r"<[^>]*>|&[^;]+;", "", found) if found is not None else text

    assert sorted(filter(str.isalnum, shown)) == sorted(filter(str.isalnum, text))


def test_a_formula_carries_its_plain_text() -> None:
    shown = mathml.element("p(x_t | x_<t)", block=True)

    assert shown.startswith('<span class="formula"><math display="block"')
    assert 'alttext="p(x_t | x_&lt;t)"' in shown
    assert '<annotation encoding="text/plain">p(x_t | x_&lt;t)</annotation>' in shown
