"""Work that is cancelled ends where it is, and leaves nothing half done."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import pytest

import jax_trace_viz
from jax_trace_viz.cancelling import CancelledError, cancelled_by
from jax_trace_viz.exports.registry import EXPORTERS
from jax_trace_viz.session.front_end import view

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.session import Session


def tangled(seed: int) -> Any:
    """A function whose equations use what earlier ones made, near and far."""

    def body(x: Any) -> Any:
        draw, kept = random.Random(seed), [x]
        for _ in range(150):
            one, other = kept[-1], draw.choice(kept)
            kept.append(draw.choice([jnp.sin, jnp.cos, jnp.tanh])(one * other))
        return kept[-1]

    return body


def record() -> Session:
    with jax_trace_viz.trace() as session:
        draw = jax.jit(tangled(0))
        draw.trace(1.0)
        draw.trace(jnp.ones(3))
    return session


def groups(session: Session) -> list[str]:
    graph = view.graph(session, "f1#1")
    assert graph is not None
    return [box.id for box in graph.boxes if box.kind == "group"]


WORK: dict[str, Callable[[Session], Any]] = {
    "graph": lambda session: view.graph(session, "f1#1", groups(session)),
    "changes": lambda session: view.graph(session, "f1#1", other="f1#2"),
    "picture": lambda session: view.picture_of(session, "f1#1"),
    "compare": lambda session: view.compare(session, "f1#1", "f1#2"),
    "search": lambda session: view.found(session, "f1#1", "sin"),
    "svg": lambda session: EXPORTERS["svg"](session.document()),
}


@pytest.fixture(scope="module")
def finished():
    return {name: work(record()) for name, work in WORK.items()}


class Countdown:
    """Cancels when it is asked for the last time."""

    def __init__(self, last: int | None = None) -> None:
        self.asked = 0
        self._last = last

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked == self._last


@pytest.mark.parametrize("name", WORK)
def test_work_may_be_cancelled_anywhere_and_done_again(name: str, finished: dict[str, Any]):
    session, work = record(), WORK[name]
    whole = Countdown()
    with cancelled_by(whole):
        work(record())
    assert whole.asked > 100, "it takes long, and looks often enough whether it is wanted"
    for tenth in range(1, 11):
        last = Countdown(whole.asked * tenth // 10)
        with cancelled_by(last), pytest.raises(CancelledError):
            work(session)
    assert work(session) == finished[name]
