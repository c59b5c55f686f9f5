"""Pictures of a trace while it goes on, of real jaxprs that are cut off after each equation."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from jax_trace_viz.contract.document import Document
from jax_trace_viz.contract.environment import Environment, Outcome
from jax_trace_viz.session.front_end.growing import Growing
from tests.session.graph.checks import check_picture
from tests.session.graph.gallery import RECORDINGS
from tests.session.graph.support import traced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jax_trace_viz.contract.picture import Graph

X = np.ones((4, 8), np.float32)
LAYERS = [{"w": np.ones((8, 8), np.float32), "b": np.ones(8, np.float32)} for _ in range(5)]


def layer(p: dict[str, Any], x: Any) -> Any:
    h = x @ p["w"] + p["b"]
    return jax.nn.gelu(h - jnp.mean(h, axis=-1, keepdims=True))


def forward(params: list[dict[str, Any]], x: Any) -> Any:
    for p in params:
        x = layer(p, x)
    return jnp.mean(x**2)


def training(params: list[dict[str, Any]], x: Any) -> Any:
    loss, grads = jax.value_and_grad(forward)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def loops(x: Any) -> Any:
    y, _ = jax.lax.scan(lambda c, s: (jnp.sin(c) * s, c.sum()), x, np.ones((3, 4, 8), np.float32))
    z = jax.lax.cond(y.sum() > 0, jnp.tanh, lambda v: v * 2, y)
    return jax.lax.fori_loop(0, 3, lambda i, v: v + jnp.cos(z) * i, x)


def unlike(x: Any) -> Any:
    a, b = jnp.sin(x), jnp.cos(x)
    for _ in range(3):
        a = jnp.tanh(a @ b.T) @ x
    return jnp.where(a > b, a, b).sum() + jnp.linalg.norm(a)


def growing(program: Callable[..., Any], *arguments: Any, step: int) -> Iterator[Graph]:
    """The pictures of a trace, one after each step of equations."""
    tape = traced(program, *arguments)
    (trace,) = tape.traces
    whole = tape.jaxprs[trace.jaxpr or ""]
    pictures = Growing()
    for count in range(1, len(whole.equations) + 1, step):
        cut = replace(whole, equations=whole.equations[:count], outputs=[])
        document = Document(
            environment=Environment(python="3"),
            outcome=Outcome(status="running"),
            functions=tape.functions,
            traces=[replace(trace, status="running")],
            compilations=[],
            annotations=[],
            findings=[],
            jaxprs=[cut if one is whole else one for one in tape.jaxprs.values()],
            frames=tape.frames,
        )
        yield pictures.graph(document, document.traces[0])


@pytest.mark.parametrize(
    ("program", "arguments", "step"),
    [(forward, (LAYERS, X), 1), (training, (LAYERS, X), 5), (loops, (X,), 1), (unlike, (X,), 1)],
)
def test_what_is_drawn_stays_where_it_is(program: Callable[..., Any], arguments: tuple[Any, ...], step: int) -> None:
    before: dict[str, tuple[float, float]] = {}
    stayed = moved = 0
    for graph in growing(program, *arguments, step=step):
        check_picture(graph)
        now = {box.id: (box.x, box.y) for box in graph.boxes}
        both = before.keys() & now.keys()
        moved += sum(before[one] != now[one] for one in both)
        stayed += len(both)
        before = now
    assert stayed > 50
    assert moved == 0


def test_library_frames_that_lead_to_scopes_or_users_code_are_no_groups() -> None:
    """Flax goes through eight functions of its own from `apply` to the module: nobody is to open these one by one."""
    document = msgspec.json.decode(gzip.decompress((RECORDINGS / "transformer.json.gz").read_bytes()), type=Document)
    trace = max((t for t in document.traces if t.jaxpr), key=lambda trace: trace.equations.expanded)
    whole = next(one for one in document.jaxprs if one.id == trace.jaxpr)
    pictures = Growing()
    for count in (20, 60, 100, 140):
        cut = replace(whole, equations=whole.equations[:count], outputs=[])
        running = replace(
            document,
            traces=[replace(trace, status="running")],
            jaxprs=[cut if one is whole else one for one in document.jaxprs],
        )
        graph = pictures.graph(running, running.traces[0])
        check_picture(graph)
        boxes = {box.id: box for box in graph.boxes}
        attention = next((box for box in graph.boxes if box.label.startswith("MultiHeadDotProduct")), None)
        if count < 60:
            continue
        assert attention is not None
        around, box = list[str](), attention
        while box.parent is not None:
            box = boxes[box.parent]
            around.append(box.label)
        assert around == ["Block_0", "Transformer", "model.apply", "jax.value_and_grad(loss_fn)"]
