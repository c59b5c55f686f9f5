"""A computation graph as one SVG file: no script, nothing from outside, readable in light and dark and without CSS.

Colours stand in presentation attributes, for viewers that know no style sheets; a style sheet on top follows the
reader's colour scheme. Every text is text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.exports.box_marks import NOTHING, Entry, legend, marks
from jax_trace_viz.exports.markup import arrow, curve, element, escaped, number, title
from jax_trace_viz.exports.palette import DARK, KERNEL_TONES, LIGHT, tone_of
from jax_trace_viz.session.graph.text import SMALL_WIDTH, columns
from jax_trace_viz.session.wording import count_text, trace_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jax_trace_viz.contract.picture import Box, Edge, Graph
    from jax_trace_viz.exports.box_marks import Mark
    from jax_trace_viz.exports.palette import Palette

_NAMESPACE = "http://www.w3.org/2000/svg"
_PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n'
_FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_MARGIN, _HEAD = 12.0, 18.0
_PLATE_STEP = 3.0
_SWATCH = 13.0
_LABEL_Y, _LINE, _HEADING_X, _HEADING_Y = 13.5, 11.0, 8.0, 12.5
_BOLD = {"font-weight": "600"}
_STROKES = {"bundle": {"stroke-width": "2.5"}, "saved": {"stroke-width": "2", "stroke-dasharray": "6 3"}}
_RADIUS = {"argument": 10, "result": 10}
_GLYPHS = {"argument": "● ", "constant": "◆ "}


def svg(graph: Graph) -> str:
    """Draws a laid out graph as a file of its own."""
    return f"{_PROLOG}{_Sheet(graph).drawn()}\n"


def side_by_side(before: Graph, after: Graph) -> str:
    """Draws two graphs beside each other, as one file of its own."""
    left, right = _Sheet(before), _Sheet(after)
    width, height = left.width + right.width, max(left.height, right.height)
    traces = (trace_name(graph.name, graph.trace) for graph in (before, after))
    name = f"Computation graphs of {before.name}: {' and '.join(traces)}"
    root = {
        "xmlns": _NAMESPACE,
        "role": "img",
        "aria-label": name,
        "viewBox": " ".join(map(number, (0, 0, width, height))),
        "width": width,
        "height": height,
    }
    return _PROLOG + element("svg", "\n".join([title(name), left.drawn(), right.drawn(beside=left)]), root) + "\n"


class _Sheet:
    """One graph with the lines above it."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        marked = {box.id: mark for box, mark in zip(graph.boxes, marks(graph), strict=False)}
        self._drawing = _Drawing(marked)
        notes = [Entry("", line) for line in (_summary(graph), graph.note) if line]
        self._head = [*notes, *legend(graph)]
        self._top = _HEAD + _LINE * (len(self._head) - 1)
        widths = [SMALL_WIDTH * columns(text) + bool(tone) * _SWATCH for tone, text in self._head]
        self.width = max([graph.width, *widths]) + 2 * _MARGIN
        self.height = graph.height + self._top + 2 * _MARGIN

    def drawn(self, *, beside: _Sheet | None = None) -> str:
        """The sheet as an `svg` element; beside another one, at its right, it shares that one's style sheet."""
        left, upper = -_MARGIN, -_MARGIN - self._top
        name, drawing = f"Computation graph of {self._graph.name}", self._drawing
        inside = [
            element("title", escaped(name)),
            "" if beside else element("style", _style_sheet(drawing.tones)),
            drawing.paper(left, upper, self.width, self.height),
            *(drawing.entry(upper + _MARGIN + 4 + _LINE * place, entry) for place, entry in enumerate(self._head)),
            *drawing.parts(self._graph),
        ]
        root = {
            "xmlns": _NAMESPACE,
            "class": "jtv-picture",
            "role": "img",
            "aria-label": name,
            "viewBox": " ".join(map(number, (left, upper, self.width, self.height))),
            "width": self.width,
            "height": self.height,
            "font-family": _FONT,
            "font-size": 11,
        }
        place = {"x": beside.width} if beside else {}
        return element("svg", "\n".join(["", *filter(None, inside), ""]), root | place)


