"""Elements and paths of SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_ARROW, _ARROW_HALF = 6.0, 3.2


def element(name: str, inside: str = "", attributes: Mapping[str, str | float] | None = None) -> str:
    """An element; `inside` is markup already, attributes are not."""
    texts = (
        f' {key}="{number(value) if isinstance(value, int | float) else escaped(value)}"'
        for key, value in (attributes or {}).items()
    )
    start = f"<{name}{''.join(texts)}"
    return f"{start}>{inside}</{name}>" if inside else f"{start}/>"


def escaped(text: str) -> str:
    """Text of the user's, without what no XML may hold."""
    return escape(clean(text))


def title(text: str) -> str:
    """What a tooltip says, if there is anything to say."""
    return element("title", escaped(text)) if text else ""


def number(value: float) -> str:
    """A length, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def curve(points: Iterable[float]) -> str:
    """The path of a poly-bezier, see `Edge`."""
    numbers = [number(value) for value in points]
    pieces = [" ".join(numbers[place : place + 6]) for place in range(2, len(numbers), 6)]
    return f"M{numbers[0]} {numbers[1]}" + "".join(f"C{piece}" for piece in pieces)


def arrow(points: Sequence[float]) -> str:
    """A triangle at the end of a curve, in the direction in which it arrives."""
    before_x, before_y, x, y = points[-4:]
    length = ((x - before_x) ** 2 + (y - before_y) ** 2) ** 0.5 or 1.0
    dx, dy = (x - before_x) / length, (y - before_y) / length
    back_x, back_y = x - dx * _ARROW, y - dy * _ARROW
    corners = [(back_x - dy * side, back_y + dx * side) for side in (_ARROW_HALF, -_ARROW_HALF)]
    start, stop = (f"{number(a)} {number(b)}" for a, b in corners)
    return f"M{start}L{number(x)} {number(y)}L{stop}z"
