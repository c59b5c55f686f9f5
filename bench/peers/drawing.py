"""`python -m bench.peers.drawing TOOL PROGRAM FOLDER`: one tool draws one program, in the tool's own environment.

Prints what it took as JSON. It imports nothing but the tool and what the programs are made of.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import json
import os
import pathlib
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.programs import Program

ROUNDS = 3
SECONDS = 120
"""Processor time that a tool gets for a program."""

GIGABYTES = 8
"""Memory that a tool gets: it must not take the machine's other programs down."""


@dataclasses.dataclass(frozen=True)
class Drawn:
    """What a tool made of a program."""

    seconds: float
    """Processor time beyond that of tracing alone, the least of several rounds."""
    kilobytes: float
    """Of the file that is shown."""
    file: str
    nodes: int | None = None
    """Boxes or nodes, where the file tells."""
    equations: int | None = None
    """What they stand for."""


def limit_this_process() -> None:
    """Bounds time and memory where the system can."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (GIGABYTES << 30, GIGABYTES << 30))


def program_named(name: str) -> Program:
    """One of the programs, or `NAME-jitted`: the same as most people have it, under `jax.jit`."""
    import jax

    from bench import programs

    function, arguments = getattr(programs, name.removesuffix("-jitted"))()
    return (jax.jit(function) if name.endswith("-jitted") else function), arguments


def beyond_tracing(program: Program, draw: Callable[[Callable[..., Any], tuple[Any, ...]], None]) -> float:
    """Processor seconds of `draw` less those of `jax.jit(…).trace`, in turns; every time nothing is cached."""
    import jax

    function, arguments = program
    plain, whole = [], []
    jax.jit(_anew(function)).trace(*arguments)  # what is imported late is imported now
    for _ in range(ROUNDS):
        jax.clear_caches()
        plain.append(_seconds(lambda: jax.jit(_anew(function)).trace(*arguments)))
        jax.clear_caches()
        whole.append(_seconds(lambda: draw(_anew(function), arguments)))
    return max(0.0, min(whole) - min(plain))


def _anew(function: Callable[..., Any]) -> Callable[..., Any]:
    """Another function object, for which JAX has no trace."""
    return functools.partial(function)


def _seconds(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def draw_ours(name: str, folder: pathlib.Path) -> Drawn:
    """Records the trace and draws its first picture."""
    import jax

    import jax_trace_viz
    from bench.pictures import outermost
    from jax_trace_viz.exports.svg import svg
    from jax_trace_viz.session.graph import build_graph

    file = folder / f"{name}.svg"
    graph: Any = None

    def draw(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        nonlocal graph
        with jax_trace_viz.trace() as session:
            jax.jit(function).trace(*arguments)
        graph = build_graph(session.document(), outermost(session))
        file.write_text(svg(graph), encoding="utf-8")

    seconds = beyond_tracing(program_named(name), draw)
    boxes = sum(not box.open for box in graph.boxes)
    return Drawn(seconds, _kilobytes(file), str(file), boxes, graph.equations)


def draw_jaxviz(name: str, folder: pathlib.Path) -> Drawn:
    """Writes its page."""
    jaxviz = importlib.import_module("jaxviz")
    file = folder / f"{name}.html"

    def draw(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        with pathlib.Path(os.devnull).open("w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
            jaxviz.trace_model(function, *arguments, export_path=str(file))

    seconds = beyond_tracing(program_named(name), draw)
    return Drawn(seconds, _kilobytes(file), str(file))


def lower(name: str, folder: pathlib.Path) -> Drawn:
    """Writes what Model Explorer reads of JAX: the program as StableHLO."""
    import jax

    file = folder / f"{name}.mlir"

    def draw(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        file.write_text(jax.jit(function).trace(*arguments).lower().as_text(debug_info=True), encoding="utf-8")

    seconds = beyond_tracing(program_named(name), draw)
    return Drawn(seconds, _kilobytes(file), str(file))


def convert(name: str, folder: pathlib.Path) -> Drawn:
    """Lets Model Explorer's converter make its graphs of the StableHLO; its server does the same for each page."""
    adapter = importlib.import_module("ai_edge_model_explorer_adapter")
    source = str(folder / f"{name}.mlir")
    config = adapter.VisualizeConfig()
    text = ""

    def read() -> None:
        nonlocal text
        text = adapter.ConvertMlirToJson(config, source)

    seconds = min(_seconds(read) for _ in range(ROUNDS))
    graphs = [graph for collection in json.loads(text) for graph in collection["subgraphs"]]
    nodes = sum(len(graph["nodes"]) for graph in graphs)
    return Drawn(seconds, len(text.encode()) / 1000, source, nodes)


def _kilobytes(file: pathlib.Path) -> float:
    return file.stat().st_size / 1000


WORK: dict[str, Callable[[str, pathlib.Path], Drawn]] = {
    "ours": draw_ours,
    "jaxviz": draw_jaxviz,
    "lower": lower,
    "convert": convert,
}


def main(work: str, program: str, folder: str) -> None:
    """Does one piece of work and prints what came of it."""
    limit_this_process()
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    print(json.dumps(dataclasses.asdict(WORK[work](program, pathlib.Path(folder)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
