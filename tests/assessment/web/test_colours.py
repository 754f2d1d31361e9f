"""Every pair of colours that meets on a page is told apart, in both modes."""

import re
from pathlib import Path

import pytest

import assessment.web

TOKENS = (Path(assessment.web.__file__).parent / "static/web/tokens.css").read_text(
    encoding="utf-8"
)
PAIR = re.compile(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
COLOURS = {name: modes for name, *modes in PAIR.findall(TOKENS)}

TEXT = 4.5
CONTROL = 3.0
PAPERS = ["paper", "paper-raised", "paper-sunken"]
WASHES = ["accent-wash", "pencil-wash", "right-wash", "caution-wash", "carried-wash"]

MEETING = [
    *((ink, paper, TEXT) for ink in ("ink", "ink-soft") for paper in PAPERS + WASHES),
    *(
        (tone, paper, TEXT)
        for tone in (
            "accent",
            "accent-hover",
            "pencil",
            "pencil-hover",
            "right",
            "caution",
            "carried",
        )
        for paper in PAPERS
    ),
    *((tone, f"{tone}-wash", TEXT) for tone in ("accent", "pencil", "right", "caution", "carried")),
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-hover", TEXT),
    ("on-pencil", "pencil", TEXT),
    *(("rule-strong", paper, CONTROL) for paper in PAPERS),
    *(("focus", paper, CONTROL) for paper in PAPERS + WASHES),
]


def luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("mode", [pytest.param(0, id="light"), pytest.param(1, id="dark")])
@pytest.mark.parametrize(("front", "back", "least"), MEETING)
def test_contrast(front: str, back: str, least: float, mode: int) -> None:
    assert contrast(COLOURS[front][mode], COLOURS[back][mode]) >= least
