"""R5: what a recording holds is bounded.

Figures: with a limit of N MB a session takes at most N MB (measured by `tracemalloc`), whatever is traced; what
went is counted by kind, and said in the document, the report and the notebook, with the setting that keeps more; the
numbers of traces stay right.
"""

from __future__ import annotations

import gc
import re
import tracemalloc
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import jax_trace_viz
from jax_trace_viz.exports import html, text
from jax_trace_viz.session.front_end import view
from jax_trace_viz.session.recorded.memory import DEFAULT_MB, VARIABLE, limit_mb

LIMIT_MB = 2.0


@jax.jit
def unrolled(x, table):
    for _ in range(60):
        x = jnp.sin(x) + table["a"]
    return x * table["b"]


def program(shapes: int) -> None:
    for size in range(1, shapes + 1):
        unrolled.trace(jnp.ones(size), {"a": 1.0, "b": 2.0})


@pytest.fixture
def limited() -> jax_trace_viz.Session:
    jax.clear_caches()
    with jax_trace_viz.trace(memory_mb=LIMIT_MB) as session:
        program(40)
    return session


def held_mb(shapes: int, **options: float) -> tuple[float, jax_trace_viz.Session]:
    """What a recording of the program holds while it goes on, and the session after it."""
    jax.clear_caches()
    gc.collect()
    tracemalloc.start(1)
    with jax_trace_viz.trace(**options) as session:
        program(shapes)
        session.document()
        jax.clear_caches()
        gc.collect()
        ours = [tracemalloc.Filter(True, f"*/jax_trace_viz/{part}/*") for part in ("session", "capture")]
        held = tracemalloc.take_snapshot().filter_traces(ours)
        tracemalloc.stop()
    return sum(trace.size for trace in held.traces) / 1e6, session


def test_a_session_takes_no_more_than_its_limit() -> None:
    held_mb(20, memory_mb=LIMIT_MB)
    held, session = held_mb(40, memory_mb=LIMIT_MB)
    assert session.document().dropped.equations > 0
    assert held <= LIMIT_MB


def test_what_a_session_is_said_to_take_is_what_it_takes() -> None:
    held_mb(20)
    held, session = held_mb(40)
    with session.reading() as state:
        said = state.memory.used / 1e6
    assert held <= said <= 1.5 * held


def test_counts_and_reasons_stay(limited: jax_trace_viz.Session) -> None:
    document = limited.document()
    (function,) = [f for f in document.functions if f.name == "unrolled"]
    assert function.traces == 40
    traces = [t for t in document.traces if t.function == function.id]
    assert len(traces) == 40
    assert all(t.reasons for t in traces)
    assert all(t.equations.distinct > 100 for t in traces)


def test_the_oldest_equations_go_and_the_newest_stay(limited: jax_trace_viz.Session) -> None:
    document = limited.document()
    kept = [len(jaxpr.equations) for jaxpr in document.jaxprs]
    assert kept[0] == 0
    assert kept[-1] > 100
    assert document.jaxprs[0].dropped_equations > 100
    assert document.dropped.equations == sum(jaxpr.dropped_equations for jaxpr in document.jaxprs)
    assert document.dropped.memory_mb == LIMIT_MB


def test_everybody_is_told_with_the_setting_that_keeps_more(limited: jax_trace_viz.Session) -> None:
    sentence = "More than 2 MB were recorded, so details went: "
    remedy = f"{VARIABLE}=8, `--memory 8` or `memory_mb=8` keeps more."
    update = view.update(limited)
    for words in (text.report(limited.document()), text.summary(update), update.note, html.page(limited.document())):
        assert sentence in words
        assert remedy.split("`", maxsplit=1)[0] in words


def test_what_is_left_can_be_drawn_and_saved(limited: jax_trace_viz.Session, tmp_path) -> None:
    limited.save(tmp_path / "session.json")
    saved = jax_trace_viz.load(tmp_path / "session.json")
    assert saved.document().dropped == limited.document().dropped
    assert limited.to_svg("unrolled").count("<svg") == 1
    for trace in (limited.traces[0], limited.traces[-1]):
        picture = view.picture_of(limited, trace.id)
        assert picture is not None
    assert view.compare(limited, limited.traces[-1].id, limited.traces[0].id) is not None


def test_even_without_details_no_limit_is_passed() -> None:
    jax.clear_caches()
    with jax_trace_viz.trace(memory_mb=0.05) as session:
        program(40)
    document = session.document()
    (function,) = [f for f in document.functions if f.name == "unrolled"]
    assert function.traces == 40
    assert document.dropped.events > 0
    assert len(document.traces) < 40


@pytest.mark.parametrize(
    ("asked", "given", "expected"),
    [(None, "", DEFAULT_MB), (None, "8", 8.0), (3, "8", 3.0), (None, "much", DEFAULT_MB), (None, "-1", DEFAULT_MB)],
)
def test_the_limit_is_a_setting(asked: float | None, given: str, expected: float) -> None:
    assert limit_mb(asked, {VARIABLE: given}) == expected


@pytest.mark.parametrize("asked", [0, -1, float("nan"), "64", [1]])
def test_a_limit_that_is_none_is_refused(asked: Any) -> None:
    said = f"memory_mb is {asked!r}: it must be a positive number of megabytes"
    with pytest.raises(ValueError, match=re.escape(said)):
        jax_trace_viz.start_recording(memory_mb=asked)
