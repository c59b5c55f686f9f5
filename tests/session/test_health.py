"""What `%jaxtrace status` says of a recording."""

from __future__ import annotations

import jax
import jax.numpy as jnp

import jax_trace_viz
from jax_trace_viz.contract.environment import Environment
from jax_trace_viz.contract.events import EnvironmentSeen, Fault
from jax_trace_viz.session import Session
from jax_trace_viz.session.health import health_text
from jax_trace_viz.session.wording import seconds_text


def test_a_sound_recording() -> None:
    session = Session()
    session.own_seconds = 0.021
    words = health_text(session)
    assert "- 0 faults of jax_trace_viz's own.\n- All is watched.\n" in words
    assert "took 21 ms of processor time" in words
    assert "hooks" not in words.partition("took")[2]  # nothing was traced


def test_the_time_of_the_hooks_is_told_beside_that_of_the_traces() -> None:
    jax.clear_caches()
    with jax_trace_viz.trace() as session:
        jax.jit(jax.vmap(lambda x: x * 2)).trace(jnp.ones(3))
    traced = sum(trace.seconds or 0 for trace in session.traces if trace.parent is None)
    assert 0 < session.hook_seconds < session.seconds
    words = (
        f"took about {seconds_text(session.hook_seconds)}, and the traced functions {seconds_text(traced)} with them"
    )
    assert words in health_text(session)


def test_faults_and_seams_that_are_off_are_named() -> None:
    session = Session()
    session.apply(EnvironmentSeen(environment=Environment(python="3.12.0", limited=["dispatch", "lines"])))
    session.apply(Fault(seam="dispatch", text="TypeError: nonsense (keys.py:7)"))
    words = health_text(session)
    assert "- 1 fault of jax_trace_viz's own:\n    dispatch: TypeError: nonsense (keys.py:7)\n" in words
    assert "- Not watched: dispatch, lines.\n" in words
