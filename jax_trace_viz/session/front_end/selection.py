"""Which functions come first, and which of their traces is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Trace
    from jax_trace_viz.session.evidence import Evidence


_NAMES = 8
"""Functions that are named where another was asked for."""


def newest_traces(evidence: Evidence, function: str | None = None) -> list[Trace]:
    """The newest trace of each of the user's functions, the costliest first; those that staged nothing come last.

    With the name, qualified name or id of a function, the newest trace of that one alone, if there is one.
    """
    candidates = evidence.ranked
    if function is not None:
        every = sorted(evidence.functions.values(), key=lambda f: f.origin != "user")
        candidates = [f for f in every if function in (f.id, f.name, f.qualname)]
    traces = [trace for function in candidates for trace in evidence.newest(function.id)]
    return sorted(traces, key=lambda trace: trace.status == "ok" and not trace.equations.distinct)


def not_traced(evidence: Evidence, function: str) -> str:
    """`No function named stop was traced; step and loss were.`: says what could have been asked for, or what helps."""
    asked = [f for f in evidence.functions.values() if function in (f.id, f.name, f.qualname)]
    if any(f.cache_hits for f in asked):
        return (
            f"{function} was called and not traced: JAX had its trace from before this recording. Call "
            "`jax.clear_caches()` first, and it is traced again."
        )
    names = list(dict.fromkeys(f.name for f in evidence.ranked if evidence.newest(f.id)))
    if not names:
        return f"No function named {function} was traced."
    shown = [*names[:_NAMES], *([f"{len(names) - _NAMES} more"] if len(names) > _NAMES else [])]
    were = "was" if len(shown) == 1 else "were"
    listed = " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
    return f"No function named {function} was traced; {listed} {were}."
