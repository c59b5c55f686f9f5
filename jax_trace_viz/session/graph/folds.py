"""What a line that stands for several is made of: each value with its name, who makes it and who uses it."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.contract.picture import EdgeValue
from jax_trace_viz.session.graph.census import LARGEST
from jax_trace_viz.session.graph.keypaths import without_params
from jax_trace_viz.session.graph.labels import equation_label, series
from jax_trace_viz.session.graph.names import value_name
from jax_trace_viz.session.graph.sizes import type_bytes
from jax_trace_viz.session.graph.text import cut
from jax_trace_viz.session.wording import bytes_text, count_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jax_trace_viz.session.graph.scene import Line, Scene, Value
    from jax_trace_viz.session.graph.tree import Node

_NAME, _OPERATION = 90, 34
_TOLD = 5
"""So many rows stand in a tooltip."""
_NUMBER = re.compile(r"\d+")


class _Alike(NamedTuple):
    """What values have in common that are told once."""

    source: Node
    type: str
    name: str
    """Of key paths with one number that differs, all but that number."""
    operation: str
    targets: tuple[Node, ...]


def edge_values(scene: Scene, line: Line, places: Mapping[Node, int]) -> tuple[EdgeValue, ...]:
    """The values that a line stands for, the largest first.

    Args:
        scene: The picture.
        line: A bundle, or what a forward pass saves for its backward pass.
        places: Where each node stands in the graph's boxes.
    """
    names: defaultdict[_Alike, list[str]] = defaultdict(list)
    for alike, name in _values(scene, line):
        names[alike].append(name)
    told = (_told(alike, names, places) for alike, names in names.items())
    return tuple(sorted(told, key=lambda value: -value.bytes))


def fold_title(line: Line, values: Sequence[EdgeValue], labels: Sequence[str]) -> str:
    """What the tooltip of such a line says: how many values, of what size, and the largest of them.

    Args:
        line: The line.
        values: What it stands for.
        labels: What each of the graph's boxes says.
    """
    size = bytes_text(sum(value.bytes for value in values))
    one, other = line.source.label, line.target.label
    head = f"{one}: forward pass → backward pass" if line.saved and one == other else f"{one} → {other}"
    why = ", kept by the forward pass for the backward pass" if line.saved else ""
    rows = [_row(value, labels[value.source]) for value in values[:_TOLD]]
    left = sum(value.count for value in values[_TOLD:])
    return "\n".join([head, f"{count_text(len(line.values), 'value')}, {size}{why}:", *rows, *_more(left)])


def _row(value: EdgeValue, source: str) -> str:
    made = value.name or (f"{value.operation} in {source}" if value.operation else source)
    return f"{made}: {value.type}" + (f" ×{value.count:,}" if value.count > 1 else "")


def _more(left: int) -> list[str]:
    return [f"and {left:,} more"] if left else []


def _told(alike: _Alike, names: list[str], places: Mapping[Node, int]) -> EdgeValue:
    return EdgeValue(
        type=alike.type,
        source=places[alike.source],
        targets=tuple(places[target] for target in alike.targets),
        name=cut(series(names, len(names)), _NAME),
        operation=cut(alike.operation, _OPERATION),
        count=len(names),
        bytes=min(type_bytes(alike.type) * len(names), LARGEST),
    )


def _values(scene: Scene, line: Line) -> Iterator[tuple[_Alike, str]]:
    """Each value once with its name, however many boxes use it."""
    uses: defaultdict[tuple[Node, Value], list[Node]] = defaultdict(list)
    told: dict[tuple[Node, Value], tuple[str, str]] = {}
    for one in line.inner:
        # Either all that comes from a box has a path, or it is not known which has.
        paths = one.paths if len(one.paths) == len(one.values) else [""] * len(one.values)
        for (value, type_), path in zip(one.values.items(), paths, strict=True):
            uses[one.source, value].append(one.target)
            told[one.source, value] = type_, without_params(path)
    for (source, value), targets in uses.items():
        type_, path = told[source, value]
        name, operation = (path, "") if path else _made(scene, source, value)
        alike = _Alike(source, type_, _NUMBER.sub("#", name, count=1), operation, tuple(dict.fromkeys(targets)))
        yield alike, name


def _made(scene: Scene, source: Node, value: Value) -> tuple[str, str]:
    """The user's variable that receives a value, and the operation that makes it if the box does not say that."""
    producer = scene.producer(value)
    if producer is None:
        return "", ""
    level, place, variable = producer
    name = level.program.once(("value", level.key, variable), lambda: value_name(level, place, variable))
    return name, "" if source.leaf else equation_label(level.program, level.equations[place])
