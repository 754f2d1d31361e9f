"""Choices and sets of named items."""

import pytest

from exercises.checking.reading import (
    BlankError,
    MalformedError,
    Names,
    NamesError,
    TooLargeError,
    read_choice,
    read_set,
)

OPTIONS = Names(
    {
        "forward": ["the forward pass"],
        "accumulation": ["accumulation of updates", "l'accumulation des mises à jour"],
    }
)
FIELDS = Names(
    {
        "m, v": ["optimizer moments", "adam state"],
        "scheduler": [],
        "data position": ["sampler"],
        "RNG states": ["RNG", "random states"],
    }
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("accumulation", id="the option itself"),
        pytest.param("accumulation of updates", id="a synonym"),
        pytest.param("  Accumulation  OF updates ", id="case and blanks"),
        pytest.param("accumulation of updates.", id="full stop"),
        pytest.param("L'ACCUMULATION DES MISES A JOUR", id="accents"),
        pytest.param("l'accumulation des mises a\u0300 jour", id="combining accent"),
        pytest.param("ａccumulation", id="full-width letter"),
    ],
)
def test_a_choice_is_read_by_any_of_its_names(text: str) -> None:
    assert read_choice(text, OPTIONS) == "accumulation"


@pytest.mark.parametrize("text", ["accumulate", "forward accumulation", "x", "."])
def test_a_choice_that_is_none_of_the_options_is_refused(text: str) -> None:
    with pytest.raises(MalformedError):
        read_choice(text, OPTIONS)


@pytest.mark.parametrize(
    ("text", "found", "unknown"),
    [
        pytest.param(
            "optimizer moments; scheduler; RNG", ("m, v", "scheduler", "RNG states"), (), id="all"
        ),
        pytest.param("scheduler, RNG", ("scheduler", "RNG states"), (), id="commas"),
        pytest.param("scheduler and RNG", ("scheduler", "RNG states"), (), id="and"),
        pytest.param("scheduler & sampler", ("scheduler", "data position"), (), id="ampersand"),
        pytest.param("scheduler\nRNG", ("scheduler", "RNG states"), (), id="lines"),
        pytest.param("m, v", ("m, v",), (), id="a comma in a name"),
        pytest.param("m, v, scheduler", ("m, v", "scheduler"), (), id="a comma in a first name"),
        pytest.param("scheduler, m, v, RNG", ("scheduler", "m, v", "RNG states"), (), id="inside"),
        pytest.param("RNG; random states; rng", ("RNG states",), (), id="once each"),
        pytest.param("weights; scheduler", ("scheduler",), ("weights",), id="one unknown"),
        pytest.param("weights; weights", (), ("weights",), id="unknown once each"),
        pytest.param("scheduler;; ;", ("scheduler",), (), id="nothing between"),
        pytest.param("m", (), ("m",), id="half a name"),
        pytest.param("scheduler.", ("scheduler",), (), id="full stop"),
    ],
)
def test_a_set_is_read_item_by_item(
    text: str, found: tuple[str, ...], unknown: tuple[str, ...]
) -> None:
    assert read_set(text, FIELDS) == (found, unknown)


def test_nothing_is_blank_and_too_much_is_refused() -> None:
    with pytest.raises(BlankError):
        read_choice(" ", OPTIONS)
    with pytest.raises(BlankError):
        read_set("\n", FIELDS)
    with pytest.raises(TooLargeError):
        read_choice("x" * 2001, OPTIONS)
    with pytest.raises(TooLargeError):
        read_set("x;" * 1001, FIELDS)


@pytest.mark.parametrize(
    "synonyms",
    [
        pytest.param({"a": ["x"], "b": ["X"]}, id="two things of one name"),
        pytest.param({"a": ["b"], "b": []}, id="a synonym that is another thing"),
        pytest.param({"a": [" "]}, id="an empty name"),
    ],
)
def test_names_that_cannot_be_told_apart_are_refused(synonyms: dict[str, list[str]]) -> None:
    with pytest.raises(NamesError):
        Names(synonyms)
