"""Which thread parses the user's source, and what the others know of it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jax_trace_viz
from jax_trace_viz.session import session as sessions
from jax_trace_viz.session.graph import GraphOptions, build_graph
from jax_trace_viz.session.source import parsing

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document


@pytest.fixture
def main_thread_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As before Python 3.11.8."""
    for module in (parsing, sessions):
        monkeypatch.setattr(module, "ANY_THREAD", False)
    monkeypatch.setattr(parsing, "_kept", parsing.Kept())


def recorded() -> Document:
    def layer(w: Any, x: Any) -> Any:
        hidden = jnp.tanh(w * x)
        return hidden.sum(axis=0)

    @jax.jit
    def loss(w: Any, x: Any) -> Any:
        first = layer(w, x)
        scale = first.mean()
        return first / scale

    with jax_trace_viz.trace() as session:
        loss(np.ones(3), np.ones((2, 3)))
    return session.document()


@pytest.mark.usefixtures("main_thread_alone")
def test_a_graph_that_only_another_thread_has_drawn_has_the_names_of_the_user() -> None:
    document = recorded()
    (trace,) = (one for one in document.traces if one.kind == "jit")
    with ThreadPoolExecutor(1) as pool:
        graph = pool.submit(build_graph, document, trace.id, GraphOptions(depth=9)).result()
    assert "scale = first.mean" in {f"{box.name} = {box.label}" for box in graph.boxes}


@pytest.mark.usefixtures("main_thread_alone")
def test_another_thread_parses_nothing() -> None:
    assert threading.current_thread() is threading.main_thread()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(parsing.tree_of, "x + 1", "eval").result() is None
        tree = parsing.tree_of("x + 1", "eval")
        assert tree is not None
        assert pool.submit(parsing.tree_of, "x + 1", "eval").result() is tree


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_MAX_KEPT", 20)
    kept = parsing.Kept()
    for number in range(100, 120):
        kept.keep(f"name_{number}", "eval", None)
        kept.keep(f"name_{number}", "eval", parsing.tree_of(f"name_{number}", "eval"))
    assert kept.find("name_119", "eval") is not None
    assert kept.find("name_118", "eval") is not None
    assert kept.find("name_117", "eval") is None
