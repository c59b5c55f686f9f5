"""The verdict: one line that answers first, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.chains import causes
from jax_trace_viz.session.evidence import Evidence, total
from jax_trace_viz.session.wording import count_text, cut, reason_text, seconds_text

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document, Function, Trace, TraceError
    from jax_trace_viz.contract.view import State


RECOMPILED = frozenset({"sharding_or_device", "donation", "cache_cleared"})
"""Reasons to compile again what was traced before."""


def verdict(document: Document, state: State, seconds: float = 0.0) -> str:
    """What happened, in one line. `seconds` is how long a running session lasts so far."""
    evidence = Evidence(document)
    if state == "running":
        return _running(evidence, seconds)
    if document.outcome.status != "error":
        return _summary(evidence)
    return f"{_failure(evidence)} {_retraced(evidence)}" if evidence.avoidable else _failure(evidence)


def is_notable(document: Document) -> bool:
    """Whether a cell has something to say unasked: it retraced, failed or has a finding."""
    return document.outcome.status == "error" or bool(document.findings) or bool(Evidence(document).avoidable)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count}×")


def _running(evidence: Evidence, seconds: float) -> str:
    traces = sum(function.traces for function in evidence.ranked)
    words = ["Recording", count_text(traces, "trace")]
    if evidence.avoidable:
        words.append(count_text(len(evidence.avoidable), "retrace"))
    words.append(seconds_text(seconds))
    if evidence.running:
        trace = evidence.running[-1]
        staged = count_text(trace.equations.distinct, "equation")
        words.append(f"tracing {evidence.functions[trace.function].name}: {staged}")
    return " · ".join(words)


def _failure(evidence: Evidence) -> str:
    outcome = evidence.document.outcome
    failed = [t for t in evidence.document.traces if t.error is not None and t.error.type == outcome.type]
    users = [t for t in failed if evidence.functions[t.function].origin == "user"]
    if users and users[-1].error is not None:
        return _stopped(evidence.functions[users[-1].function], users[-1].error)
    where = f" at line {outcome.line}" if outcome.line else ""
    what = f"{outcome.type or 'an error'}: {cut(outcome.message)}" if outcome.message else outcome.type or "an error"
    return f"The program stopped{where}: {what}"


def _stopped(function: Function, error: TraceError) -> str:
    where = f" at line {error.line}" if error.line else ""
    return f"Tracing {function.name} stopped{where}: {error.type}: {cut(error.message)}"


def _summary(evidence: Evidence) -> str:
    if evidence.avoidable:
        return _retraced(evidence)
    if any(function.traces for function in evidence.ranked):
        return _traced(evidence) + _inside(evidence) + _recompiled(evidence)
    calls = sum(function.calls for function in evidence.ranked)
    compiles = sum(function.compiles for function in evidence.ranked)
    if compiles:
        cost = seconds_text(sum(total(function) for function in evidence.ranked))
        programs = count_text(compiles, "program was", "programs were")
        return f"Nothing was traced, but {programs} compiled anew ({cost}).{_recompiled(evidence)}"
    if calls == 1:
        return "The only call was a cache hit: nothing was traced."
    if calls:
        return f"All {calls} calls were cache hits: nothing was traced."
    return _nothing(evidence)


def _nothing(evidence: Evidence) -> str:
    eager = [f for f in evidence.document.functions if f.origin == "library" and f.compiles]
    if not eager:
        return "No jitted function ran."
    programs = sum(function.compiles for function in eager)
    cost = seconds_text(sum(function.seconds.lower + function.seconds.compile for function in eager))
    return f"No jitted function of yours ran; JAX compiled {count_text(programs, 'operation')} one by one ({cost})."


def _retraced(evidence: Evidence) -> str:
    """Names the function whose retraces cost most, and what caused most of that."""
    costs: dict[str, float] = {}
    for trace in evidence.avoidable:
        costs[trace.function] = costs.get(trace.function, 0.0) + evidence.cost(trace)
    worst = evidence.functions[max(costs, key=lambda identifier: costs[identifier])]
    own = [trace for trace in evidence.avoidable if trace.function == worst.id]
    retraces = f"{count_text(len(own), 'retrace')} cost {seconds_text(costs[worst.id])}"
    others = count_text(len(costs) - 1, "other function was", "other functions were")
    more = f" {others} retraced." if len(costs) > 1 else ""
    return f"{worst.name} was traced {_times(worst.traces)}: {retraces}. {_cause(evidence, own)}{more}"


def _inside(evidence: Evidence) -> str:
    """Functions that one trace needed several times, as for several shapes: no fault, but good to know."""
    inner = [trace.function for trace in evidence.retraces]
    if not inner:
        return ""
    most = evidence.functions[max(inner, key=inner.count)]
    return f" Inside other traces, {most.name} was traced {_times(most.traces)}."


def _recompiled(evidence: Evidence) -> str:
    """Programs that were compiled again though nothing was traced again."""
    users = {function.id for function in evidence.ranked}
    reasons = [
        compilation.reasons[0]
        for compilation in evidence.document.compilations
        if compilation.trace is None and compilation.function in users and compilation.reasons[0].kind in RECOMPILED
    ]
    return f" Compiled again without a trace: {reason_text(reasons[0])}." if reasons else ""


def _cause(evidence: Evidence, retraces: list[Trace]) -> str:
    found = causes(evidence, retraces)
    more = f", and {count_text(len(found) - 1, 'more cause')}" if len(found) > 1 else ""
    return f"{'Main cause' if more else 'Cause'}: {found[0].text}{more}."


def _traced(evidence: Evidence) -> str:
    traced = [function for function in evidence.ranked if function.traces]
    cost = sum(total(function) for function in traced if _is_outermost(evidence, function))
    if len(traced) > 1:
        most = traced[0]
        share = f"{most.name} cost most" if total(most) else f"{most.name} first"
        retraced = "" if evidence.retraces else ", none retraced"
        return f"{len(traced)} functions were traced{retraced} ({seconds_text(cost)}); {share}."
    (function,) = traced
    uncached = sum(t.reasons[0].kind == "uncached_transform" for t in evidence.traces_of[function.id])
    if uncached:
        return f"{function.name} was traced {_times(function.traces)}: outside jit nothing keeps a trace."
    compiled = f", compiled {_times(function.compiles)}" if function.compiles else ""
    hits = f"; {count_text(function.cache_hits, 'call was a cache hit', 'calls were cache hits')}"
    rest = hits if function.cache_hits else ""
    return f"{function.name} was traced {_times(function.traces)}{compiled} ({seconds_text(cost)}){rest}."


def _is_outermost(evidence: Evidence, function: Function) -> bool:
    """Whether its time is not contained in another function's trace."""
    return any(trace.parent is None for trace in evidence.traces_of[function.id])
