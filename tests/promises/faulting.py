"""`python -m tests.promises.faulting package program.py seed number` makes functions of ours fail under a program.

`package` is `capture`, or `session`, whose functions fail from when the recording has begun: one that cannot begin is
an error of the call that asked for it.

`python -m tests.promises.faulting package program.py always NAME…` has these fail at every call, with the limit in
place.

Every function that the program reaches × {first, middle, last} of its calls × five types of exceptions is one
combination; `number` of them are drawn, or `all` are run, or `each` call with one of the types: which, depends on the
seed, so that five seeds make all. One run of the program holds many combinations of different functions, with the limit
that turns a seam off lifted. Prints one line of JSON.
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
import zlib
from typing import Any

from tests.promises import probing

PACKAGE = sys.argv[1]
PROBES = probing.install(f"jax_trace_viz.{PACKAGE}")

import jax  # noqa: E402

import jax_trace_viz  # noqa: E402
from tests.capture.patches import changed, snapshot  # noqa: E402

ERRORS = (RuntimeError, TypeError, RecursionError, MemoryError, AssertionError)
ORDINALS = ("first", "middle", "last")
AT_ONCE = (25, 5, 1)
"""Combinations in one run of the program: one may hide another, which then comes again in smaller company."""
STAGES = {"all": 3, "each": 2}
"""In how many of these companies they come; a sample comes in the first one only."""

Combination = tuple[str, str, type[Exception]]
Plan = dict[str, tuple[int, type[BaseException]]]
LOOSE: list[str] = []
"""What ended a thread, or was printed since it came where nobody can catch it."""


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


def run(
    module: Any, recording: contextlib.AbstractContextManager[Any], plan: Plan, *, following: bool = False
) -> tuple[str, Any]:
    """What the program computed, to the last bit, or what it raised; and the session."""
    jax.clear_caches()
    session = None
    PROBES.begin(plan if PACKAGE == "capture" else {}, following=following)
    try:
        with recording as session:
            if PACKAGE == "session":
                PROBES.begin(plan, following=following)
            value, notes = module.main()
        return f"{float(value).hex()} {notes}", session
    except Exception as error:  # noqa: BLE001  (what reaches the user is what is looked for)
        return f"{type(error).__name__}: {error}", session


def combinations(counts: dict[str, int], seed: int, number: str) -> list[Combination]:
    """Those to run, shuffled."""
    calls = [(name, word) for name in sorted(counts) for word in ORDINALS if is_another_call(word, counts[name])]
    if number == "each":
        turns = [zlib.crc32(f"{name} {word}".encode()) + seed for name, word in calls]
        every = [(*call, ERRORS[turn % len(ERRORS)]) for call, turn in zip(calls, turns, strict=True)]
    else:
        every = [(*call, error) for call, error in itertools.product(calls, ERRORS)]
    random.Random(seed).shuffle(every)
    return every[: int(number)] if number.isdigit() else every


def is_another_call(word: str, count: int) -> bool:
    """Of one call there is no last, of two no middle."""
    return count >= {"first": 1, "last": 2, "middle": 3}[word]


def together(waiting: list[Combination], places: dict[Combination, object], most: int) -> list[Combination]:
    """Up to so many for one run, none of the same function or in the same place as another, of one kind."""
    kind = isinstance(places[waiting[0]], str)
    taken: dict[object, Combination] = {}
    functions: set[str] = set()
    for one in waiting:
        place = places[one]
        if isinstance(place, str) == kind and place not in taken and one[0] not in functions:
            taken[place] = one
            functions.add(one[0])
            if len(taken) == most:
                break
    return list(taken.values())


def ordinal_of(word: str, count: int) -> int:
    """`middle` of 7 calls is the 4th."""
    return {"first": 1, "middle": (count + 1) // 2, "last": count}[word]


def always(module: Any, names: list[str]) -> dict[str, Any]:
    """Each function fails at every call, in a run of its own."""
    expected, _ = run(module, contextlib.nullcontext(), {})
    report: dict[str, Any] = {}
    for name in names:
        got, session = run(module, jax_trace_viz.trace(), {name: (0, RuntimeError)})
        document, raised = session.document(), len(PROBES.raised)
        limited = document.environment.limited
        report[name] = {"same": got == expected, "raised": raised, "faults": document.faults, "limited": limited}
    return report


def drawn(module: Any, seed: int, number: str) -> dict[str, Any]:
    """Many functions fail at one of their calls each."""
    from jax_trace_viz.capture import faults
    from jax_trace_viz.exports.references import broken_reference

    expected, _ = run(module, contextlib.nullcontext(), {})
    recorded, counts, places = counted(module)
    faults.LIMIT = sys.maxsize
    before = snapshot()
    waiting = combinations(counts, seed, number)
    calls = {one: ordinal_of(one[1], counts[one[0]]) for one in waiting}
    where = {one: places[one[0]][call - 1] for one, call in calls.items()}
    report = {"same": recorded == {expected}, "functions": len(counts), "drawn": len(waiting), "told": 0}
    report |= {"wrong": [], "unsound": [], "left": []}
    for most in AT_ONCE[: STAGES.get(number, 1)]:
        hidden: list[Combination] = []
        while waiting:
            batch = together(waiting, where, most)
            waiting = [one for one in waiting if one not in batch]
            plan = {one[0]: (calls[one], one[2]) for one in batch}
            got, session = run(module, jax_trace_viz.trace(), plan)
            hidden += [one for one in batch if one[0] not in PROBES.raised]
            PROBES.begin({})
            if session is not None:
                document = session.document()
                report["told"] += len(document.faults)
                report["unsound"] += [broken] if (broken := broken_reference(document)) is not None else []
            now = snapshot()
            if left := changed(before, now):
                report["left"].append([left, sorted(map(text, batch))])
            before = now
            if got != expected:
                report["wrong"].append([got, sorted(map(text, batch))])
        waiting = hidden
    report |= {"fired": report["drawn"] - len(waiting), "hidden": sorted(map(text, waiting))}
    return report | {"loose": LOOSE}


def text(combination: Combination) -> str:
    """What a person reads of one."""
    name, word, error = combination
    return f"{name} {word} {error.__name__}"


def counted(module: Any) -> tuple[set[str], dict[str, int], dict[str, list[object]]]:
    """What the program computes while it is recorded; how often each function is called then; and where.

    What is called now and then, as by the thread that formats, is called another number of times in each run: the least
    counts. What is called while hooks are put in is in its file's own place, for a fault there costs that hook only.
    """
    results: set[str] = set()
    counts: list[dict[str, int]] = []
    places: dict[str, list[object]] = {}
    for _ in range(3):
        results.add(run(module, jax_trace_viz.trace(), {}, following=True)[0])
        counts.append(dict(PROBES.counts))
        places = {name: list(turns) for name, turns in PROBES.places.items()}
    PROBES.begin({})
    with jax_trace_viz.trace():
        for name in list(PROBES.counts):
            places.setdefault(name, [""])[0] = name.partition(".")[0]
    common = {name: min(each[name] for each in counts) for name in places if all(name in each for each in counts)}
    return results, common, places


def main(_package: str, program: str, seed: str, *rest: str) -> None:
    """See the module's docstring."""
    threading.excepthook = lambda told: LOOSE.append(f"{told.exc_type.__name__}: {told.exc_value}")
    sys.unraisablehook = lambda told: LOOSE.append(f"{told.exc_type.__name__}: {told.exc_value}")
    module = load(pathlib.Path(program))
    print(json.dumps(always(module, list(rest)) if seed == "always" else drawn(module, int(seed), *rest)))
    PROBES.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
