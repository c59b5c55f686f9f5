"""A computation graph as one SVG file: no script, nothing from outside, readable in light and dark and without CSS.

Colours stand in presentation attributes, for viewers that know no style sheets; a style sheet on top follows the
reader's colour scheme. Every text is text.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal

from jax_trace_viz.exports.palette import DARK, LIGHT, tone_of
from jax_trace_viz.session.graph.sizes import count_text
from jax_trace_viz.session.graph.text import SMALL_WIDTH, clean, columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jax_trace_viz.contract.view import Box, Edge, Graph
    from jax_trace_viz.exports.palette import Palette

Theme = Literal["auto", "light", "dark"]

_FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_MARGIN, _HEAD = 12.0, 18.0
_PLATE_STEP = 3.0
_LABEL_Y, _LINE, _HEADING_X, _HEADING_Y = 13.5, 11.0, 8.0, 12.5
_ARROW, _ARROW_HALF = 6.0, 3.2
_BOLD = {"font-weight": "600"}
_STROKES = {"bundle": {"stroke-width": "2.5"}, "saved": {"stroke-width": "2", "stroke-dasharray": "6 3"}}
_RADIUS = {"argument": 10, "result": 10}
_GLYPHS = {"argument": "● ", "constant": "◆ "}


def svg(graph: Graph, *, standalone: bool = True, theme: Theme = "auto") -> str:
    """Draws a graph.

    Args:
        graph: The laid out graph.
        standalone: Whether it is a file of its own, with a background, or goes into a page that has one.
        theme: Colours: `auto` follows the reader's colour scheme, where the viewer knows it, and is light elsewhere.
    """
    head = [line for line in (_summary(graph), graph.note) if line]
    top = _HEAD + _LINE * (len(head) - 1)
    left, upper = -_MARGIN, -_MARGIN - top
    width = max([graph.width, *(SMALL_WIDTH * columns(line) for line in head)]) + 2 * _MARGIN
    height = graph.height + top + 2 * _MARGIN
    name = f"Computation graph of {graph.name}"
    drawing = _Drawing(DARK if theme == "dark" else LIGHT)
    inside = [
        _element("title", _escape(name)),
        _element("style", _style_sheet()) if theme == "auto" else "",
        drawing.paper(left, upper, width, height) if standalone else "",
        *(drawing.line(0, upper + _MARGIN + 4 + _LINE * place, line, "quiet") for place, line in enumerate(head)),
        *drawing.parts(graph),
    ]
    root = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": "jtv-picture",
        "role": "img",
        "aria-label": name,
        "viewBox": " ".join(map(_number, (left, upper, width, height))),
        "width": width,
        "height": height,
        "font-family": _FONT,
        "font-size": 11,
    }
    prolog = '<?xml version="1.0" encoding="UTF-8"?>\n' if standalone else ""
    return prolog + _element("svg", "\n".join(["", *filter(None, inside), ""]), root) + "\n"


class _Drawing:
    """Draws the parts of a graph in the colours of one palette."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._inks = {"ink": palette.ink, "quiet": palette.quiet, "variable": palette.variable}

    def paper(self, x: float, y: float, width: float, height: float) -> str:
        """The background."""
        place = {"x": x, "y": y, "width": width, "height": height}
        return _element("rect", "", {"class": "paper", "fill": self._palette.paper, **place})

    def line(self, x: float, y: float, text: str, ink: str, **more: str) -> str:
        """A line of small text."""
        place = {"class": ink, "fill": self._inks[ink], "x": x, "y": y, "font-size": 9}
        return _element("text", _escape(text), place | more)

    def parts(self, graph: Graph) -> Iterator[str]:
        """Frames, lines over them, the frames' headings over these, boxes on top."""
        frames = [box for box in graph.boxes if box.open]
        yield from (self._frame(box) for box in frames)
        yield from (self._edge(edge) for edge in graph.edges)
        yield from (self._heading(box) for box in frames)
        yield '<g text-anchor="middle">'
        yield from (self._box(box) for box in graph.boxes if not box.open)
        yield "</g>"

    def _frame(self, box: Box) -> str:
        tone = tone_of(box)
        look = {"class": f"frame s-{tone}", "fill": self._palette.frame, "stroke": self._palette.tones[tone].stroke}
        return _element("g", _title(box.title) + _rectangles(box, look | {"rx": 6}))

    def _heading(self, box: Box) -> str:
        """An open group's heading, with a halo, so that a line that crosses the border does not strike it through."""
        text = self._name(box) + self._span("ink", _label(box), **_BOLD)
        if box.detail:
            text += self._span("quiet", f"  {box.detail}", **{"font-size": "9"})
        place = {"x": box.x + _HEADING_X, "y": box.y + _HEADING_Y, "xml:space": "preserve"}
        return _element("text", text, place | self._halo("halo", self._palette.frame))

    @staticmethod
    def _halo(class_: str, colour: str) -> dict[str, str]:
        return {
            "class": class_,
            "stroke": colour,
            "stroke-width": "3.5",
            "stroke-linejoin": "round",
            "paint-order": "stroke",
        }

    def _box(self, box: Box) -> str:
        name = tone_of(box)
        tone = self._palette.tones[name]
        look = {
            "class": f"fill-{name} s-{name}",
            "fill": tone.fill,
            "stroke": tone.stroke,
            "rx": _RADIUS.get(box.kind, 3),
        }
        if box.kind == "port":
            look["stroke-dasharray"] = "3 2"
        middle, y = box.x + box.width / 2, box.y + _LABEL_Y
        label = self._name(box) + self._span("ink", _label(box))
        plain = box.kind in ("operation", "port")
        texts = [_element("text", label, {"x": middle, "y": y} | ({} if plain else _BOLD))]
        small = [(box.detail, "quiet")] if box.detail else []
        small += [(note, "variable") for note in box.notes]
        texts += [self.line(middle, y + _LINE * place, text, ink) for place, (text, ink) in enumerate(small, 1)]
        return _element("g", _title(box.title) + _rectangles(box, look) + "".join(texts))

    def _edge(self, edge: Edge) -> str:
        colour, points = self._palette.line, edge.points
        look = {"class": "line", "fill": "none", "stroke": colour, **_STROKES.get(edge.kind, {})}
        path = _element("path", "", look | {"d": _curve(points)})
        tip = _element("path", "", {"class": "tip", "fill": colour, "d": _arrow(points)})
        label = ""
        if edge.label:
            x, y = (points[0] + points[-2]) / 2, (points[1] + points[-1]) / 2 - 5
            label = _element("g", self.line(x, y, edge.label, "ink"), self._halo("glow", self._palette.paper))
            label = _element("g", label, {"text-anchor": "middle"})
        return _element("g", _title(edge.title) + path + tip + label)

    def _name(self, box: Box) -> str:
        return self._span("variable", f"{box.name} = ", **_BOLD) if box.name else ""

    def _span(self, ink: str, text: str, **more: str) -> str:
        return _element("tspan", _escape(text), {"class": ink, "fill": self._inks[ink]} | more)


