"""The SVG of a graph: parses anywhere, runs nothing, reads in light and dark."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from jax_trace_viz.contract.overlay import BoxChanges, BoxKernels, Changes, KernelNote, Overlay
from jax_trace_viz.contract.picture import Box, Edge, Graph
from jax_trace_viz.exports.palette import DARK, LIGHT, Palette
from jax_trace_viz.exports.svg import side_by_side, svg

SVG = "{http://www.w3.org/2000/svg}"


def box(label: str = "add", **more: object) -> Box:
    known = {
        "id": label,
        "kind": "operation",
        "detail": "f32[2]",
        "title": label,
        "x": 0,
        "y": 0,
        "width": 40,
        "height": 30,
    }
    return Box(label=label, **known | more)  # type: ignore[arg-type]


def edge(**more: object) -> Edge:
    known = {
        "id": "e",
        "source": "a",
        "target": "b",
        "kind": "value",
        "title": "f32[2]",
        "points": [0, 0, 0, 5, 5, 5, 5, 10],
    }
    return Edge(**known | more)  # type: ignore[arg-type]


def graph(*boxes: Box, edges: tuple[Edge, ...] = (), **more: object) -> Graph:
    known = {"trace": "f1#1", "name": "f", "width": 100, "height": 50, "equations": 3}
    return Graph(boxes=list(boxes), edges=list(edges), **known | more)  # type: ignore[arg-type]


def texts(root: ET.Element) -> list[str]:
    """Everything that stands in the picture, as it is read out."""
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def test_every_box_has_its_texts_and_a_title() -> None:
    drawn = svg(
        graph(box("mul", name="y", notes=["← params['w']"]), box("layer", kind="group", repeat=3), edges=(edge(),))
    )
    root = ET.fromstring(drawn)
    assert {"y = mul", "▸ layer", "f32[2]", "← params['w']"} <= set(texts(root))
    titles = [element.text for element in root.iter(f"{SVG}title")]
    assert titles[0] == "Computation graph of f"
    assert {"mul", "layer", "f32[2]"} <= set(titles)
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Computation graph of f"


def test_kinds_are_told_apart_without_colour() -> None:
    kinds = ["argument", "result", "constant", "port", "operation", "group"]
    drawn = svg(graph(*(box(kind, kind=kind) for kind in kinds)))
    root = ET.fromstring(drawn)
    assert {"● argument", "◆ constant", "▸ group", "operation"} <= set(texts(root))
    rounded = [rect.get("rx") for rect in root.iter(f"{SVG}rect") if rect.get("class", "").startswith("fill-")]
    assert rounded == ["10", "10", "3", "3", "3", "3"]
    assert drawn.count('stroke-dasharray="3 2"') == 1, "ports"


def test_a_plate_shows_its_copies_behind_it() -> None:
    root = ET.fromstring(svg(graph(box("layer", kind="group", repeat=4))))
    places = [(rect.get("x"), rect.get("y")) for rect in root.iter(f"{SVG}rect") if "fill-" in rect.get("class", "")]
    assert places == [("6", "6"), ("3", "3"), ("0", "0")]


def test_headings_lie_over_edges_and_boxes_over_both() -> None:
    drawn = svg(graph(box("frame", kind="group", open=True), box("inner", parent="frame"), edges=(edge(),)))
    order = [drawn.index(text) for text in ('class="frame', 'class="line"', 'class="halo"', ">inner<")]
    assert order == sorted(order)


def test_saved_values_are_said_on_their_line() -> None:
    drawn = svg(graph(edges=(edge(kind="saved", label="12 values saved"),)))
    assert "12 values saved" in texts(ET.fromstring(drawn))
    assert 'stroke-dasharray="6 3"' in drawn


def test_notes_of_the_graph_are_shown() -> None:
    drawn = svg(graph(note="7 equations beyond the recording cap are not shown."))
    assert texts(ET.fromstring(drawn))[1].startswith("7 equations beyond")


HOSTILE = [
    "</svg><script>alert(1)</script>",
    "<lambda>",
    "a\x00b\x1b[31m",
    "\u202eevil\u2066",
    "\ud800",
    "]]><!--",
    "&amp;\"'",
    "x" * 10_000,
    "javascript:alert(1)",
    "url(#x)",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_text(text: str) -> None:
    one = box(text, detail=text, title=text, name=text, notes=[text])
    drawn = svg(
        graph(
            one,
            box("g", kind="group", open=True, title=text),
            edges=(edge(title=text, label=text),),
            name=text,
            note=text,
        )
    )
    root = ET.fromstring(drawn)
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {"svg", "title", "style", "rect", "path", "text", "tspan", "g"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not any(name.startswith("on") or "href" in name for name in attributes)
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", drawn)
    drawn.encode()


def test_nothing_comes_from_outside() -> None:
    drawn = svg(graph(box(), edges=(edge(),)))
    assert re.findall(r"https?://[^\"]+", drawn) == ["http://www.w3.org/2000/svg"]
    assert "url(" not in drawn
    assert "@import" not in drawn


def test_a_file_has_a_background() -> None:
    assert svg(graph()).startswith("<?xml")
    assert 'class="paper"' in svg(graph())


def test_it_is_light_and_follows_the_readers_colour_scheme() -> None:
    light, rules, dark = svg(graph(box())).partition("prefers-color-scheme:dark")
    assert rules
    assert LIGHT.tones["plain"].fill in light
    assert f'fill="{LIGHT.tones["plain"].fill}"' in dark, "colours stand without CSS too"
    assert DARK.tones["plain"].fill in dark
    assert f'fill="{DARK.tones["plain"].fill}"' not in dark


def test_rules_do_not_reach_beyond_the_picture() -> None:
    style = re.search("<style>(.*)</style>", svg(graph()))
    assert style is not None
    rules = re.sub(r"@media[^{]*{", "", style[1])
    selectors = re.findall(r"([^{}]+){", rules)
    assert selectors
    assert all(selector.startswith(".jtv-picture ") for selector in selectors)


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(palette: Palette) -> None:
    fills = [palette.paper, palette.frame, *(tone.fill for tone in palette.tones.values())]
    for ink in (palette.ink, palette.quiet, palette.variable):
        for fill in fills:
            assert contrast(ink, fill) >= 4.5, (ink, fill)
    for ground in (palette.paper, palette.frame):
        assert contrast(palette.line, ground) >= 3
        for name, tone in palette.tones.items():
            assert contrast(tone.stroke, ground) >= 3, name


def lit() -> Graph:
    """Two boxes, of which XLA put one into two kernels, and one nowhere."""
    overlay = Overlay(
        compilation="c1",
        summary="3 equations → 2 kernels",
        kernels=[
            KernelNote(number=1, name="fusion.</svg>", what="fusion of tanh, add", equations=1, alike=2, bytes=2048),
            KernelNote(number=2, name="dot.1", what="dot", equations=1),
        ],
        boxes=[BoxKernels(kernels=[1, 0], placed=2, title="in kernels 2 dot.1, 1 fusion"), BoxKernels(unknown=1)],
        flops=1500.0,
    )
    return graph(box("h"), box("mul"), overlay=overlay)


def test_kernels_are_told_by_number_and_colour() -> None:
    root = ET.fromstring(svg(lit()))
    assert {"2, 1", "–", "XLA: 3 equations → 2 kernels, 1,500 flops"} <= set(texts(root))
    assert "1 fusion.</svg>: fusion of tanh, add (1 equation and perhaps 2 more, 2.05 kB in and out)" in texts(root)
    assert "2 dot.1: dot (1 equation, 0 B in and out)" in texts(root)
    titles = [element.text for element in root.iter(f"{SVG}title")]
    assert "h\nin kernels 2 dot.1, 1 fusion" in titles
    fills = [element.get("class") for element in root.iter(f"{SVG}rect")]
    assert "fill-kernel-1 s-kernel-1" in fills


def test_kernels_that_are_not_told_are_counted() -> None:
    plain = lit()
    assert plain.overlay is not None
    many = replace(plain.overlay.boxes[0], more=10)
    overlay = replace(plain.overlay, boxes=[many, plain.overlay.boxes[1]], holding=20)
    found = texts(ET.fromstring(svg(replace(plain, overlay=overlay))))
    assert {"2, 1 +10", "and 4 more kernels with fewer equations"} <= set(found)


def test_colours_that_are_not_used_are_not_defined() -> None:
    assert "kernel-" not in svg(graph(box()))
    assert "fill-kernel-7" in svg(lit())


def test_two_traces_stand_side_by_side() -> None:
    boxes = [BoxChanges(only=2, changed=1), BoxChanges(resized=1, same=4)]
    before = graph(box("h"), box("mul"), changes=Changes(other="f1#2", later=False, boxes=boxes))
    after = graph(box("h"), box("mul"), trace="f1#2", changes=Changes(other="f1#1", later=True, boxes=boxes))
    root = ET.fromstring(side_by_side(before, after))
    left, right = root.findall(f"{SVG}svg")
    assert float(right.get("x", 0)) >= float(left.get("width", 0)) > 0
    assert float(root.get("width", 0)) == float(left.get("width", 0)) + float(right.get("width", 0))
    assert {"−2 ~1", "≠1", "− removed: not in the later trace f #2"} <= set(texts(left))
    assert {"+2 ~1", "≠1", "+ added: not in the earlier trace f #1"} <= set(texts(right))
    assert "h\n2 added, 1 changed" in [element.text for element in right.iter(f"{SVG}title")]
