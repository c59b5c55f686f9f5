"""Findings about retraces that can be avoided."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.contract.document import Finding, Place
from jax_trace_viz.contract.view import Advice
from jax_trace_viz.session.findings.advice import (
    because_of_change,
    because_of_object,
    because_of_spelling,
    for_context,
    for_dtype,
    for_object,
    for_recompile,
    for_shapes,
    for_spelling,
    for_static_value,
    for_structure,
    for_weak_type,
)
from jax_trace_viz.session.reasons.chains import most_saving, together
from jax_trace_viz.session.wording import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jax_trace_viz.session.evidence import Evidence
    from jax_trace_viz.session.reasons.chains import Cause

ADVICE = 100
"""Causes with advice; those that cost less go without."""


@dataclass(frozen=True)
class _Rule:
    finding: str
    because: Callable[[Cause], str]
    fix: Callable[[Cause, Evidence], str]
    least: int = 1
    """Retraces from which on it is a finding: two shapes may well be meant, three or more are a pattern."""


def _of_cause(fix: Callable[[Cause], str]) -> Callable[[Cause, Evidence], str]:
    """What helps, where nothing but the cause is needed to say it."""
    return lambda cause, _: fix(cause)


_RULES = {
    "new_shape": _Rule("changing_shapes", because_of_change, _of_cause(for_shapes), least=2),
    "weak_type": _Rule("weak_type", because_of_change, _of_cause(for_weak_type)),
    "new_static_value": _Rule("varying_static", because_of_change, _of_cause(for_static_value), least=2),
    "new_function_object": _Rule("new_function_object", because_of_object, for_object),
    "new_pytree_structure": _Rule("growing_pytree", because_of_change, _of_cause(for_structure), least=2),
    "kwargs_signature": _Rule("kwargs_spelling", because_of_spelling, _of_cause(for_spelling)),
    "config_context": _Rule("context_toggle", because_of_change, _of_cause(for_context)),
}


def avoidable_retraces(evidence: Evidence) -> Iterator[Finding]:
    """One finding for each function and kind of change, on the part that cost most.

    One more shape may be meant, and so may one more value; both together are as many as two more shapes.
    """
    groups: defaultdict[tuple[str, str], list[Cause]] = defaultdict(list)
    for cause in evidence.retraces.causes:
        if _rule_for(cause) is not None:
            groups[cause.function.id, cause.kind].append(cause)
    single: defaultdict[str, list[Cause]] = defaultdict(list)
    for (function, kind), causes in groups.items():
        rule = _RULES[kind]
        members = [together(causes)] if kind == "kwargs_signature" else causes
        times = sum(map(_with_another_value, members))
        if times >= rule.least or members[0].by_identity or members[0].by_itself:
            yield _finding(evidence, rule, members)
        else:
            single[function] += members
    yield from (_finding_on_several(evidence, causes) for causes in single.values() if len(causes) > 1)


def _with_another_value(cause: Cause) -> int:
    """How many of its traces had another value: one that is given as it is by default was traced before."""
    values = {value.removesuffix(DEFAULT) for value in cause.values}
    return len(cause.traces) if len(values) == len(cause.values) else min(len(cause.traces), len(values) - 1)


def advice(evidence: Evidence) -> list[Advice]:
    """What usually helps, for each cause of retraces and of compilations without a trace, the costliest first."""
    found: list[Advice] = []
    further: list[Advice] = []
    for cause in evidence.retraces.causes:
        text = _fix(evidence, cause)
        if text is not None:
            own = Advice(function=cause.function.id, kind=cause.kind, path=cause.path, text=text)
            found.append(own)
            further += [replace(own, kind=kind, path=path) for kind, path in cause.asked]
    known = {(one.function, one.kind, one.path) for one in found}
    found += [one for one in further if (one.function, one.kind, one.path) not in known]
    for compilation in evidence.recompiled:
        reason = compilation.reasons[0]
        text = for_recompile(evidence.functions[compilation.function].name, reason)
        if text is not None:
            found.append(Advice(function=compilation.function, kind=reason.kind, path=reason.path, text=text))
    return list(dict.fromkeys(found))[:ADVICE]


def _fix(evidence: Evidence, cause: Cause) -> str | None:
    """What helps against a cause: against every part that changed, as one alone saves nothing."""
    rule = _rule_for(cause)
    if rule is not None:
        text = rule.fix(cause, evidence)
    elif cause.kind == "new_dtype":  # no finding: another dtype is seldom chance
        text = for_dtype(cause)
    else:
        text = for_recompile(cause.function.name, cause.first)
    for other in cause.others.values():
        fix = _fix(evidence, other)
        if text is not None and fix is not None:
            text += f" {_named(other)} changed too. {fix}"
    return text


def _named(cause: Cause) -> str:
    return f"`{cause.path}`" if cause.path else "More"


def _rule_for(cause: Cause) -> _Rule | None:
    if cause.kind == "kwargs_signature" and cause.is_mixed:
        return None  # another value was passed in another way: the same way would have traced it again as well
    return _RULES.get(cause.kind)


def _finding(evidence: Evidence, rule: _Rule, members: list[Cause]) -> Finding:
    cause = members[0]
    function = cause.function
    times = sum(len(member.traces) for member in members)
    share = "" if len(members) == 1 else f", {len(cause.traces)} of them"
    again = f"`{function.name}` was traced {'again' if times == 1 else f'{times} more times'}"
    also = cause.also.replace(" and ", "; besides, ", 1) if cause.kind == "new_function_object" else cause.also
    last = cause.traces[-1]
    place = last.call_site
    if cause.kind == "new_function_object" and function.file and function.line:
        place = Place(file=function.file, line=function.line)
    return Finding(
        kind=rule.finding,
        function=function.id,
        trace=last.id,
        text=f"{again}{share} because {rule.because(cause)}{also}.",
        fix=_fix(evidence, cause),
        place=place,
        seconds=sum(member.seconds for member in members),
    )


def _finding_on_several(evidence: Evidence, causes: list[Cause]) -> Finding:
    """On retraces of one function that have nothing in common, none of which is a finding by itself: one of a kind."""
    main = most_saving(causes)
    told = [main, *(cause for cause in causes if not cause.parts <= main.parts)]
    last = main.traces[-1]
    times = sum(len(cause.traces) for cause in causes)
    return Finding(
        kind=_RULES[main.kind].finding,
        function=main.function.id,
        trace=last.id,
        text=f"`{main.function.name}` was traced {times} more times: "
        f"{'; '.join(cause.text + cause.also for cause in told)}.",
        fix=" ".join(filter(None, (_fix(evidence, cause) for cause in told))),
        place=last.call_site,
        seconds=sum(cause.seconds for cause in causes),
    )
