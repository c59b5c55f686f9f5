"""Which traces were retraces that could have been avoided, and what caused them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from jax_trace_viz.session.reasons.chains import Cause, decisive, is_mixed
from jax_trace_viz.session.reasons.why_traced import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax_trace_viz.contract.document import Compilation, Function, Trace

NO_RETRACE = frozenset(
    {
        "first_call",
        "branch_trace",
        "called_by_traced_function",
        "function_redefined",
        "new_transform_context",
        "uncached_transform",
        *ENTRIES,
    }
)
"""Decisive reasons of traces that are no second trace of what JAX could have kept, or that were asked for."""


class Retraces:
    """Retraces that a call outside of any trace caused are avoidable, and have causes. Others are needed.

    A helper that one program uses with two shapes is traced for both.
    """

    def __init__(self, traces: Mapping[str, Trace]) -> None:
        """Begins without any.

        Args:
            traces: All that are known, by id; it grows.
        """
        self.inner: Counter[str] = Counter()
        """Retraces inside other traces, by the user's function."""
        self._traces = traces
        self._called: set[str] = set()
        """Functions that were called, and not only looked at (`make_jaxpr`, `.lower()`)."""
        self._causes: dict[tuple[str, str, str | None, bool], Cause] = {}
        self._cause_of: dict[str, Cause] = {}

    @property
    def causes(self) -> list[Cause]:
        """Why there were avoidable retraces, by function and part of the key, the costliest first."""
        return sorted(self._causes.values(), key=lambda cause: -cause.seconds)

    def begin(self, trace: Trace, function: Function) -> None:
        """A trace is seen for the first time."""
        reason = decisive(trace)
        if function.origin == "user" and self._is_retrace(trace):
            if trace.parent is None:
                # Objects have no path, but are made in different ways: `another functools.partial`.
                part = reason.after if reason.kind == "new_function_object" else reason.path
                key = function.id, reason.kind, part, is_mixed(trace)
                cause = self._causes.setdefault(key, Cause(function, reason))
                cause.add(trace)
                self._cause_of[trace.id] = cause
            else:
                self.inner[function.id] += 1
        if reason.kind not in ENTRIES:
            self._called.add(function.id)

    def advance(self, trace: Trace, seconds: float) -> None:
        """A trace took so many more seconds; once it has ended, it tells what it read from outside."""
        cause = self._cause_of.get(trace.id)
        if cause is None:
            return
        cause.seconds += seconds
        if trace.outside:
            for read in (self._traces.get(trace.compared_with or ""), trace):
                if read is not None:
                    cause.read(read)

    def compile(self, compilation: Compilation) -> None:
        """What a trace was lowered and compiled for is a part of its cost."""
        cause = self._cause_of.get(compilation.trace or "")
        if cause is not None:
            cause.seconds += compilation.lower_seconds + compilation.seconds

    def _is_retrace(self, trace: Trace) -> bool:
        """Whether an earlier trace of the function could have served, had some part of the key been the same.

        Traces that were only asked for (`make_jaxpr`, `eval_shape`, `.lower()`) are none, and make none of the first
        call that follows. Several objects of one code that are all kept have a trace each.
        """
        kind = trace.reasons[0].kind
        if kind in NO_RETRACE or (kind == "new_function_object" and not trace.discarded):
            return False
        return trace.function in self._called or trace.compared_with not in self._traces
