"""A computation graph as one SVG file: no script, nothing from outside, readable in light and dark and without CSS.

Colours stand in presentation attributes, for viewers that know no style sheets; a style sheet on top follows the reader's
colour scheme. Every text is text.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal, NamedTuple

from jax_trace_viz.session.graph.text import SMALL_WIDTH, clean, columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jax_trace_viz.contract.view import Box, Edge, Graph

Theme = Literal["auto", "light", "dark"]

_FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_MARGIN, _HEAD = 12.0, 18.0
_PLATE_STEP = 3.0
_LABEL_Y, _LINE, _HEADING_X, _HEADING_Y = 13.5, 11.0, 8.0, 12.5
_ARROW, _ARROW_HALF = 6.0, 3.2
_GLYPHS = {"argument": "● ", "constant": "◆ "}


class Tone(NamedTuple):
    """Colours of one kind of box."""

    fill: str
    stroke: str


class Palette(NamedTuple):
    """Colours of a picture. Every pair of ink and fill has a contrast of at least 4.5 : 1, every stroke of 3 : 1."""

    paper: str
    ink: str
    quiet: str
    variable: str
    line: str
    frame: str
    tones: Mapping[str, Tone]


LIGHT = Palette(
    paper="#ffffff",
    ink="#1c2330",
    quiet="#525c6c",
    variable="#0b5cad",
    line="#767d89",
    frame="#f4f6fa",
    tones={
        "plain": Tone("#eef1f6", "#7d8798"),
        "forward": Tone("#e3eefc", "#3b78c4"),
        "backward": Tone("#fdeadd", "#c4692a"),
        "argument": Tone("#e2f4e8", "#2f8f56"),
        "result": Tone("#efe6fb", "#7b4bc2"),
        "constant": Tone("#fff3c4", "#8a6f00"),
        "port": Tone("#ffffff", "#7d8798"),
    },
)
DARK = Palette(
    paper="#14181f",
    ink="#e8ecf3",
    quiet="#a9b3c4",
    variable="#7db8ff",
    line="#8c96a8",
    frame="#1b212b",
    tones={
        "plain": Tone("#262d3a", "#77839a"),
        "forward": Tone("#1c3354", "#6ea8f0"),
        "backward": Tone("#47301f", "#f0a06a"),
        "argument": Tone("#1a3a28", "#63c78c"),
        "result": Tone("#35264f", "#b795f0"),
        "constant": Tone("#4a3f10", "#e0c040"),
        "port": Tone("#14181f", "#77839a"),
    },
)


def svg(graph: Graph, *, standalone: bool = True, theme: Theme = "auto") -> str:
    """Draws a graph.

    Args:
        graph: The laid out graph.
        standalone: Whether it is a file of its own, with a background, or goes into a page that has one.
        theme: Colours: `auto` follows the reader's colour scheme, where the viewer knows it, and is light elsewhere.
    """
    palette = DARK if theme == "dark" else LIGHT
    return _Drawing(graph, palette, adaptive=theme == "auto").text(standalone)


class _Drawing:
    def __init__(self, graph: Graph, palette: Palette, *, adaptive: bool) -> None:
        self._graph = graph
        self._palette = palette
        self._adaptive = adaptive

    def text(self, standalone: bool) -> str:
        graph = self._graph
        head = [line for line in (_summary(graph), graph.note) if line]
        top = _HEAD + _LINE * (len(head) - 1)
        width = max([graph.width, *(SMALL_WIDTH * columns(line) for line in head)]) + 2 * _MARGIN
        height = graph.height + top + 2 * _MARGIN
        x, y = -_MARGIN, -_MARGIN - top
        name = _escape(f"Computation graph of {graph.name}")
        frames = [box for box in graph.boxes if box.open]
        background = self._rect("paper", x, y, width, height, 0, self._palette.paper, "none") if standalone else ""
        lines = "".join(
            self._text("quiet", self._palette.quiet, 0, y + _MARGIN + 4 + _LINE * i, line, 'font-size="9"')
            for i, line in enumerate(head)
        )
        parts = [
            '<?xml version="1.0" encoding="UTF-8"?>' if standalone else "",
            f'<svg xmlns="http://www.w3.org/2000/svg" class="jtv-picture" role="img" aria-label="{name}"'
            f' viewBox="{x:g} {_number(y)} {_number(width)} {_number(height)}"'
            f' width="{_number(width)}" height="{_number(height)}" font-family="{_FONT}" font-size="11">',
            f"<title>{name}</title>",
            f"<style>{_style_sheet()}</style>" if self._adaptive else "",
            background,
            lines,
            *(self._frame(box) for box in frames),
            *(self._edge(edge) for edge in graph.edges),
            *(self._heading(box) for box in frames),
            '<g text-anchor="middle">',
            *(self._box(box) for box in graph.boxes if not box.open),
            "</g></svg>",
        ]
        return "\n".join(part for part in parts if part) + "\n"

    def _frame(self, box: Box) -> str:
        stroke = self._palette.tones[_tone(box)].stroke
        rects = self._plates(box, f"frame s-{_tone(box)}", 6, self._palette.frame, stroke)
        return f"<g>{_title(box.title)}{rects}</g>"

    def _heading(self, box: Box) -> str:
        """An open group's heading, with a halo, so that a line that crosses the border does not strike it through."""
        detail = self._span("quiet", self._palette.quiet, f"  {box.detail}", 'font-size="9"') if box.detail else ""
        text = f"{self._name(box)}{self._span('ink', self._palette.ink, _label(box), 'font-weight=\"600\"')}{detail}"
        return (
            f'<text class="halo" xml:space="preserve" x="{_number(box.x + _HEADING_X)}" y="{_number(box.y + _HEADING_Y)}"'
            f' stroke="{self._palette.frame}" stroke-width="3.5" stroke-linejoin="round" paint-order="stroke">{text}</text>'
        )

    def _box(self, box: Box) -> str:
        tone = self._palette.tones[_tone(box)]
        rounded = 10 if box.kind in ("argument", "result") else 3
        rects = self._plates(box, f"fill-{_tone(box)} s-{_tone(box)}", rounded, tone.fill, tone.stroke, box.kind)
        middle, y = box.x + box.width / 2, box.y + _LABEL_Y
        weight = ' font-weight="600"' if box.kind != "operation" and box.kind != "port" else ""
        label = self._span("ink", self._palette.ink, ("▸ " if box.kind == "group" else "") + _label(box))
        texts = f'<text x="{_number(middle)}" y="{_number(y)}"{weight}>{self._name(box)}{label}</text>'
        small = [("quiet", self._palette.quiet, box.detail)] if box.detail else []
        small += [("variable", self._palette.variable, note) for note in box.notes]
        for place, (class_, colour, text) in enumerate(small, 1):
            texts += self._text(class_, colour, middle, y + _LINE * place, text, 'font-size="9"')
        return f"<g>{_title(box.title)}{rects}{texts}</g>"

    def _edge(self, edge: Edge) -> str:
        colour, points = self._palette.line, edge.points
        extra = {"bundle": ' stroke-width="2.5"', "saved": ' stroke-width="2" stroke-dasharray="6 3"'}.get(edge.kind, "")
        path = f'<path class="line" fill="none" stroke="{colour}"{extra} d="{_curve(points)}"/>'
        arrow = f'<path class="tip" fill="{colour}" d="{_arrow(points)}"/>'
        label = ""
        if edge.label:
            x, y = (points[0] + points[-2]) / 2, (points[1] + points[-1]) / 2 - 5
            extra = 'font-size="9" text-anchor="middle"'
            label = self._text("ink", self._palette.ink, x, y, edge.label, extra)
        return f"<g>{_title(edge.title)}{path}{arrow}{label}</g>"

    def _plates(self, box: Box, class_: str, radius: int, fill: str, stroke: str, kind: str = "") -> str:
        """A box's rectangle, on those of the copies that it stands for."""
        dashed = ' stroke-dasharray="3 2"' if kind == "port" else ""
        steps = (2 * _PLATE_STEP, _PLATE_STEP, 0.0) if box.repeat > 1 else (0.0,)
        return "".join(
            self._rect(class_, box.x + step, box.y + step, box.width, box.height, radius, fill, stroke, dashed)
            for step in steps
        )

    def _name(self, box: Box) -> str:
        if not box.name:
            return ""
        return self._span("variable", self._palette.variable, f"{box.name} = ", 'font-weight="600"')

    @staticmethod
    def _rect(
        class_: str, x: float, y: float, width: float, height: float, radius: int, fill: str, stroke: str, extra: str = ""
    ) -> str:
        return (
            f'<rect class="{class_}" x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
            f' rx="{radius}" fill="{fill}" stroke="{stroke}"{extra}/>'
        )

    @staticmethod
    def _text(class_: str, fill: str, x: float, y: float, text: str, extra: str = "") -> str:
        return f'<text class="{class_}" fill="{fill}" x="{_number(x)}" y="{_number(y)}" {extra}>{_escape(text)}</text>'

    @staticmethod
    def _span(class_: str, fill: str, text: str, extra: str = "") -> str:
        return f'<tspan class="{class_}" fill="{fill}"{" " if extra else ""}{extra}>{_escape(text)}</tspan>'


