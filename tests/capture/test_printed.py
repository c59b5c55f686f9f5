"""A session that is printed, or stands in the last line of a cell, says what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

import jax_trace_viz

if TYPE_CHECKING:
    import pathlib


def test_a_session_is_printed_as_its_verdict(tmp_path: pathlib.Path) -> None:
    @jax.jit
    def total(x):
        return x.sum()

    with jax_trace_viz.trace() as session:
        total(jnp.ones(3))
        assert repr(session).startswith("<RecordedSession: Recording · 1 trace · ")
        total(jnp.ones(4))
    assert session.verdict.startswith("total was traced twice: 1 retrace cost ")
    assert session.verdict.endswith("Cause: x changed shape f32[3] → f32[4].")
    assert repr(session) == f"<RecordedSession: {session.verdict}>"

    session.save(tmp_path / "session.json")
    assert repr(jax_trace_viz.load(tmp_path / "session.json")) == f"<SavedSession: {session.verdict}>"
