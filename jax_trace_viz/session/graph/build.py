"""The computation graph of one trace, as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.contract.jaxpr import Jaxpr
from jax_trace_viz.session.graph.ends import argument_nodes, constant_nodes, result_nodes
from jax_trace_viz.session.graph.layout.engines import lay_out
from jax_trace_viz.session.graph.opening import Opener, expand, open_asked, open_deep
from jax_trace_viz.session.graph.options import GraphOptions
from jax_trace_viz.session.graph.picture import Sketch
from jax_trace_viz.session.graph.records import program_of
from jax_trace_viz.session.graph.scene import Weaver
from jax_trace_viz.session.graph.tidying import merge_single
from jax_trace_viz.session.graph.tree import Level, Node
from jax_trace_viz.session.graph.unused import mark_unused
from jax_trace_viz.session.graph.wishes import parse_wishes
from jax_trace_viz.session.graph.words import bundle, choose_stubs, join_saved, write_notes
from jax_trace_viz.session.reasons.why_traced import UNCACHED
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Function, Trace
    from jax_trace_viz.contract.picture import Graph
    from jax_trace_viz.session.graph.records import Program, Recorded
    from jax_trace_viz.session.graph.wishes import Wishes

DEFAULTS = GraphOptions()


def build_graph(recorded: Recorded, trace: str, options: GraphOptions = DEFAULTS) -> Graph:
    """Draws the jaxpr of a trace: nested jaxprs, scopes and calls as groups, open as far as makes a readable picture.

    Args and errors are those of `draw`.
    """
    return draw(recorded, trace, options).graph


@dataclass(frozen=True, slots=True)
class Drawn:
    """A graph, and the tree that it was cut from."""

    graph: Graph
    root: Node
    nodes: list[Node]
    """What is drawn, in the order of the graph's boxes."""


def draw(recorded: Recorded, trace: str, options: GraphOptions = DEFAULTS) -> Drawn:
    """As `build_graph`, with what it takes to say more of each box.

    Args:
        recorded: A session or document. A trace that failed or still runs is drawn as far as it is recorded.
        trace: The trace's id.
        options: What to draw of it, and how.

    Raises:
        KeyError: There is no such trace.
        ValueError: There is no such engine.
        TooManyBoxesError: A `ValueError`: the depth asked for gives more boxes than can be drawn.
    """
    record, function = find_trace(recorded, trace)
    growing = options.online is not None
    wishes = parse_wishes(options.open_boxes, options.depth, growing=growing)
    root, paths = grow(program_of(recorded), record, function, wishes, options.budget)
    sketch = _sketch(root, paths)
    diagram = sketch.diagram()
    placement, note = lay_out(diagram, options.engine) if options.online is None else (options.online(diagram), "")
    note = " ".join(filter(None, [_left_out(record, root), note]))
    name = function.name if function else trace
    return Drawn(sketch.graph(placement, trace, name, note, steady=growing), root, sketch.nodes)


def find_trace(recorded: Recorded, trace: str) -> tuple[Trace, Function | None]:
    """A trace and its function.

    Raises:
        KeyError: There is no such trace.
    """
    record = next((one for one in recorded.traces if one.id == trace), None)
    if record is None:
        raise KeyError(trace)
    return record, next((one for one in recorded.functions if one.id == record.function), None)


def grow(
    program: Program, trace: Trace, function: Function | None, wishes: Wishes, budget: int
) -> tuple[Node, dict[int, str]]:
    """The tree with what is open marked, the arguments' key paths and the constants' names, by variable."""
    jaxpr = program.jaxprs.get(trace.jaxpr or "") or _without_equations(trace)
    level = Level(program, jaxpr, growing=wishes.growing)
    size = len(level.equations)
    root = Node("root", function.name if function else "", level=level, stop=size, weight=level.weight(0, size))
    arguments, paths = argument_nodes(level, trace)
    constants, names = constant_nodes(level, trace.constants)
    results = result_nodes(level, function)
    if wishes.depth is None:
        Opener(budget - len(arguments) - len(constants) - len(results), wishes).open(root)
    else:
        open_deep(root, wishes)
    open_asked(root, wishes)
    for word, nodes in (("in", arguments), ("const", constants), ("out", results)):
        for place, node in enumerate(nodes):
            node.id, node.parent = f"{word}/{place}", root
    root.children = (*arguments, *constants, *expand(root), *results)
    if not wishes.growing:
        merge_single(root)
    return root, paths | names


def _sketch(root: Node, paths: dict[int, str]) -> Sketch:
    scene = Weaver(root, paths).weave()
    join_saved(scene)
    bundle(scene)
    sketch = Sketch(scene)
    choose_stubs(scene, sketch.rows())
    mark_unused(scene)
    write_notes(scene)
    return sketch


def _without_equations(trace: Trace) -> Jaxpr:
    """A trace that ended before its first equation, or has no jaxpr of its own, still has arguments."""
    traced = [argument for argument in trace.arguments if argument.role != "static"]
    return Jaxpr(
        id="",
        inputs=list(range(len(traced))),
        outputs=[],
        constants=[],
        types=[argument.type for argument in traced],
        equations=[],
        input_names=[argument.path for argument in traced],
    )


def _left_out(trace: Trace, root: Node) -> str:
    assert root.level is not None
    jaxpr, texts = root.level.jaxpr, list[str]()
    if trace.status == "running":
        texts.append(f"Still tracing: {count_text(len(jaxpr.equations), 'equation')} so far.")
    elif trace.status == "error":
        staged = count_text(len(jaxpr.equations), "equation")
        texts.append(f"The trace failed after {staged}: this is what was staged until then.")
    elif trace.jaxpr is None and trace.kind in UNCACHED | {"call"} and not trace.equations.distinct:
        texts.append(
            "It has no jaxpr of its own: its equations are in the trace around it."
            if trace.parent
            else f"It has no jaxpr: outside jit, {trace.kind} runs the body's operations one by one."
        )
    if jaxpr.dropped_equations:
        texts.append(f"{count_text(jaxpr.dropped_equations, 'equation')} beyond the recording cap are not shown.")
    return " ".join(texts)
