"""What the names of the source held, and the arrays that were baked in."""

from __future__ import annotations

import collections
import re
from typing import TYPE_CHECKING

from tests.cases.scoring.evidence import in_case
from tests.cases.scoring.source import binding_lines
from tests.cases.scoring.words import DTYPE_LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cases.scoring.evidence import Evidence, Json

SMALLEST_CONSTANT = 16
"""Bytes from which on an array may be called a constant only if the truth says so."""

Marks = dict[tuple[str | None, str, str], set[str]]


def check_marks(evidence: Evidence) -> Iterator[str]:
    """Names with a wrong status, and marks on lines that bind no such name."""
    marks: Marks = collections.defaultdict(set)
    lines = binding_lines(evidence.source)
    for mark in evidence.document["annotations"]:
        if not in_case(mark):
            continue
        function, name = evidence.qualname.get(mark["function"]), mark["name"]
        marks[function, name, mark["binding"]].add(mark["status"])
        if mark["line"] not in lines.get(name, {mark["line"]}):
            yield f"mark {function}.{name}: line {mark['line']} does not bind it"
    yield from _check_statuses(evidence, marks)
    yield from _check_roles(evidence, marks)


def _check_statuses(evidence: Evidence, marks: Marks) -> Iterator[str]:
    for field, bindings in (("args", ("parameter",)), ("locals", ("local", "parameter"))):
        for function, statuses in evidence.truth.get(field, {}).items():
            for name, status in statuses.items() if function not in evidence.helpers else ():
                seen = next((marks[function, name, b] for b in bindings if marks[function, name, b]), set[str]())
                if all(set(option.split("/")) != seen for option in status.split("|")):
                    yield f"mark {function}.{name}: want {status}, got {sorted(seen) or None}"


def _check_roles(evidence: Evidence, marks: Marks) -> Iterator[str]:
    """The arguments of a jit trace do not contradict the marks of its parameters."""
    for function, traces in evidence.traces.items():
        arguments = [argument for trace in traces for argument in trace.get("arguments", ())]
        for path, role in dict.fromkeys((_parameter(a["path"]), a["role"]) for a in arguments):
            opposite = {"traced"} if role == "static" else {"static"}
            if marks[function, path, "parameter"] == opposite:
                yield f"argument {function}.{path} is {role}, its mark says {sorted(opposite)}"


def check_constants(evidence: Evidence) -> Iterator[str]:
    """Arrays that were baked in and are not told, and arrays that are called constants and are none."""
    found = list(_constants(evidence))
    types = {(kind, size) for _, _, kind, size in found}
    probes = evidence.truth.get("probes", ())
    wanted = {(_short_type(c), c["bytes"]) for probe in probes for c in probe.get("consts_include", ())}
    for constant in sorted(wanted - types):
        yield f"constant {constant} not reported"
    allowed = evidence.truth.get("constants_allowed", [])
    for kind, size in sorted(types - wanted) if allowed != "any" else ():
        if size >= SMALLEST_CONSTANT and kind not in allowed:
            yield f"{(kind, size)} is no constant of any trace"
    for absent in evidence.truth.get("constants_absent", ()):
        if (absent["function"], absent["trace"], absent["type"]) in {constant[:3] for constant in found}:
            yield f"{absent['type']} is traced, not a constant, in run {absent['trace']} of {absent['function']}"


def _constants(evidence: Evidence) -> Iterator[tuple[str, int, str, int]]:
    """Function, number of its run, type without the weak mark, and bytes of each constant of the case's functions."""
    number: collections.Counter[str] = collections.Counter()
    for trace in evidence.document["traces"]:
        function = trace["function"]
        number[function] += 1
        for constant in trace.get("constants", ()) if function in evidence.own else ():
            yield evidence.qualname[function], number[function], constant["type"].rstrip("~"), constant["bytes"]


def _short_type(constant: Json) -> str:
    """A type as JAX prints it: `float32` and `[8, 3]` make `f32[8,3]`."""
    word = constant["dtype"].rstrip("0123456789")
    bits = constant["dtype"].removeprefix(word)
    return f"{DTYPE_LETTERS.get(word, word)}{bits}[{','.join(map(str, constant['shape']))}]"


def _parameter(path: str) -> str:
    """The parameter a key path starts with: `params['w'][0]` starts with `params`."""
    return re.split(r"\W", path, maxsplit=1)[0]