def _summary(graph: Graph) -> str:
    boxes = sum(not box.open for box in graph.boxes)
    return f"{graph.name}: {graph.equations:,} equation{'s' if graph.equations != 1 else ''} in {boxes} boxes"


def _tone(box: Box) -> str:
    if box.kind in ("operation", "group"):
        return box.phase or "plain"
    return box.kind


def _label(box: Box) -> str:
    return _GLYPHS.get(box.kind, "") + box.label


def _style_sheet() -> str:
    return f"{_rules(LIGHT)}@media (prefers-color-scheme:dark){{{_rules(DARK)}}}.jtv-picture g:hover>.line{{stroke-width:3}}"


def _rules(palette: Palette) -> str:
    inks = {"ink": palette.ink, "quiet": palette.quiet, "variable": palette.variable, "paper": palette.paper}
    rules = [(f".{name}", "fill", colour) for name, colour in inks.items()]
    rules += [(".line", "stroke", palette.line), (".tip", "fill", palette.line)]
    rules += [(".frame", "fill", palette.frame), (".halo", "stroke", palette.frame)]
    for name, tone in palette.tones.items():
        rules += [(f".fill-{name}", "fill", tone.fill), (f".s-{name}", "stroke", tone.stroke)]
    return "".join(f".jtv-picture {selector}{{{attribute}:{colour}}}" for selector, attribute, colour in rules)


def _escape(text: str) -> str:
    return escape(clean(text))


def _title(text: str) -> str:
    return f"<title>{_escape(text)}</title>" if text else ""


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _curve(points: Iterable[float]) -> str:
    numbers = [_number(value) for value in points]
    pieces = [" ".join(numbers[place : place + 6]) for place in range(2, len(numbers), 6)]
    return f"M{numbers[0]} {numbers[1]}" + "".join(f"C{piece}" for piece in pieces)


def _arrow(points: list[float]) -> str:
    """A triangle at the end of a curve, in the direction in which it arrives."""
    before_x, before_y, x, y = points[-4:]
    length = ((x - before_x) ** 2 + (y - before_y) ** 2) ** 0.5 or 1.0
    dx, dy = (x - before_x) / length, (y - before_y) / length
    back_x, back_y = x - dx * _ARROW, y - dy * _ARROW
    corners = [(back_x - dy * side, back_y + dx * side) for side in (_ARROW_HALF, -_ARROW_HALF)]
    start, stop = (f"{_number(a)} {_number(b)}" for a, b in corners)
    return f"M{start}L{_number(x)} {_number(y)}L{stop}z"
