"""Cutting a group into its children: by scopes and call chains, with repetitions folded."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.copies import kinds_of_difference
from jax_trace_viz.session.graph.labels import (
    SHAPE_ONLY,
    equation_label,
    equation_title,
    function_name,
    key_label,
    library_call,
    lines_label,
    loop_label,
    place_text,
    series,
    side_effects,
    summary,
    unpacking,
)
from jax_trace_viz.session.graph.names import equation_name, group_name, is_alone
from jax_trace_viz.session.graph.pallas import fits_kernel
from jax_trace_viz.session.graph.passes import cut_passes
from jax_trace_viz.session.graph.runs import Run, cut, repeats
from jax_trace_viz.session.graph.scopes import is_formula, parse_scope
from jax_trace_viz.session.graph.sites import site
from jax_trace_viz.session.graph.sizes import types_text
from jax_trace_viz.session.graph.tree import Node
from jax_trace_viz.session.wording import bytes_text, count_text

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.session.graph.runs import Stretch
    from jax_trace_viz.session.graph.tree import Level, NodeKind

_SHORT_RUN = 12
_CHUNK = 60
_LABELLED = 40
_HEADS = 4


def group_children(node: Node) -> list[Node]:
    """Children of a group of equations of one level. What was found for one picture is kept for the next."""
    level = node.level
    assert level is not None
    key = "group", level.key, node.shown_start, node.shown_stop, node.depth
    kept = level.program.once(key, list[list[Node]])
    if kept:
        return [child.on(level) for child in kept[0]]
    children = _children(level, node)
    if len(children) <= _CHUNK and not any(child.children for child in children):
        kept.append([child.on(None) for child in children])
    return children


def _children(level: Level, node: Node) -> list[Node]:
    depth = node.depth
    runs = cut(level, node.shown_start, node.shown_stop, depth)
    while len(runs) == 1 and runs[0].key is not None and not level.growing:
        depth += 1
        runs = cut(level, node.shown_start, node.shown_stop, depth)
    if level.facts.nested and not level.growing and runs:
        runs = cut_passes(level, runs)
    children = [
        _run_node(level, runs[s.first], depth) if s.copies == 1 else _plate(level, runs, s, depth)
        for s in repeats(level, runs)
    ]
    _tell_apart(level, children)
    return _chunked(level, children) if len(children) > 2 * _CHUNK else children


def _tell_apart(level: Level, children: list[Node]) -> None:
    """Pieces of one library function that have its name, for want of a better one, are called by what they compute."""
    frames = level.program.frames
    pieces: defaultdict[str, list[Node]] = defaultdict(list)
    for child in children:
        if child.frame is not None and child.label == function_name(frames[child.frame]):
            pieces[child.label].append(child)
    for alike in pieces.values():
        if len({site(frames[child.frame]) for child in alike if child.frame is not None}) > 1:
            for child in alike:
                child.label = summary(level, child.shown_start, child.shown_stop)


def _run_node(level: Level, run: Run, depth: int) -> Node:
    if run.key is None:
        return equation_node(level, run.start, run.start, run.stop)
    if run.stop - run.start < _SHORT_RUN:
        computing = [i for i in range(run.start, run.stop) if level.equations[i].primitive not in SHAPE_ONLY]
        if len(computing) <= 1:
            return equation_node(level, computing[0] if computing else run.stop - 1, run.start, run.stop)
    return _group(level, run, depth)


def _group(level: Level, run: Run, depth: int) -> Node:
    program = level.program
    assert run.key is not None
    path = level.path(run.start)
    deepest = all(len(level.path(place)) <= depth + 1 for place in (run.start, run.stop - 1))
    kind: NodeKind = "scope" if run.key[0] == "scope" else "span" if deepest else "source"
    weight = level.weight(run.start, run.stop)
    node = Node(
        kind,
        key_label(program, path, depth) or summary(level, run.start, run.stop),
        detail=count_text(weight, "equation"),
        phase=level.phase(run.start, run.stop),
        level=level,
        start=run.start,
        stop=run.stop,
        depth=depth + 1,
        weight=weight,
        quiet=kind == "span" and not _holds_code(level, run.start, run.stop),
    )
    if isinstance(run.key[2], int):
        node.frame = run.key[2]
        if site(program.frames[node.frame]) in level.sites_outside:  # a group around it is called so
            node.label = summary(level, run.start, run.stop)
        elif (formula := parse_scope(level.equations[run.start].scope).names[-1:]) and is_formula(formula[0]):
            node.label += f" {formula[0]}"
        node.word = f"{function_name(program.frames[node.frame])} {program.frames[node.frame].line}"
        node.title = place_text(program, program.frames[node.frame])
        node.name = group_name(node)
        node.library = (
            program.frames[node.frame].origin == "user"
            and program.user_frame(level.equations[run.start].frame) == program.frames[node.frame]
        )
    return node


def equation_node(level: Level, main: int, start: int, stop: int) -> Node:
    """One equation, with the shape-only equations beside it."""
    equation = level.equations[main]
    node = Node(
        _equation_kind(level, main),
        equation_label(level.program, equation),
        detail=types_text(level.types(equation)),
        title=equation_title(level, main),
        phase=level.phase(start, stop),
        level=level,
        start=start,
        stop=stop,
        word=equation_label(level.program, equation),
        main=main,
        weight=level.weight(start, stop),
        frame=equation.frame,
    )
    if node.kind in ("loop", "cond"):
        node.label = loop_label(level.program, equation) or node.label
    elif node.kind == "call" and not _holds_code(level, main, main + 1):
        node.quiet = True
        node.label = library_call(level.program, equation, alone=is_alone(node)) or node.label
    else:
        node.label = unpacking(level.program, equation) or node.label
    node.name = equation_name(node)
    if side_effects(equation):
        node.notes += ("side effect",)
    baked = sum(level.program.census.structure(sub.jaxpr).constant_bytes for sub in equation.jaxprs)
    if baked:
        node.notes += (f"◆ {bytes_text(baked)} baked in",)
    return node


def _equation_kind(level: Level, main: int) -> NodeKind:
    equation, jaxprs = level.equations[main], level.program.jaxprs
    if not equation.jaxprs:
        return "equation"
    if any(sub.jaxpr not in jaxprs for sub in equation.jaxprs):
        return "opaque"
    if equation.primitive in ("scan", "while"):
        return "loop"
    if equation.primitive == "cond":
        return "cond"
    if equation.primitive == "pallas_call":
        return "loop" if fits_kernel(level, equation) else "opaque"
    fitting = inner_jaxpr(level, equation)
    return "call" if fitting is not None and (fitting.equations or fitting.constants) else "opaque"


def inner_jaxpr(level: Level, equation: Equation) -> Jaxpr | None:
    """The jaxpr inside a call whose inputs are the call's operands, if there is one."""
    inside = (level.program.jaxprs[sub.jaxpr] for sub in equation.jaxprs)
    return next((jaxpr for jaxpr in inside if len(jaxpr.inputs) == len(equation.inputs)), None)


