"""A computation graph in DOT, the language of Graphviz: the same boxes and groups, for other tools to lay out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.exports.palette import LIGHT, tone_of
from jax_trace_viz.session.graph.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.picture import Box, Graph, Link

_STYLES = {"saved": "dashed", "carried": "dotted"}


def text(graph: Graph) -> str:
    """The graph's source. Every link between boxes is an edge, also where the picture says it in words.

    Args:
        graph: The graph; its positions are not used.
    """
    numbers = {box.id: place for place, box in enumerate(graph.boxes)}
    lines = [
        f"digraph {_quoted(graph.name)} {{",
        '  graph [compound=true, fontname="monospace", fontsize=11, labeljust=l]',
        '  node [shape=box, style="filled,rounded", fontname="monospace", fontsize=11]',
        '  edge [fontname="monospace", fontsize=9, color="#767d89"]',
        *_inside(graph, None, numbers, "  "),
        *(f"  {_edge(link)}" for link in graph.links),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _inside(graph: Graph, parent: str | None, numbers: dict[str, int], indent: str) -> Iterator[str]:
    """The boxes directly in a group, and the groups in it."""
    for box in graph.boxes:
        if box.parent != parent:
            continue
        tone, number = LIGHT.tones[tone_of(box)], numbers[box.id]
        look = f'color="{tone.stroke}", tooltip={_quoted(box.title)}'
        if box.open:
            label = _quoted(f"{_label(box)}  {box.detail}".strip())
            yield f"{indent}subgraph cluster_{number} {{"
            yield f"{indent}  graph [label={label}, {look}]"
            yield from _inside(graph, box.id, numbers, f"{indent}  ")
            yield f"{indent}}}"
        else:
            label = _quoted("\n".join(filter(None, [_label(box), box.detail, *box.notes])))
            yield f'{indent}n{number} [label={label}, fillcolor="{tone.fill}", {look}]'


def _edge(link: Link) -> str:
    style = f", style={_STYLES[link.kind]}" if link.kind in _STYLES else ""
    # What goes to the next copy of a plate goes back up to the one copy that is drawn.
    free = ", constraint=false" if link.kind == "carried" else ""
    return f"n{link.source} -> n{link.target} [tooltip={_quoted(link.type)}{style}{free}]"


def _label(box: Box) -> str:
    return f"{box.name} = {box.label}" if box.name else box.label


def _quoted(words: str) -> str:
    """A quoted string. Backslashes are doubled, since Graphviz would take them for escapes; lines end as in a label."""
    escaped = clean(words).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n") + '"'
