import pytest

from exercises.documents.text import sentences, unquoted


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("One. Two.", ("One.", "Two."), id="plain"),
        pytest.param("From 2 to 2.4 it grows. Then 0.408.", None, id="decimals"),
        pytest.param("Ask, e.g. Once. Done.", ("Ask, e.g. Once.", "Done."), id="e.g."),
        pytest.param("84 GB, i.e. 3× as much.", ("84 GB, i.e. 3× as much.",), id="i.e."),
        pytest.param("“So it is.” Then on.", ("“So it is.”", "Then on."), id="a quote ends"),
        pytest.param("B×T = 8. Useful.", ("B×T = 8.", "Useful."), id="a number ends"),
        pytest.param("What? Why! Yes…", ("What?", "Why!", "Yes…"), id="other ends"),
        pytest.param("p(x_t | x_<t). Raise it.", ("p(x_t | x_<t).", "Raise it."), id="formula"),
        pytest.param("no end", ("no end",), id="no end"),
        pytest.param("", (), id="empty"),
    ],
)
def test_sentences(text: str, found: tuple[str, ...] | None) -> None:
    expected = found if found is not None else ("From 2 to 2.4 it grows.", "Then 0.408.")

    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("“Bigger is better.”", "Bigger is better."),
        ('"Bigger"', "Bigger"),
        ("« Bigger »", "Bigger"),
        ("“a” or “b”", "“a” or “b”"),
        ("plain", "plain"),
        ("“", "“"),
    ],
)
def test_a_statement_loses_the_quotes_around_all_of_it(text: str, statement: str) -> None:
    assert unquoted(text) == statement
