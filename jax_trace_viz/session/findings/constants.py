"""Findings about arrays that are baked into the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Finding, Place
from jax_trace_viz.session.source.reading import first_reading
from jax_trace_viz.session.wording import bytes_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Constant, Trace
    from jax_trace_viz.session.evidence import Evidence

LARGE = 1_000_000
"""From so many bytes on a constant is worth an argument."""

_ORIGINS = {"closure": "from the enclosing function", "global": "a global", "unknown": "from outside"}


def large_constants(evidence: Evidence) -> Iterator[Finding]:
    """Large arrays that a user's function captured, each told once: where its name is known."""
    for trace, constant in evidence.constants.values():
        if constant.bytes >= LARGE:
            yield _large_constant(evidence, trace, constant)


def _large_constant(evidence: Evidence, trace: Trace, constant: Constant) -> Finding:
    function = evidence.functions[trace.function]
    line = first_reading(function, constant.name or "") or function.line
    name = f"`{constant.name}`" if constant.name else "an array"
    kind = f"{constant.type}, {bytes_text(constant.bytes)}, {_ORIGINS[constant.source]}"
    return Finding(
        kind="large_constant",
        function=function.id,
        trace=trace.id,
        text=f"`{function.name}` bakes in {name} ({kind}): it becomes a part of the compiled program.",
        fix=f"Pass {name if constant.name else 'the array'} as an argument.",
        place=Place(file=function.file, line=line) if function.file and line else None,
    )