def _rectangles(box: Box, look: Mapping[str, str | float]) -> str:
    """A box's rectangle, on those of the copies that it stands for."""
    steps = (2 * _PLATE_STEP, _PLATE_STEP, 0.0) if box.repeat > 1 else (0.0,)
    return "".join(
        _element("rect", "", {"x": box.x + step, "y": box.y + step, "width": box.width, "height": box.height, **look})
        for step in steps
    )


def _summary(graph: Graph) -> str:
    boxes = sum(not box.open for box in graph.boxes)
    return f"{graph.name}: {count_text(graph.equations)} in {boxes} box{'es' if boxes != 1 else ''}"


def _label(box: Box) -> str:
    mark = "▸ " if box.kind == "group" and not box.open else _GLYPHS.get(box.kind, "")
    return mark + box.label


def _style_sheet() -> str:
    dark = f"@media (prefers-color-scheme:dark){{{_rules(DARK)}}}"
    return f"{_rules(LIGHT)}{dark}.jtv-picture g:hover>.line{{stroke-width:3}}"


def _rules(palette: Palette) -> str:
    inks = {"ink": palette.ink, "quiet": palette.quiet, "variable": palette.variable, "paper": palette.paper}
    rules = [(f".{name}", "fill", colour) for name, colour in inks.items()]
    rules += [(".line", "stroke", palette.line), (".tip", "fill", palette.line)]
    rules += [(".frame", "fill", palette.frame), (".halo", "stroke", palette.frame), (".glow", "stroke", palette.paper)]
    for name, tone in palette.tones.items():
        rules += [(f".fill-{name}", "fill", tone.fill), (f".s-{name}", "stroke", tone.stroke)]
    return "".join(f".jtv-picture {selector}{{{attribute}:{colour}}}" for selector, attribute, colour in rules)


def _element(name: str, inside: str = "", attributes: Mapping[str, str | float] | None = None) -> str:
    """An element; `inside` is markup already, attributes are not."""
    texts = (
        f' {key}="{_number(value) if isinstance(value, int | float) else _escape(value)}"'
        for key, value in (attributes or {}).items()
    )
    start = f"<{name}{''.join(texts)}"
    return f"{start}>{inside}</{name}>" if inside else f"{start}/>"


def _escape(text: str) -> str:
    return escape(clean(text))


def _title(text: str) -> str:
    return _element("title", _escape(text)) if text else ""


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
