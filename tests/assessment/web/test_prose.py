"""Markdown with formulas to sanitised HTML."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessment.web import prose


def test_a_formula_in_a_code_span_is_typeset() -> None:
    shown = prose.render("> **Working formula:** `L = −Σ log p(x_t | x_<t)`")

    assert "<blockquote>" in shown
    assert "<strong>Working formula:</strong>" in shown
    assert 'alttext="L = −Σ log p(x_t | x_&lt;t)"' in shown
    assert "<msub><mi>x</mi><mi>t</mi></msub>" in shown


@pytest.mark.parametrize("text", ["`checks.yaml`", "`token_losses`", "`n`"])
def test_a_name_in_a_code_span_stays_code(text: str) -> None:
    assert "<code>" in prose.render(text)
    assert "<math" not in prose.render(text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        pytest.param(r"$\frac{1}{2}$", "<mfrac>", id="fraction"),
        pytest.param(r"$\sum_j e^{z_j}$", "<msub>", id="sum"),
        pytest.param(r"$a < b$", "&lt;", id="relation"),
        pytest.param(
            r"$\log p$", '<mi>log</mi><mo>⁡</mo><mspace width="0.17em"></mspace>', id="function"
        ),
    ],
)
def test_latex_is_typeset(text: str, part: str) -> None:
    assert part in prose.render(text)
    assert "<annotation" in prose.render(text)


def test_prices_are_no_formulas() -> None:
    assert "<math" not in prose.render("It costs $5 here and $6 there, $7.")


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        pytest.param("<script>alert(1)</script>", "<script", id="script"),
        pytest.param("<img src=x onerror=alert(1)>", "<img", id="image with a handler"),
        pytest.param(
            "[x](javascript:alert(1))", 'href="javascript', id="link with a script scheme"
        ),
        pytest.param("[x](data:text/html,<b>)", 'href="data', id="link with a data scheme"),
        pytest.param(
            '[x](https://a.example/"onclick="alert(1))', 'onclick="', id="attribute break"
        ),
        pytest.param(r"$\href{javascript:alert(1)}{x}$", "href=", id="math link"),
        pytest.param(r"$\style{color:red}{x}$", "style=", id="math style"),
        pytest.param(r"$\class{alarm}{x}$", 'class="alarm', id="math class"),
        pytest.param(r"$\text{<script>alert(1)</script>}$", "<script", id="script in math text"),
        pytest.param(r"$\text{<img src=x onerror=alert(1)>}$", "<img", id="image in math text"),
        pytest.param("![x](https://a.example/p.png)", "<img", id="image that calls home"),
        pytest.param("</div></section><table>", "</section>", id="unclosed table"),
        pytest.param("<style>*{display:none}</style>", "<style", id="style"),
        pytest.param("<div style='position:fixed'>", "<div", id="inline style"),
    ],
)
def test_markup_of_any_kind_is_inert(text: str, gone: str) -> None:
    assert gone not in prose.render(text)


TAG = re.compile(r"<([a-z]+)([^>]*)>")
QUOTED = re.compile(r'"[^"]*"')
HANDLER = re.compile(r"\son\w+\s*=")


@given(st.text(alphabet="<>\"'=ab/:$\\{}[]()`*_|#-!& \n\tscriptonimghref", max_size=120))
@settings(max_examples=400, deadline=None)
def test_any_text_at_all_renders_without_handlers_and_scripts(text: str) -> None:
    shown = prose.render(text)

    for name, attributes in TAG.findall(shown):
        assert name not in {"script", "style", "img", "iframe", "object", "svg", "form", "input"}
        assert not HANDLER.search(QUOTED.sub("", attributes))


def test_headings_begin_where_the_page_says() -> None:
    assert "<h2>One</h2>" in prose.render("# One", heading_level=2)
    assert "<h5>Two</h5>" in prose.render("## Two", heading_level=4)
    assert "<h6>Deep</h6>" in prose.render("###### Deep", heading_level=4)


def test_a_table_scrolls_in_its_own_box() -> None:
    shown = prose.render("| a | b |\n|---|---|\n| 1 | 2 |")

    assert '<div class="table-scroll"><table>' in shown
    assert shown.rstrip().endswith("</table></div>")


def test_a_text_beyond_the_bound_is_shown_as_typed() -> None:
    shown = prose.render("<b>" + "x" * prose.MAX_LENGTH)

    assert shown.startswith('<p class="typed">&lt;b&gt;x')


def test_deep_nesting_does_not_take_for_ever() -> None:
    assert prose.render("> " * 5_000 + "x")
    assert prose.render("[" * 20_000)
