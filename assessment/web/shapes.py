"""The drawn shapes of the status marks, as SVG without a single inline style.

Each is drawn in ``currentColor`` on a grid of 16 units; ``mark-knock`` is cut out in the colour of
the paper. The five links of a chain stand for the five breaks, in chain order.
"""

from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

_DISC: Final = '<circle cx="8" cy="8" r="7.5" fill="currentColor" stroke="none"/>'
_CIRCLE: Final = '<circle cx="8" cy="8" r="6.75"/>'
_CHECK: Final = "m4.6 8.4 2.4 2.4 4.4-5.2"

_SHAPES: Final = {
    "check": _DISC + f'<path class="mark-knock" d="{_CHECK}"/>',
    "arrow": _DISC + '<path class="mark-knock" d="M4 8h7.4M8.6 5l3 3-3 3"/>',
    "gap": '<path d="M2 5h2.4M6.8 5h2.4M11.6 5H14M2 11h12"/>',
    "plus-minus": '<path d="M8 2v7.5M4.2 5.75h7.6M4.2 13.5h7.6"/>',
    "approx": (
        '<path d="M2.5 6.3c1.8-2.2 3.6-2.2 5.5-.8s3.7 1.4 5.5-.8'
        'M2.5 11.6c1.8-2.2 3.6-2.2 5.5-.8s3.7 1.4 5.5-.8"/>'
    ),
    "cross": (
        '<path d="M8 0l8 8-8 8-8-8z" fill="currentColor" stroke="none"/>'
        '<path class="mark-knock" d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8"/>'
    ),
    "grid": '<path d="M1.5 1.5h5.2v5.2H1.5zM9.3 1.5h5.2v5.2H9.3zM1.5 9.3h5.2v5.2H1.5z"/>',
    "ruler": '<path d="M1 5h14v6.5H1zM4.5 5v3M8 5v3.5M11.5 5v3"/>',
    "question": (
        _CIRCLE + '<path d="M5.9 6.3c.2-2.6 4.2-2.5 4.2 0 0 1.6-2.1 1.7-2.1 3.2M8 11.4v.9"/>'
    ),
    "blank": '<circle cx="8" cy="8" r="6.75" stroke-dasharray="2.6 2.7"/>',
    "clock": _CIRCLE + '<path d="M8 4v4.2l2.8 1.7"/>',
    "pencil": '<path d="m2.5 13.5.9-3.6 7.4-7.4 2.7 2.7-7.4 7.4zM9 4.3l2.7 2.7"/>',
    "check-outline": _CIRCLE + f'<path d="{_CHECK}"/>',
    "warning": (
        '<path d="M8 .8l7.7 14H.3z" fill="currentColor" stroke="none"/>'
        '<path class="mark-knock" d="M8 5.8v4.2M8 11.7v1.3"/>'
    ),
    "eye": '<path d="M1 8c3-5.6 11-5.6 14 0-3 5.6-11 5.6-14 0z"/><circle cx="8" cy="8" r="2"/>',
    "sent": '<path d="M8 10V2M4.8 5 8 1.8 11.2 5M2.5 8.5v5.7h11V8.5"/>',
    "struck": _CIRCLE + '<path d="m3.3 12.7 9.4-9.4"/>',
    "disc": _DISC,
    "half-disc": _CIRCLE + '<path d="M8 1.25a6.75 6.75 0 0 0 0 13.5z" fill="currentColor"/>',
    "ring": _CIRCLE,
}

_LINKS: Final = 5
_STEP: Final = 10


def _dot(link: int, *, solid: bool) -> str:
    fill = "currentColor" if solid else "none"
    return f'<circle cx="{6 + _STEP * link}" cy="8" r="2.75" fill="{fill}"/>'


def _line(first: int, last: int) -> str:
    return f'<path d="M{6 + _STEP * first} 8H{6 + _STEP * last}"/>' if last > first else ""


def _chain(broken: int | None) -> str:
    """Return five links; those before the broken one hold, those after it hang loose."""
    if broken is None:
        return _line(0, _LINKS - 1) + "".join(_dot(link, solid=True) for link in range(_LINKS))
    held = "".join(_dot(link, solid=True) for link in range(broken))
    loose = "".join(_dot(link, solid=False) for link in range(broken + 1, _LINKS))
    x = 6 + _STEP * broken
    return held + _line(0, broken - 1) + f'<path d="M{x - 2.5} 14 {x + 2.5} 2"/>' + loose


def _loose_chain(inner: str) -> str:
    return "".join(_dot(link, solid=False) for link in range(_LINKS)) + inner


_CHAINS: Final = {
    "chain": _chain(None),
    **{f"chain-{link + 1}": _chain(link) for link in range(_LINKS)},
    "chain-unknown": _loose_chain('<path d="M8.75 8h4.5M18.75 8h4.5M28.75 8h4.5M38.75 8h4.5"/>'),
    "chain-blank": _loose_chain(""),
}

NAMES: Final = frozenset(_SHAPES) | frozenset(_CHAINS)


def svg(name: str) -> SafeString:
    """Return the drawing, hidden from assistive technology: the words beside it say it all."""
    inner, width = (_CHAINS[name], 52) if name in _CHAINS else (_SHAPES[name], 16)
    return format_html(
        '<svg class="mark-shape" viewBox="0 0 {} 16" aria-hidden="true" focusable="false">{}</svg>',
        width,
        mark_safe(inner),  # noqa: S308 (constants of this module)
    )
