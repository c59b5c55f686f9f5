"""The verdict: one line that answers first, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.chains import causes
from jax_trace_viz.session.evidence import Evidence, total
from jax_trace_viz.session.wording import count_text, cut, seconds_text

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document, Function, Trace, TraceError
    from jax_trace_viz.contract.view import State


def verdict(document: Document, state: State, seconds: float = 0.0) -> str:
    """What happened, in one line. `seconds` is how long a running session lasts so far."""
    evidence = Evidence(document)
    if state == "running":
        return _running(evidence, seconds)
    if document.outcome.status == "error":
        return f"{_failure(evidence)} {_summary(evidence)}".strip()
    return _summary(evidence)


def is_notable(document: Document) -> bool:
    """Whether a cell has something to say unasked: it retraced, failed or has a finding."""
    return document.outcome.status == "error" or bool(document.findings) or bool(Evidence(document).retraces)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count}×")  # noqa: RUF001


def _running(evidence: Evidence, seconds: float) -> str:
    traces = sum(function.traces for function in evidence.ranked)
    words = ["Recording", count_text(traces, "trace")]
    if evidence.retraces:
        words.append(count_text(len(evidence.retraces), "retrace"))
    words.append(seconds_text(seconds))
    running = [t for t in evidence.document.traces if t.status == "running" and t.kind != "call"]
    users = [t for t in running if evidence.functions[t.function].origin == "user"]
    if users:
        trace = users[-1]
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
    if evidence.retraces:
        return _retraced(evidence)
    if any(function.traces for function in evidence.ranked):
        return _traced(evidence)
    calls = sum(function.calls for function in evidence.ranked)
    compiles = sum(function.compiles for function in evidence.ranked)
    if compiles:
        cost = seconds_text(sum(total(function) for function in evidence.ranked))
        return f"Nothing was traced, but {count_text(compiles, 'program')} compiled anew ({cost})."
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
    for trace in evidence.retraces:
        costs[trace.function] = costs.get(trace.function, 0.0) + evidence.cost(trace)
    worst = evidence.functions[max(costs, key=lambda identifier: (_outer(evidence, identifier), costs[identifier]))]
    own = [trace for trace in evidence.retraces if trace.function == worst.id]
    retraces = f"{count_text(len(own), 'retrace')} cost {seconds_text(costs[worst.id])}"
    text = f"{worst.name} was traced {_times(worst.traces)}: {retraces}. {_cause(evidence, own)}"
    others = sum(function != worst.id and _outer(evidence, function) for function in costs)
    return (
        text if not others else f"{text} {count_text(others, 'other function was', 'other functions were')} retraced."
    )


def _outer(evidence: Evidence, function: str) -> bool:
    """Whether a call outside of any trace retraced it: its helpers inside were retraced because of that."""
    return any(trace.parent is None for trace in evidence.retraces if trace.function == function)


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
        return f"{len(traced)} functions were traced, none retraced ({seconds_text(cost)}); {share}."
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