class _Drawing:
    """Draws the parts of a graph in light colours, which the style sheet overrides where the reader's are dark."""

    def __init__(self, marks: Mapping[str, Mark]) -> None:
        self._marks = marks
        marked = {f"kernel-{place}" for place in range(KERNEL_TONES)} | {"added", "removed", "changed"}
        self.tones = [name for name in LIGHT.tones if marks or name not in marked]
        self._inks = {"ink": LIGHT.ink, "quiet": LIGHT.quiet, "variable": LIGHT.variable}

    def paper(self, x: float, y: float, width: float, height: float) -> str:
        """The background."""
        place = {"x": x, "y": y, "width": width, "height": height}
        return element("rect", "", {"class": "paper", "fill": LIGHT.paper, **place})

    def line(self, x: float, y: float, text: str, ink: str, **more: str) -> str:
        """A line of small text."""
        place = {"class": ink, "fill": self._inks[ink], "x": x, "y": y, "font-size": 9}
        return element("text", escaped(text), place | more)

    def entry(self, y: float, entry: Entry) -> str:
        """A line above the picture, with the colour that it explains."""
        if not entry.tone:
            return self.line(0, y, entry.text, "quiet")
        tone = LIGHT.tones[entry.tone]
        look = {"class": f"fill-{entry.tone} s-{entry.tone}", "fill": tone.fill, "stroke": tone.stroke, "rx": 2}
        swatch = element("rect", "", {"x": 0.5, "y": y - 7.5, "width": 8, "height": 8, **look})
        return swatch + self.line(_SWATCH, y, entry.text, "ink")

    def parts(self, graph: Graph) -> Iterator[str]:
        """Frames, lines over them, the frames' headings over these, boxes on top."""
        frames = [box for box in graph.boxes if box.open]
        yield from (self._frame(box) for box in frames)
        yield from (self._edge(edge) for edge in graph.edges)
        yield from (self._heading(box) for box in frames)
        yield '<g text-anchor="middle">'
        yield from (self._box(box) for box in graph.boxes if not box.open)
        yield "</g>"

    def _mark(self, box: Box) -> Mark:
        return self._marks.get(box.id, NOTHING)

    def _titled(self, box: Box) -> str:
        return title("\n".join(filter(None, [box.title, self._mark(box).title])))

    def _badge(self, box: Box) -> str:
        """What the mark says in a few characters, on the upper border at the right."""
        mark = self._mark(box)
        if not mark.badge or box.open:
            return ""
        tone, width = LIGHT.tones[mark.tone], SMALL_WIDTH * columns(mark.badge) + 6
        look = {"class": f"fill-{mark.tone} s-{mark.tone}", "fill": tone.fill, "stroke": tone.stroke, "rx": 4}
        x, y = box.x + box.width - width + 5, box.y - 9
        rectangle = element("rect", "", {"x": x, "y": y, "width": width, "height": 11, **look})
        return rectangle + self.line(x + width / 2, y + 8.5, mark.badge, "ink")

    def _frame(self, box: Box) -> str:
        tone = tone_of(box)
        look = {"class": f"frame s-{tone}", "fill": LIGHT.frame, "stroke": LIGHT.tones[tone].stroke}
        return element("g", self._titled(box) + _rectangles(box, look | {"rx": 6}))

    def _heading(self, box: Box) -> str:
        """An open group's heading, with a halo, so that a line that crosses the border does not strike it through."""
        text = self._name(box) + self._span("ink", _label(box), **_BOLD)
        if box.detail:
            text += self._span("quiet", f"  {box.detail}", **{"font-size": "9"})
        place = {"x": box.x + _HEADING_X + box.heading, "y": box.y + _HEADING_Y, "xml:space": "preserve"}
        return element("text", text, place | self._halo("halo", LIGHT.frame))

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
        mark = self._mark(box)
        name = mark.tone or tone_of(box)
        tone = LIGHT.tones[name]
        look = {
            "class": f"fill-{name} s-{name}",
            "fill": tone.fill,
            "stroke": tone.stroke,
            "rx": _RADIUS.get(box.kind, 3),
        }
        if box.kind == "port" or mark.dashed:
            look["stroke-dasharray"] = "3 2"
        middle, y = box.x + box.width / 2, box.y + _LABEL_Y
        label = self._name(box) + self._span("ink", _label(box))
        plain = box.kind in ("operation", "port")
        texts = [element("text", label, {"x": middle, "y": y} | ({} if plain else _BOLD))]
        small = [(box.detail, "quiet")] if box.detail else []
        small += [(note, "variable") for note in box.notes]
        texts += [self.line(middle, y + _LINE * place, text, ink) for place, (text, ink) in enumerate(small, 1)]
        return element("g", self._titled(box) + _rectangles(box, look) + "".join(texts) + self._badge(box))

    def _edge(self, edge: Edge) -> str:
        colour, points = LIGHT.line, edge.points
        look = {"class": "line", "fill": "none", "stroke": colour, **_STROKES.get(edge.kind, {})}
        path = element("path", "", look | {"d": curve(points)})
        tip = element("path", "", {"class": "tip", "fill": colour, "d": arrow(points)})
        label = ""
        if edge.label:
            x, y = (points[0] + points[-2]) / 2, (points[1] + points[-1]) / 2 - 5
            label = element("g", self.line(x, y, edge.label, "ink"), self._halo("glow", LIGHT.paper))
            label = element("g", label, {"text-anchor": "middle"})
        return element("g", title(edge.title) + path + tip + label)

    def _name(self, box: Box) -> str:
        return self._span("variable", f"{box.name} = ", **_BOLD) if box.name else ""

    def _span(self, ink: str, text: str, **more: str) -> str:
        return element("tspan", escaped(text), {"class": ink, "fill": self._inks[ink]} | more)


