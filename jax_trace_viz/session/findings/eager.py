"""Findings about operations that ran one by one, outside of any jit."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Finding, Place
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.source import EagerLine
    from jax_trace_viz.session.evidence import Evidence

_MANY = 200
"""Operations from which on it is worth a word."""
_KINDS = 5
"""A program of fewer kinds of operations gains little: splitting keys, adding up a metric."""
_NAMED = 3


def eager_operations(evidence: Evidence) -> Iterator[Finding]:
    """One for each function, or line of a script or cell, that ran many operations of several kinds."""
    if any(unseen.what == "disable_jit" for unseen in evidence.unseen):
        return  # what has a jit runs one by one as well then
    groups: defaultdict[tuple[str, str, int], list[EagerLine]] = defaultdict(list)
    for line in evidence.eager:
        start = line.line if line.function == "<module>" else line.function_line
        groups[line.file, line.function, start].append(line)
    for lines in groups.values():
        operations = sum((Counter(line.operations) for line in lines), Counter[str]())
        if operations.total() >= _MANY and len(operations) >= _KINDS:
            yield _finding(evidence, lines, operations)


def _finding(evidence: Evidence, lines: list[EagerLine], operations: Counter[str]) -> Finding:
    busiest = max(lines, key=lambda line: sum(line.operations.values()))
    share = sum(busiest.operations.values())
    place = Place(file=busiest.file, line=busiest.line)
    line = evidence.line_at(place)
    in_function = busiest.function != "<module>"
    name = busiest.function.split(".")[-1]
    who = f"`{name}`" if in_function else line[0].upper() + line[1:]
    part = "all" if share == operations.total() else f"{share} of them"
    most = f", {part} from {line}" if in_function else ""
    compiles = sum(line.compiles for line in lines)
    compiled = f" {count_text(compiles, 'program was', 'programs were')} compiled for them." if compiles else ""
    what = f"Put `{name}`" if in_function else "Move this line with its loop into a function and put it"
    return Finding(
        kind="eager_operations",
        function=None,
        trace=None,
        text=f"{who} ran {operations.total():,} operations ({_named(operations)}) one by one, outside of any jit"
        f"{most}.{compiled}",
        fix=f"{what} under one `jax.jit`: then they are one program. A long Python loop is better written as "
        "`jax.lax.fori_loop` or `jax.lax.scan` first. Leave out what compiles its own loop, as a library's sampler "
        "does.",
        place=place,
        seconds=sum(line.compile_seconds for line in lines),
    )


def _named(operations: Counter[str]) -> str:
    names = [name for name, _ in operations.most_common(_NAMED)]
    return ", ".join(names) + f" and {len(operations) - len(names)} more"
