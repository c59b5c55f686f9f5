"""What a document says about retraces and their costs, looked up once for findings, verdict and order."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jax_trace_viz.session.reasons import BRANCHES, ENTRIES

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Compilation, Document, Function, Reason, Trace

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
"""Decisive reasons of traces that are no second trace of what JAX could have kept."""

_HOW = ENTRIES | {"branch_trace"}


@dataclass(frozen=True)
class Evidence:
    """A document, indexed."""

    document: Document

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The functions by id."""
        return {function.id: function for function in self.document.functions}

    @cached_property
    def traces(self) -> dict[str, Trace]:
        """The traces by id."""
        return {trace.id: trace for trace in self.document.traces}

    @cached_property
    def traces_of(self) -> dict[str, list[Trace]]:
        """The traces that JAX caused, by function."""
        found: defaultdict[str, list[Trace]] = defaultdict(list)
        for trace in self.document.traces:
            if trace.kind != "call":
                found[trace.function].append(trace)
        return found

    @cached_property
    def compilations_of(self) -> dict[str, list[Compilation]]:
        """The compilations by trace."""
        found: defaultdict[str, list[Compilation]] = defaultdict(list)
        for compilation in self.document.compilations:
            if compilation.trace is not None:
                found[compilation.trace].append(compilation)
        return found

    @cached_property
    def ranked(self) -> list[Function]:
        """The user's functions that were traced, compiled or called, the costliest first."""
        users = [f for f in self.document.functions if f.origin == "user" and (f.calls or f.traces or f.compiles)]
        return sorted(users, key=lambda function: (-total(function), not function.calls))

    @cached_property
    def running(self) -> list[Trace]:
        """The user's traces that are going on, the outermost first."""
        return [t for t in self.document.traces if t.status == "running" and self._is_users(t)]

    @cached_property
    def retraces(self) -> list[Trace]:
        """The user's retraces, in order of start."""
        return [t for t in self.document.traces if self._is_users(t) and is_retrace(t)]

    @cached_property
    def avoidable(self) -> list[Trace]:
        """Those retraces that a call outside of any trace caused.

        Others are needed: a helper that one program uses with two shapes is traced for both.
        """
        return [trace for trace in self.retraces if trace.parent is None]

    def cost(self, trace: Trace) -> float:
        """Seconds for tracing, lowering and compiling."""
        compiled = self.compilations_of.get(trace.id, ())
        return trace.seconds + sum(c.lower_seconds + c.seconds for c in compiled)

    def _is_users(self, trace: Trace) -> bool:
        return trace.kind != "call" and self.functions[trace.function].origin == "user"


def total(function: Function) -> float:
    """All seconds that a function cost."""
    return function.seconds.trace + function.seconds.lower + function.seconds.compile


def decisive(reasons: list[Reason]) -> Reason:
    """Why it was not in the cache; how it was asked for decides only where nothing else is told."""
    return next((reason for reason in reasons if reason.kind not in _HOW), reasons[0])


def is_retrace(trace: Trace) -> bool:
    """Whether an earlier trace of the function could have served, had some part of the key been the same."""
    return trace.kind not in BRANCHES and decisive(trace.reasons).kind not in NO_RETRACE
