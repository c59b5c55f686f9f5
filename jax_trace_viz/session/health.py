"""How a recording itself does, in words: what failed, what is not watched, what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.wording import count_text, seconds_text

if TYPE_CHECKING:
    from jax_trace_viz.session.session import Session


def health_text(session: Session) -> str:
    """One line each about faults, seams that are off, and our own processor time, as far as it was measured."""
    with session.reading() as state:
        faults, limited = list(state.faults), list(state.environment.limited)
        traced = sum(trace.seconds or 0.0 for trace in state.traces.records.all() if trace.parent is None)
    lines = [
        "The newest recording:",
        f"- {count_text(len(faults), 'fault')} of jax_trace_viz's own{':' if faults else '.'}",
        *(f"    {fault}" for fault in faults),
        f"- Not watched: {', '.join(limited)}." if limited else "- All is watched.",
        f"- Formatting what the hooks noted took {seconds_text(session.own_seconds)} of processor time in "
        f"{seconds_text(session.seconds)}.",
    ]
    if traced:
        lines.append(
            f"- The hooks took about {seconds_text(session.hook_seconds)}, and the traced functions "
            f"{seconds_text(traced)} with them. Each hook of a call and of a function's begin and end was timed; what "
            "Python itself needs to tell of calls and lines was not."
        )
    return "\n".join(lines)
