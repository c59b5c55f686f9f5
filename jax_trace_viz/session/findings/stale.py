"""Findings about values that changed after a trace had read them, which cached programs do not notice."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Finding
from jax_trace_viz.session.wording import rounded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Function, StaleValue
    from jax_trace_viz.session.evidence import Evidence


_SINGLE = 1e-6
"""How far a number may be from what Python calls it, in single precision."""


def stale_values(evidence: Evidence) -> Iterator[Finding]:
    """Each value that had changed when a call was answered from the cache, told once."""
    for function in evidence.functions.values():
        for value in function.stale:
            yield Finding(
                kind="stale_value",
                function=function.id,
                trace=value.trace,
                text=f"{_change(evidence, function, value)}.",
                fix=_fix(evidence, function, value),
                place=value.place,
            )


def changed_since(evidence: Evidence) -> Iterator[str]:
    """The same changes, each as a clause without its full stop."""
    for function in evidence.functions.values():
        for value in function.stale:
            yield _change(evidence, function, value)


def _change(evidence: Evidence, function: Function, value: StaleValue) -> str:
    return rounded(f"{_what(value)} after `{function.name}` was traced; {_still(evidence, value)}")


def _what(value: StaleValue) -> str:
    name = f"`{value.name}`"
    match value.kind:
        case "array":
            types = value.before if value.before == value.after else f"{value.before} → {value.after}"
            return f"{name} became another array ({types})"
        case "in_place":
            return f"{name} ({value.before}) was changed in place"
        case "function":
            return f"{name} was defined anew"
        case _:
            return f"{name} changed {value.before} → {value.after}"


def _still(evidence: Evidence, value: StaleValue) -> str:
    match value.kind:
        case "array":
            return f"the cached program {'was made with' if value.computed else 'still uses'} the earlier one"
        case "in_place":
            return f"the cached program {'was made with' if value.computed else 'still has'} the earlier contents"
        case "contents":
            return "the cached program was made with the earlier contents"
        case "function":
            return "the cached program still does what the earlier one did"
        case _:
            used = "still uses" if _is_literal(evidence, value) else "was made with"
            return f"the cached program {used} {value.before}"


def _is_literal(evidence: Evidence, value: StaleValue) -> bool:
    """Whether the number stands in the jaxpr."""
    trace = evidence.traces.get(value.trace or "")
    jaxpr = evidence.jaxprs.get(trace.jaxpr or "") if trace is not None else None
    literals = (
        [text for e in jaxpr.equations for text in e.inputs if isinstance(text, str)] if jaxpr is not None else []
    )
    wanted = _number(value.before)
    found = (_number(text.partition(":")[0]) for text in literals)
    return wanted is not None and any(n is not None and math.isclose(n, wanted, rel_tol=_SINGLE) for n in found)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _fix(evidence: Evidence, function: Function, value: StaleValue) -> str:
    if value.kind == "function":
        return f"Run the definition of `{function.name}` again too: then it is jitted anew."
    is_constant = value.kind in ("array", "in_place") and not value.computed
    certain = is_constant or (value.kind == "value" and _is_literal(evidence, value))
    condition = "" if certain else f"If the result depends on `{value.name}`: "
    passing = f"{'Pass' if certain else 'pass'} `{value.name}` to `{function.name}` as an argument"
    computing = ", and compute with `jax.numpy`" if value.computed else ""
    return f"{condition}{passing}{computing}. What comes from outside is read once, while tracing."
