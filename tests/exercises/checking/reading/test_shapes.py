"""Shapes of arrays, as they are written."""

import pytest

from exercises.checking.reading import BlankError, ReadingError, TooLargeError, read_shape


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        pytest.param("(B, T, V)", ("B", "T", "V"), id="round brackets"),
        pytest.param("[B, T, V]", ("B", "T", "V"), id="square brackets"),
        pytest.param("B, T, V", ("B", "T", "V"), id="no brackets"),
        pytest.param("(B,T,V)", ("B", "T", "V"), id="no blanks"),
        pytest.param("(B; T; V)", ("B", "T", "V"), id="semicolons"),
        pytest.param("(B T V)", ("B", "T", "V"), id="blanks"),
        pytest.param("B×T×V", ("B", "T", "V"), id="times signs"),
        pytest.param("B × T × V", ("B", "T", "V"), id="spaced times signs"),
        pytest.param("B x T x V", ("B", "T", "V"), id="letter x"),
        pytest.param("BxTxV", ("B", "T", "V"), id="letter x without blanks"),
        pytest.param("2x4", (2, 4), id="letter x between sizes"),
        pytest.param("(2, 4)", (2, 4), id="sizes"),
        pytest.param("2×4", (2, 4), id="sizes, times sign"),
        pytest.param("(5,)", (5,), id="one axis as Python writes it"),
        pytest.param("(5)", (5,), id="one axis"),
        pytest.param("5", (5,), id="one axis without brackets"),
        pytest.param("()", (), id="no axis"),
        pytest.param("(B, 4)", ("B", 4), id="names and sizes"),
        pytest.param("(d_model, n_heads)", ("d_model", "n_heads"), id="long names"),
        pytest.param("max", ("max",), id="a name that ends with x"),
        pytest.param("shape = (B, T)", ("B", "T"), id="label"),
        pytest.param("(B, T).", ("B", "T"), id="full stop"),
        pytest.param("（２，４）", (2, 4), id="full width"),
    ],
)
def test_a_shape_is_read(text: str, axes: tuple[str | int, ...]) -> None:
    assert read_shape(text) == axes


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("1e2", "axis", id="exponent"),
        pytest.param("(2.0, 4)", "axis", id="not whole"),
        pytest.param("-3", "axis", id="negative"),
        pytest.param("(0, 4)", "axis", id="zero"),
        pytest.param("1_000", "axis", id="underscore"),
        pytest.param("(٣, 4)", "axis", id="digits of another script"),
        pytest.param("(B,, T)", "axis", id="nothing between commas"),
        pytest.param("(B, T, )", "axis", id="comma at the end"),
        pytest.param("(4*d, T)", "shape_product", id="product"),
        pytest.param("B·T·V", "shape_product", id="dots"),
        pytest.param("(B, T", "bracket_open", id="not closed"),
        pytest.param("(B, T]", "bracket_open", id="closed by another"),
        pytest.param("(", "bracket_open", id="one bracket"),
        pytest.param("((B, T))", "axis", id="nested"),
        pytest.param("12345678901234567890", "axis", id="absurd size"),
    ],
)
def test_what_is_no_shape_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(ReadingError) as caught:
        read_shape(text)

    assert caught.value.code == code
    assert str(caught.value)


def test_bounds_hold() -> None:
    with pytest.raises(BlankError):
        read_shape(" ")
    with pytest.raises(TooLargeError):
        read_shape(", ".join(["B"] * 33))
    with pytest.raises(TooLargeError):
        read_shape("B" * 2001)
