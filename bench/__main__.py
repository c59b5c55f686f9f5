"""`python -m bench [--rounds N]`: measures, prints a table, and writes `bench/results/`.

`--write-docs` measures nothing: it writes the page of the docs, and the README's figures, from the results kept there.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import jax_trace_viz
from bench import files, flow, fresh, large, layers, measures, model, page, plain_python, real
from bench.results import Result, load_average, ratio, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.session import Session

NEWER_PYTHON = (3, 12)
"""From here on the interpreter itself tells when a body starts, which costs less."""


def tracing(rounds: int) -> list[Result]:
    """One trace of the model: plain, recorded, and after a recording has ended."""
    plain: list[float] = []
    recorded: list[float] = []
    whole: list[float] = []
    after: list[float] = []
    _, jaxpr = measures.traced()
    equations = model.count_equations(jaxpr)
    for _ in range(rounds):
        plain.append(measures.trace_seconds())
        with jax_trace_viz.trace():
            recorded.append(measures.trace_seconds())
        whole.append(layers.seconds_until_document())
        after.append(measures.trace_seconds())
    return [
        Result("equations of the traced model", equations, ""),
        Result("plain trace", min(plain) * 1e3, "ms"),
        ratio("recorded / plain, the program's own thread", recorded, plain),
        ratio("recorded / plain, whole process until the document", whole, plain),
        ratio("recording ended / plain", after, plain, 1.03),
    ]


def presence(rounds: int) -> list[Result]:
    """One trace in fresh processes: the package never imported, and imported but not used."""
    never: list[float] = []
    imported: list[float] = []
    for _ in range(rounds):
        never.append(fresh.seconds("never"))
        imported.append(fresh.seconds("imported"))
    return [ratio("imported and not used / never imported, fresh processes", imported, never, 1.03)]


def calls(rounds: int) -> list[Result]:
    """One call on the fast path: plain, recorded, and after a recording has ended."""
    seconds = measures.called()
    plain: list[float] = []
    recorded: list[float] = []
    after: list[float] = []
    for _ in range(rounds):
        plain.append(seconds())
        with jax_trace_viz.trace():
            recorded.append(seconds())
        after.append(seconds())
    added = (min(recorded) - min(plain)) * 1e6
    return [
        Result("plain call on the fast path", min(plain) * 1e6, "µs"),
        Result("added to it while recording", added, "µs", 1.0),
        ratio("recording ended / plain call", after, plain, 1.03),
    ]


def importing(rounds: int) -> list[Result]:
    """The import of the package, in fresh processes."""
    return [Result("import jax_trace_viz", min(fresh.seconds("import") for _ in range(rounds)) * 1e3, "ms", 50.0)]


def memory() -> list[Result]:
    """What a recording holds, for each equation that it wrote."""

    def recorded() -> Session:
        with jax_trace_viz.trace() as session:
            measures.traced()
        return session

    recorded()  # what is loaded late is loaded now
    session = recorded()
    written = sum(len(jaxpr.equations) for jaxpr in session.document().jaxprs)
    plain = measures.kept_bytes(lambda: measures.traced()[0])
    kept = measures.kept_bytes(recorded)
    return [Result("memory for each recorded equation", (kept - plain) / written, "B", 400.0, f"{written} equations")]


def goal() -> float:
    """The most that tracing may cost with everything on."""
    return 1.15 if sys.version_info >= NEWER_PYTHON else 1.20


def main() -> None:
    """Measures all, prints, saves."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often each measure is taken (default 7)")
    parser.add_argument("--write-docs", action="store_true", help="write docs/benchmarks.md from the kept results")
    options = parser.parse_args()
    if options.write_docs:
        page.write()
        return
    rounds, load = options.rounds, [load_average()]
    parts: list[Callable[[], list[Result]]] = [
        lambda: layers.tracing(rounds, goal()),
        lambda: tracing(rounds),
        lambda: real.ratios(max(3, rounds // 2), goal()),
        lambda: large.tracing(max(2, rounds // 3)),
        lambda: flow.retraces(rounds),
        lambda: plain_python.added(rounds),
        lambda: calls(rounds * 3),
        lambda: presence(3),
        flow.messages,
        large.first_pictures,
        memory,
        lambda: importing(rounds),
        files.sizes,
    ]
    results: list[Result] = []
    for part in parts:
        for result in part():
            print(result.row(), flush=True)
            results.append(result)
    print(f"saved in {save(results, [*load, load_average()])}")


if __name__ == "__main__":
    main()