def _rectangles(box: Box, look: Mapping[str, str | float]) -> str:
    """A box's rectangle, on those of the copies that it stands for."""
    steps = (2 * _PLATE_STEP, _PLATE_STEP, 0.0) if box.repeat > 1 else (0.0,)
    return "".join(
        element("rect", "", {"x": box.x + step, "y": box.y + step, "width": box.width, "height": box.height, **look})
        for step in steps
    )


def _summary(graph: Graph) -> str:
    boxes = sum(not box.open for box in graph.boxes)
    return f"{graph.name}: {count_text(graph.equations, 'equation')} in {boxes} box{'es' if boxes != 1 else ''}"


def _label(box: Box) -> str:
    mark = "▸ " if box.kind == "group" and not box.open else _GLYPHS.get(box.kind, "")
    return mark + box.label


def _style_sheet(tones: Sequence[str]) -> str:
    dark = f"@media (prefers-color-scheme:dark){{{_rules(DARK, tones)}}}"
    return f"{_rules(LIGHT, tones)}{dark}.jtv-picture g:hover>.line{{stroke-width:3}}"


def _rules(palette: Palette, tones: Sequence[str]) -> str:
    inks = {"ink": palette.ink, "quiet": palette.quiet, "variable": palette.variable, "paper": palette.paper}
    rules = [(f".{name}", "fill", colour) for name, colour in inks.items()]
    rules += [(".line", "stroke", palette.line), (".tip", "fill", palette.line)]
    rules += [(".frame", "fill", palette.frame), (".halo", "stroke", palette.frame), (".glow", "stroke", palette.paper)]
    for name in tones:
        tone = palette.tones[name]
        rules += [(f".fill-{name}", "fill", tone.fill), (f".s-{name}", "stroke", tone.stroke)]
    return "".join(f".jtv-picture {selector}{{{attribute}:{colour}}}" for selector, attribute, colour in rules)
