"""The verdict: one line that answers first, in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from jax_trace_viz.session.evidence import Evidence, total
from jax_trace_viz.session.findings.errors import headline
from jax_trace_viz.session.findings.stale import changed_since
from jax_trace_viz.session.reasons.chains import most_saving
from jax_trace_viz.session.reasons.why_traced import UNCACHED
from jax_trace_viz.session.wording import count_text, error_text, reason_text, seconds_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.document import Compilation, Document, Function, Trace, TraceError
    from jax_trace_viz.contract.environment import Environment
    from jax_trace_viz.contract.view import State
    from jax_trace_viz.session.reasons.chains import Cause

KNOWN_JAX = "0.6.2 to 0.12"
"""The versions that are tested (`TARGETS` in tools/compat.py, with which a test compares them)."""


def verdict(document: Document, state: State, seconds: float = 0.0) -> str:
    """What happened, in one line. `seconds` is how long a running session lasts so far."""
    return verdict_on(Evidence(document), state, seconds)


def verdict_on(evidence: Evidence, state: State, seconds: float = 0.0) -> str:
    """As `verdict`, where the evidence is at hand."""
    if state == "running":
        return _running(evidence, seconds)
    if evidence.outcome.status != "error":
        return _summary(evidence) + _stale(evidence) + _unseen(evidence)
    failure = _failure(evidence)
    if not evidence.retraces.causes:
        return failure
    end = "" if failure.endswith((".", "!", "?", "…")) else "."
    return f"{failure}{end} {_again(evidence)}"


def is_notable(document: Document) -> bool:
    """Whether a cell has something to say unasked: it retraced, failed or has a finding."""
    return document.outcome.status == "error" or bool(document.findings) or bool(Evidence(document).retraces.causes)


def explains_the_end(document: Document) -> bool:
    """Whether an error ended the program that we have an explanation for."""
    return document.outcome.status == "error" and headline(Evidence(document)) is not None


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,}×")


def _running(evidence: Evidence, seconds: float) -> str:
    traces = sum(function.traces for function in evidence.ranked)
    words = ["Recording", count_text(traces, "trace")]
    if evidence.retraces.causes:
        words.append(count_text(sum(len(cause.traces) for cause in evidence.retraces.causes), "retrace"))
    words.append(seconds_text(seconds))
    if evidence.running:
        trace = evidence.running[-1]
        staged = count_text(trace.equations.distinct, "equation")
        words.append(f"tracing {evidence.functions[trace.function].name}: {staged}")
    return " · ".join(words)


def _failure(evidence: Evidence) -> str:
    explained = headline(evidence)
    if explained is not None:
        return explained
    outcome = evidence.outcome
    failed = [t for t in evidence.failed if t.error is not None and t.error.type == outcome.type]
    users = [t for t in failed if evidence.functions[t.function].origin == "user"]
    if users and users[-1].error is not None:
        return _stopped(evidence, evidence.functions[users[-1].function], users[-1].error)
    at = evidence.line_text(outcome.file, outcome.line)
    return f"The program stopped{f' at {at}' if at else ''}: {error_text(outcome.type or 'an error', outcome.message)}"


def _stopped(evidence: Evidence, function: Function, error: TraceError) -> str:
    at = evidence.line_text(error.file, error.line)
    return f"Tracing {function.name} stopped{f' at {at}' if at else ''}: {error_text(error.type, error.message)}"


def _summary(evidence: Evidence) -> str:
    if evidence.retraces.causes:
        return _again(evidence)
    if any(function.traces for function in evidence.ranked):
        return _traced(evidence) + _asked_again(evidence) + _inside(evidence) + _recompiled(evidence)
    environment = evidence.environment
    if environment is not None and "staging" in environment.limited:
        return _unknown(environment)  # no trace counted does not mean that there was none
    compiles = sum(function.compiles for function in evidence.ranked)
    if compiles:
        cost = seconds_text(sum(total(function) for function in evidence.ranked))
        programs = count_text(compiles, "program was", "programs were")
        return f"Nothing was traced, but {programs} compiled anew ({cost}).{_recompiled(evidence)}"
    return _hits(evidence)


def _hits(evidence: Evidence) -> str:
    calls = sum(function.calls for function in evidence.ranked)
    if calls == 1:
        return "The only call was a cache hit: nothing was traced."
    if calls:
        return f"All {calls:,} calls were cache hits: nothing was traced."
    return _nothing(evidence)


def _unknown(environment: Environment) -> str:
    return (
        f"JAX {environment.jax or ''} traces in a way that this version of jax_trace_viz does not know, so nothing can "
        f"be said of what ran. It knows JAX {KNOWN_JAX}: upgrade the older of the two."
    )


def _nothing(evidence: Evidence) -> str:
    eager = [f for f in evidence.functions.values() if f.origin == "library" and f.compiles]
    if not eager:
        return "No jitted function ran."
    programs = sum(function.compiles for function in eager)
    cost = seconds_text(sum(function.seconds.lower + function.seconds.compile for function in eager))
    what = f"{count_text(programs, 'program')} for single operations or inside libraries"
    return f"No jitted function of yours ran; JAX compiled {what} ({cost})."


def _again(evidence: Evidence) -> str:
    """Retraces; before them what was compiled again without a trace, where that cost more."""
    worst = max(_users_programs(evidence), key=_cost, default=None)
    if worst is None:
        return _retraced(evidence)
    own = [one for one in evidence.recompiled if one.function == worst.function]
    cost = sum(map(_cost, own))
    if cost <= sum(cause.seconds for cause in evidence.retraces.causes):
        return _retraced(evidence)
    name, why = evidence.functions[worst.function].name, reason_text(worst.reasons[0])
    times = "again" if len(own) == 1 else f"{len(own)} more times"
    return f"{name} was compiled {times} without a trace ({seconds_text(cost)}): {why}. {_retraced(evidence)}"


def _users_programs(evidence: Evidence) -> list[Compilation]:
    """What was compiled again though nothing was traced again."""
    return [c for c in evidence.recompiled if evidence.functions[c.function].origin == "user"]


def _cost(compilation: Compilation) -> float:
    return compilation.lower_seconds + compilation.seconds


def _retraced(evidence: Evidence) -> str:
    """Names the function whose retraces cost most, and what caused most of that."""
    costs: dict[str, float] = {}
    for cause in evidence.retraces.causes:
        costs[cause.function.id] = costs.get(cause.function.id, 0.0) + cause.seconds
    worst = evidence.functions[max(costs, key=lambda identifier: costs[identifier])]
    own = [cause for cause in evidence.retraces.causes if cause.function.id == worst.id]
    count = sum(len(cause.traces) for cause in own)
    retraces = f"{count_text(count, 'retrace')} cost {seconds_text(costs[worst.id])}"
    others = count_text(len(costs) - 1, "other function was", "other functions were")
    more = f" {others} retraced." if len(costs) > 1 else ""
    # The first trace may belong to an earlier recording.
    times = _times(worst.traces) + (" more" if count == worst.traces else "")
    return f"{worst.name} was traced {times}: {retraces}. {_cause(own)}{more}"


def _inside(evidence: Evidence) -> str:
    """Functions that one trace needed several times, as for several shapes: no fault, but good to know."""
    if not evidence.retraces.inner:
        return ""
    most = evidence.functions[evidence.retraces.inner.most_common(1)[0][0]]
    return f" Inside other traces, {most.name} was traced {_times(most.traces)}."


def _stale(evidence: Evidence) -> str:
    """What a cached program does not know: nobody may take such hits for good ones."""
    changes = list(changed_since(evidence))
    if not changes:
        return ""
    more = f" {count_text(len(changes) - 1, 'more value')} changed." if len(changes) > 1 else ""
    return f" But {changes[0]}.{more}"


def _unseen(evidence: Evidence) -> str:
    """What is in no count, so that nobody takes it for zero."""
    text = ""
    switched = next((unseen for unseen in evidence.unseen if unseen.what == "disable_jit"), None)
    if switched is not None:
        since = f" ({evidence.line_at(switched.place)})" if switched.place else ""
        text += f" Calls under jax.disable_jit{since} are not seen."
    for what, maker in (("ahead_of_time", ".lower().compile()"), ("pmap", "jax.pmap")):
        made = {unseen.function: None for unseen in evidence.unseen if unseen.what == what}
        names = [f.name for f in map(evidence.functions.get, filter(None, made)) if f is not None and not f.calls]
        if names:
            text += f" Calls of what {maker} made of {' and '.join(names)} are not seen."
    return text


def _recompiled(evidence: Evidence) -> str:
    """Programs that were compiled again though nothing was traced again."""
    first = next(iter(_users_programs(evidence)), None)
    return f" Compiled again without a trace: {reason_text(first.reasons[0])}." if first else ""


def _cause(found: list[Cause]) -> str:
    """The cause without which most would be saved; what needs no more than that is no cause of its own."""
    main = found[0] if len(found) == 1 else most_saving(found)
    parts = main.parts
    rest = sum(not cause.parts <= parts for cause in found)
    more = f", and {count_text(rest, 'more cause')}" if rest else ""
    return f"{'Main cause' if more else 'Cause'}: {main.text}{main.also}{more}."


def _traced(evidence: Evidence) -> str:
    traced = [function for function in evidence.ranked if function.traces]
    if len(traced) > 1:
        most = evidence.ranked[0]
        share = f"{most.name} cost most" if total(most) else f"{most.name} first"
        retraced = "" if any(function.traces > 1 for function in traced) else ", none retraced"
        compiled = sum(bool(function.compiles and not function.traces) for function in evidence.ranked)
        more = f", {compiled} more only compiled" if compiled else ""
        return f"{len(traced)} functions were traced{retraced}{more} ({seconds_text(evidence.spent)}); {share}."
    (function,) = traced
    traces = evidence.traces_of(function.id)
    # A program of its name is a library's jit around it (`eqx.filter_jit` of `eqx.filter_grad`), which keeps traces.
    if function.id in evidence.uncached and function.name not in evidence.library_programs:
        return f"{function.name} was traced {_times(function.traces)}{_uncached(traces)}."
    compiled = f", compiled {_times(function.compiles)}" if function.compiles else ""
    hits = f"; {count_text(function.cache_hits, 'call was a cache hit', 'calls were cache hits')}"
    rest = hits if function.cache_hits else ""
    cost = seconds_text(total(function))
    objects = sum(trace.reasons[0].kind == "new_function_object" for trace in traces)
    # The first one may belong to an earlier recording.
    each = f" for {min(objects + 1, len(traces))} function objects" if objects and len(traces) > 1 else ""
    times = f"{_times(function.traces)}{each}{compiled}"
    return f"{function.name} was traced {times} ({cost}){rest}.{_only_compiled(evidence)}"


def _only_compiled(evidence: Evidence) -> str:
    """What else the program waited for: functions that JAX had the traces of."""
    compiled = [function for function in evidence.ranked if function.compiles and not function.traces]
    if not compiled:
        return ""
    were = f"{compiled[0].name} was" if len(compiled) == 1 else f"{len(compiled)} more functions were"
    return f" {were} only compiled ({seconds_text(sum(map(total, compiled)))})."


def _asked_again(evidence: Evidence) -> str:
    """Why a program that was asked for by `.lower()` needed another trace than the one before."""
    asked = (trace for function in evidence.ranked for trace in evidence.traces_of(function.id)[1:])
    found = [trace for trace in asked if trace.reasons[0].kind == "aot_lower" and len(trace.reasons) > 1]
    if not found or found[-1].reasons[1].kind == "unknown":
        return ""
    last = found[-1]
    return f" {evidence.functions[last.function].name} was traced again because {reason_text(last.reasons[1])}."


def _uncached(traces: Sequence[Trace]) -> str:
    """Why so many traces: all ran outside of any jit; or some, where it was traced for a jit or a loop as well."""
    kinds = Counter(trace.kind for trace in traces if trace.kind in UNCACHED)
    elsewhere = any(reason.kind == "new_transform_context" for trace in traces for reason in trace.reasons)
    if kinds.total() == len(traces) and not elsewhere:
        return ": outside jit nothing keeps a trace"
    kind, count = kinds.most_common(1)[0]
    return f", {_times(count)} under {kind}, which keeps no trace; a jit around the whole would"
