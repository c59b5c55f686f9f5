"""`python -m bench.crossings [PROGRAM …]`: how often drawn lines cross, laid out by us and by Graphviz.

Both get the same boxes and the same lines. Lines from one source may share a trunk, so they are not compared.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
from typing import TYPE_CHECKING

import jax
import numpy as np

import jax_trace_viz
from bench import programs
from bench.pictures import GOALS, outermost
from jax_trace_viz.session.graph import GraphOptions, build_graph

if TYPE_CHECKING:
    from jax_trace_viz.contract.picture import Edge, Graph

_SAMPLES = 16
_FACTOR, _ALLOWANCE = 1.5, 3


def crossings(graph: Graph) -> int:
    """Pairs of drawn curves that cross, those of one source not counted."""
    curves = [(edge.source, _sampled(edge)) for edge in graph.edges if edge.kind != "saved"]
    pairs = itertools.combinations(curves, 2)
    return sum(one[0] != other[0] and _meet(one[1], other[1]) for one, other in pairs)


def _sampled(edge: Edge) -> np.ndarray:
    """Places along a poly-bezier, as an array of x and y."""
    points = np.asarray(edge.points).reshape(-1, 2)
    t = np.linspace(0, 1, _SAMPLES, endpoint=False)[:, None]
    parts = [
        (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
        for a, b, c, d in (points[place : place + 4] for place in range(0, len(points) - 1, 3))
    ]
    return np.concatenate([*parts, points[-1:]])


def _meet(one: np.ndarray, other: np.ndarray) -> bool:
    if (one.max(0) < other.min(0)).any() or (other.max(0) < one.min(0)).any():
        return False
    a, b = one[:-1, None], one[1:, None]
    c, d = other[None, :-1], other[None, 1:]
    return bool(((_side(a, b, c) * _side(a, b, d) < 0) & (_side(c, d, a) * _side(c, d, b) < 0)).any())


def _side(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """On which side of the line from a to b the place c lies."""
    return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])


def compared(name: str) -> tuple[int, int]:
    """Crossings of a program's first picture, by our engine and by Graphviz."""
    function, arguments = getattr(programs, name)()
    with jax_trace_viz.trace() as session:
        jax.jit(function).trace(*arguments)
    document, trace = session.document(), outermost(session)
    ours, theirs = (build_graph(document, trace, GraphOptions(engine=engine)) for engine in ("builtin", "graphviz"))
    assert not theirs.note, theirs.note
    return crossings(ours), crossings(theirs)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m bench.crossings", description=__doc__)
    parser.add_argument("programs", nargs="*", default=list(GOALS), metavar="PROGRAM")
    if shutil.which("dot") is None:
        parser.error("Graphviz is not installed")
    print(f"{'':<17} {'ours':>5} {'Graphviz':>9}")
    for name in parser.parse_args().programs:
        try:
            ours, theirs = compared(name)
        except ModuleNotFoundError as error:
            print(f"{name:<17} needs {error.name}")
            continue
        most = max(_FACTOR * theirs, theirs + _ALLOWANCE)
        print(f"{name:<17} {ours:>5} {theirs:>9}  ≤ {most:g} {'' if ours <= most else 'over'}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