def _holds_code(level: Level, start: int, stop: int) -> bool:
    """Whether some equation of a run calls a jaxpr that was not traced from JAX's own code."""
    return any(level.program.holds_code(sub.jaxpr) for e in level.equations[start:stop] for sub in e.jaxprs)


def _plate(level: Level, runs: list[Run], stretch: Stretch, depth: int) -> Node:
    """One node for all copies, which shows the first one when it is open."""
    first, period, copies = stretch.first, stretch.period, stretch.copies
    start, stop = runs[first].start, runs[first + period * copies - 1].stop
    size = runs[first + period - 1].stop - start
    one = _run_node(level, runs[first], depth)
    weight = level.weight(start, stop)
    node = Node(
        "plate",
        _heads(level, runs, stretch, depth) if period > 1 else one.label,
        detail=one.detail if period == 1 and one.leaf else f"{count_text(weight // copies, 'equation')} each",
        title=f"{copies:,} copies of the same {count_text(size, 'equation')}" + (f"\n{one.title}" if one.title else ""),
        word=one.word or one.label,
        phase=one.phase,
        level=level,
        start=start,
        stop=stop,
        depth=depth + (1 if period == 1 and runs[first].key is not None else 0),
        period=size,
        count=copies,
        weight=weight,
        frame=one.frame,
        makeshift=period > 1,
    )
    if period == 1:
        shown = range(copies) if copies <= _LABELLED else (0, copies - 1)
        names = [_run_node(level, runs[first + copy], depth).label for copy in shown]
        node.label = series(names, copies)
        node.copies = tuple(names) if len(names) == copies and len(set(names)) > 1 else ()
    if differences := kinds_of_difference(level, node):
        node.detail += f" ({', '.join(differences)} differ)"
    return node


def _heads(level: Level, runs: list[Run], stretch: Stretch, depth: int) -> str:
    """What a copy of several runs is called: by its lines, or by what they begin with."""
    first, period = stretch.first, stretch.period
    told = runs[first : first + period * min(stretch.copies, _LABELLED)]
    phase = level.phase(told[0].start, told[0].stop)
    if text := lines_label(level.program, [run.key for run in told], phase):
        return text
    heads = [_run_node(level, run, depth).label for run in runs[first : first + min(period, _HEADS)]]
    return " · ".join(head.split(" ")[0] for head in heads) + (" …" if period > _HEADS else "")


def _chunked(level: Level, children: list[Node]) -> list[Node]:
    """Where no structure was found, neighbours are put together: contiguous parts leave no cycle between them."""
    chunks: list[Node] = []
    for place in range(0, len(children), _CHUNK):
        part = children[place : place + _CHUNK]
        common = Counter(child.label.split(" ")[0] for child in part).most_common(3)
        start, stop = part[0].start, part[-1].stop
        chunk = Node(
            "chunk",
            f"equations {start}–{stop - 1}",
            detail=", ".join(f"{word} ×{number}" for word, number in common),
            phase=part[0].phase,
            level=level,
            start=start,
            stop=stop,
            weight=level.weight(start, stop),
        )
        chunk.children = tuple(part)
        chunks.append(chunk)
    return chunks
