"""Saying in words what lines would only clutter: fans at a frame's border, long ways, carried values."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.keypaths import common
from jax_trace_viz.session.graph.nesting import chain, meeting
from jax_trace_viz.session.graph.scene import Line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax_trace_viz.session.graph.scene import Scene
    from jax_trace_viz.session.graph.tree import Node

_ENDS = ("argument", "constant")
_FAN = 3
_FEW_BOXES = 30
_STUB_SHARE = 0.2
_FAR = 4
_MANY_USES = 3
_NOTES = 4
_TYPES = 4


def join_saved(scene: Scene) -> None:
    """What a forward pass keeps for the backward pass beside it becomes one line."""
    mates = {node: node.mate for node in [*scene.frames, *scene.boxes] if node.mate is not None}
    saved: defaultdict[tuple[Node, Node], list[Line]] = defaultdict(list)
    kept: list[Line] = []
    for line in scene.lines:
        _, source, target = meeting(line.source, line.target)
        if mates.get(source) is not target or line.carried:
            kept.append(line)
            continue
        saved[source, target].append(line)
    scene.lines = kept + [_joined(*ends, lines, saved=True) for ends, lines in saved.items()]


def bundle(scene: Scene) -> None:
    """Lines that fan out from an argument into a frame, or from a backward pass into a box, become one at the border.

    The inner boxes say what they get, by its exact key path.
    """
    if len(scene.boxes) < _FEW_BOXES:
        return
    fans: defaultdict[tuple[Node, Node], list[Line]] = defaultdict(list)
    for line in scene.lines:
        if line.carried or line.saved:
            continue
        _, source, target = meeting(line.source, line.target)
        if line.source.kind in _ENDS and target.open:
            fans[line.source, target].append(line)
        elif source.open and source.phase == "backward" and target.phase != "backward":
            fans[source, line.target].append(line)
    bundled: set[int] = set()
    for (source, target), lines in fans.items():
        if len(lines) >= _FAN:
            bundled.update(map(id, lines))
            scene.lines.append(_joined(source, target, lines))
    scene.lines = [line for line in scene.lines if id(line) not in bundled]


def _joined(source: Node, target: Node, lines: list[Line], *, saved: bool = False) -> Line:
    """One line for several."""
    joined = Line(source, target, inner=tuple(lines), saved=saved)
    for line in lines:
        joined.values |= line.values
    if not saved:
        joined.paths = tuple(path for line in lines for path in line.paths)
    return joined


def choose_stubs(scene: Scene, ranks: Mapping[Node, int]) -> None:
    """The lines that clutter most, by rows crossed and other uses of their source, become words: at most a fifth."""
    if len(scene.boxes) < _FEW_BOXES:
        return
    live = [line for line in scene.lines if not line.carried and not line.saved]
    uses = Counter(line.source for line in scene.lines)
    candidates: list[tuple[int, int, Line]] = []
    for place, line in enumerate(live):
        _, source, target = meeting(line.source, line.target)
        rows = ranks[target] - ranks[source]
        end = line.source.kind in _ENDS
        if rows >= _FAR or (end and uses[line.source] > _MANY_USES and rows > 1):
            depth = len(chain(line.source)) + len(chain(line.target)) - 2 * len(chain(target))
            candidates.append((-(rows + depth) * (1 + end) * min(uses[line.source], 12), place, line))
    for _, _, line in sorted(candidates, key=lambda candidate: candidate[:2])[: int(_STUB_SHARE * len(live))]:
        line.stub = True


def write_notes(scene: Scene) -> None:
    """What boxes say about the lines that are not drawn."""
    notes: defaultdict[Node, list[str]] = defaultdict(list)
    hidden: Counter[Node] = Counter()
    for line in scene.lines:
        if line.carried:
            notes[line.target].append("↻ from the copy before")
        elif line.inner and not line.saved:
            _note_bundle(line, notes)
        elif line.stub or _is_part(line):
            notes[line.target].append(f"← {_what(line)}")
        if line.stub:
            hidden[line.source] += len(line.inner) or 1
    for node, count in hidden.items():
        notes[node].append(f"→ {count} more use{'s' if count > 1 else ''}")
    for node, texts in notes.items():
        distinct = list(dict.fromkeys(texts))
        room = _NOTES - len(node.notes)
        more = len(distinct) - room
        node.notes += tuple(distinct) if more <= 0 else (*distinct[: room - 1], f"+{more + 1} more")


def _note_bundle(line: Line, notes: defaultdict[Node, list[str]]) -> None:
    """What the boxes inside get or give by a bundle, which ends at the border of their frame."""
    for inner in line.inner:
        if inner.source.kind not in _ENDS:
            notes[inner.source].append(f"→ {meeting(inner.source, inner.target)[2].label}")
        if inner.source.kind in _ENDS or line.stub:
            notes[inner.target].append(f"← {_what(inner)}")


def _is_part(line: Line) -> bool:
    """Whether a line carries something of an argument, or some of several constants that have one box."""
    if line.source.kind == "argument":
        return any(sign in path for path in line.paths[:1] for sign in "[.")
    return line.source.kind == "constant" and bool(line.paths) and _what(line) != line.source.label


def _what(line: Line) -> str:
    return common(line.paths) if line.paths else line.source.name or line.source.label


def line_title(line: Line) -> str:
    """What a line's tooltip says."""
    counts = Counter(line.values.values())
    types = ", ".join(text + (f" ×{count}" if count > 1 else "") for text, count in list(counts.items())[:_TYPES])
    more = f" and {len(counts) - _TYPES} more types" if len(counts) > _TYPES else ""
    what = f"{common(line.paths)}: " if line.paths else ""
    return f"{line.source.label} → {line.target.label}\n{what}{types}{more}"
