"""What `%jaxtrace status` says of a recording."""

from __future__ import annotations

from jax_trace_viz.contract.document import Environment
from jax_trace_viz.contract.events import EnvironmentSeen, Fault
from jax_trace_viz.session import Session
from jax_trace_viz.session.health import health_text


def test_a_sound_recording() -> None:
    session = Session()
    session.own_seconds = 0.021
    words = health_text(session)
    assert "- 0 faults of jax_trace_viz's own.\n- All is watched.\n" in words
    assert "took 21 ms of processor time" in words


def test_faults_and_seams_that_are_off_are_named() -> None:
    session = Session()
    session.apply(EnvironmentSeen(environment=Environment(python="3.12.0", limited=["dispatch", "lines"])))
    session.apply(Fault(seam="dispatch", text="TypeError: nonsense (keys.py:7)"))
    words = health_text(session)
    assert "- 1 fault of jax_trace_viz's own:\n    dispatch: TypeError: nonsense (keys.py:7)\n" in words
    assert "- Not watched: dispatch, lines.\n" in words
