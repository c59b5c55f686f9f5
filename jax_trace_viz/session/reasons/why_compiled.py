"""Why XLA compiled: the reasons of a compilation, which are not those of a trace.

A compilation that follows a trace happened because of it. One without a trace has causes of its own: another device or
sharding, other donated arguments, cleared caches, a transformation around the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Reason
from jax_trace_viz.session.reasons.key_text import unknown
from jax_trace_viz.session.reasons.keys import Diff, diff_compile_parts, diff_trace_parts
from jax_trace_viz.session.reasons.nearest import nearest
from jax_trace_viz.session.reasons.why_traced import ENTRIES, context_text, same_callable

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Trace
    from jax_trace_viz.contract.key import Key
    from jax_trace_viz.session.reasons.history import FunctionHistory, PastCompilation

UNNAMED_INPUT = "input["
"""How an input of a program is called that is nothing the user passed, as what a backward pass is given."""


def explain_compilation(key: Key | None, trace: Trace | None, past: FunctionHistory) -> list[Reason]:
    """Why this program was compiled; `trace` is the trace that it compiles, if that is compiled for the first time."""
    if trace is not None:
        return [reason for reason in trace.reasons if reason.kind not in ENTRIES] or [Reason(kind="first_call")]
    if not past.compilations:
        return [Reason(kind="first_call")]
    if key is None or not key.described:
        return [unknown(key, past.compilations[-1].key)]
    made = [c for c in past.compilations if (c.key.program if c.key else "") == key.program]
    if not made:
        return [_other_program(key, past.compilations[-1].key)]
    return _variant(key, made) if key.program else _traced(key, made, past)


def _other_program(key: Key, before: Key | None, *, detail: bool = False) -> Reason:
    texts = (_program_text(one, detail=detail) for one in (before, key))
    return Reason(kind="new_transform_context", before=next(texts), after=next(texts))


def _program_text(key: Key | None, *, detail: bool) -> str:
    if key is None:
        return "no transformation"
    if not key.program:
        return context_text(("jit", *key.wrappers)) if key.wrappers else "no transformation"
    return f"{key.program} {key.program_detail}" if detail and key.program_detail else key.program


def _variant(key: Key, made: list[PastCompilation]) -> list[Reason]:
    """What JAX made of a traced program for a transformation differs by what it is run on."""
    known = [(c, c.key) for c in made if c.key is not None]
    alike = [(c, old) for c, old in known if old.program_detail == key.program_detail]
    if not alike:
        index, parts = nearest(key, [old for _, old in known], _all_parts)
        named = [part for part in parts if not (part.path or "").startswith(UNNAMED_INPUT)]
        return [_other_program(key, known[index][1], detail=True), *named]
    known = alike
    of_call = [old.outer for _, old in known if old.outer is not None]
    in_call = nearest(key.outer, of_call, _all_parts)[1] if key.outer is not None and of_call else []
    if in_call:
        return in_call
    index, parts = nearest(key, [old for _, old in known], _all_parts)
    past, old = known[index]
    other = [] if parts or same_callable(key, old) else [Reason(kind="new_function_object")]
    other = other or ([] if parts else _of_other_call(key, [old for _, old in known]))
    return parts or other or [Reason(kind="cache_cleared") if past.cleared else unknown(key, old)]


def _of_other_call(key: Key, past: list[Key]) -> Diff:
    """What differs in the call that the program was made of, and in nothing that it is run on: a static value."""
    alike = [old.outer for old in past if old.outer is not None and not _all_parts(key, old)]
    return nearest(key.outer, alike)[1] if key.outer is not None and alike else []


def _all_parts(new: Key, old: Key) -> Diff:
    return diff_trace_parts(new, old) or diff_compile_parts(new, old)


def _traced(key: Key, made: list[PastCompilation], past: FunctionHistory) -> list[Reason]:
    """The program as it was traced."""
    same = [(c, c.key) for c in made if c.key is not None and c.key.described and _same_jaxpr(key, c.key)]
    if not same:
        # A trace made before (`eval_shape`, an earlier cell) is compiled for the first time.
        known = any(_same_jaxpr(key, trace.key) for trace in past.traces)
        return [Reason(kind="first_call")] if known else _without_body(key, made)
    index, parts = nearest(key, [old for _, old in same], diff_compile_parts)
    return parts or [_without_difference(key, *same[index])]


def _without_body(key: Key, made: list[PastCompilation]) -> list[Reason]:
    """A program whose trace ran no body: what it calls is jitted itself, and that was traced before."""
    past = [c.key for c in made if c.key is not None and c.key.described]
    alike = [old for old in past if same_callable(key, old)]
    if alike:
        _, parts = nearest(key, alike)
        return parts
    context = [old for old in past if old.wrappers == key.wrappers]
    if context:
        _, parts = nearest(key, context)
        return [Reason(kind="new_function_object", before="one", after=f"another {key.made_by or 'one'}"), *parts]
    if not past:
        return [unknown(key, made[-1].key)]
    texts = (context_text(("jit", *wrappers)) for wrappers in (past[-1].wrappers, key.wrappers))
    return [Reason(kind="new_transform_context", before=next(texts), after=next(texts))]


def _same_jaxpr(new: Key, old: Key) -> bool:
    return same_callable(new, old) and not diff_trace_parts(new, old)


def _without_difference(key: Key, past: PastCompilation, old: Key) -> Reason:
    if past.cleared:
        return Reason(kind="cache_cleared")
    # What `.compile()` returned is never used by a later call of the jitted function.
    return Reason(kind="first_call") if past.ahead_of_time else unknown(key, old)
