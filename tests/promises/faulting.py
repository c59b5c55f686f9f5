"""`python -m tests.promises.faulting program.py seed number` makes functions of the capture fail under a program.

`python -m tests.promises.faulting program.py always NAME…` has these fail at every call, with the limit in place.

Every function that the program reaches × {first, middle, last} of its calls × five types of exceptions is one
combination; `number` of them are drawn, or `all` are run. One run of the program holds many combinations of different
functions, with the limit that turns a seam off lifted. Prints one line of JSON.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import json
import pathlib
import random
import sys
import threading
from typing import TYPE_CHECKING, Any

from tests.promises import probing

PROBES = probing.install("jax_trace_viz.capture")

import jax  # noqa: E402

import jax_trace_viz  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

ERRORS = (RuntimeError, TypeError, RecursionError, MemoryError, AssertionError)
AT_ONCE = 25
"""Combinations in one run of the program: more would hide one another."""

Combination = tuple[str, str, type[Exception]]
IN_THREADS: list[str] = []


def load(path: pathlib.Path) -> Any:
    """The program's module; its `main()` returns a number and notes."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def run(module: Any, recording: contextlib.AbstractContextManager[Any]) -> tuple[str, Any]:
    """What the program computed, to the last bit, or what it raised; and the session."""
    jax.clear_caches()
    session = None
    try:
        with recording as session:
            value, notes = module.main()
        return f"{float(value).hex()} {notes}", session
    except Exception as error:  # noqa: BLE001  (what reaches the user is what is looked for)
        return f"{type(error).__name__}: {error}", session


def combinations(counts: dict[str, int], seed: int, number: str) -> list[Combination]:
    """Those to run, shuffled."""
    every = [
        (name, ordinal, error)
        for name, ordinal, error in itertools.product(sorted(counts), ("first", "middle", "last"), ERRORS)
        if ordinal == "first" or counts[name] > 1
    ]
    random.Random(seed).shuffle(every)
    return every if number == "all" else every[: int(number)]


def batches(drawn: list[Combination], alone: set[str]) -> Iterator[list[Combination]]:
    """As few runs as can be, none with one function twice; what fails when the hooks are put in stands alone."""
    yield from ([one] for one in drawn if one[0] in alone and one[1] == "first")
    left = [one for one in drawn if one[0] not in alone or one[1] != "first"]
    while left:
        taken: dict[str, Combination] = {}
        later: list[Combination] = []
        for combination in left:
            if combination[0] in taken or len(taken) >= AT_ONCE:
                later.append(combination)
            else:
                taken[combination[0]] = combination
        yield list(taken.values())
        left = later


def ordinal_of(word: str, count: int) -> int:
    """`middle` of 7 calls is the 4th."""
    return {"first": 1, "middle": (count + 1) // 2, "last": count}[word]


def always(module: Any, names: list[str]) -> dict[str, Any]:
    """Each function fails at every call, in a run of its own."""
    expected, _ = run(module, contextlib.nullcontext())
    report: dict[str, Any] = {}
    for name in names:
        PROBES.begin({name: (0, RuntimeError)})
        got, session = run(module, jax_trace_viz.trace())
        document, raised = session.document(), len(PROBES.raised)
        limited = document.environment.limited
        report[name] = {"same": got == expected, "raised": raised, "faults": document.faults, "limited": limited}
    return report


def drawn(module: Any, seed: int, number: str) -> dict[str, Any]:
    """Many functions fail at one of their calls each."""
    from jax_trace_viz.capture import faults

    expected, _ = run(module, contextlib.nullcontext())
    PROBES.begin({})
    recorded, _ = run(module, jax_trace_viz.trace())
    counts = dict(PROBES.counts)
    PROBES.begin({})
    with jax_trace_viz.trace():
        alone = set(PROBES.counts)
    faults.LIMIT = sys.maxsize
    fired, told, wrong = 0, 0, []
    for batch in batches(combinations(counts, seed, number), alone):
        PROBES.begin({name: (ordinal_of(word, counts[name]), error) for name, word, error in batch})
        got, session = run(module, jax_trace_viz.trace())
        fired += len(PROBES.raised)
        PROBES.begin({})
        told += len(session.document().faults) if session is not None else 0
        if got != expected:
            wrong.append([got, sorted((name, word, error.__name__) for name, word, error in batch)])
    report = {"same": recorded == expected, "functions": len(counts), "fired": fired, "told": told}
    return report | {"wrong": wrong, "in_threads": IN_THREADS}


def main(program: str, seed: str, *rest: str) -> None:
    """See the module's docstring."""
    threading.excepthook = lambda told: IN_THREADS.append(f"{told.exc_type.__name__}: {told.exc_value}")
    module = load(pathlib.Path(program))
    print(json.dumps(always(module, list(rest)) if seed == "always" else drawn(module, int(seed), *rest)))
    PROBES.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
