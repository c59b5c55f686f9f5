"""Whichever thread draws a picture, it says the same. Before Python 3.11.8 only the main thread may parse source."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from msgspec.structs import replace

import jax_trace_viz
from jax_trace_viz.session.graph import GraphOptions, build_graph

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document


def attend(query: Any, key: Any) -> Any:
    scores = query @ key.T
    shifted = scores - jnp.max(scores)
    weights = jnp.exp(shifted)
    return weights / jnp.sum(weights)


def model(x: Any) -> Any:
    attended = attend(x, jnp.sin(x))
    return attended * 2


def recorded(size: int) -> Document:
    with jax_trace_viz.trace() as session:
        jax.jit(model).trace(np.ones((size, 4), np.float32))
    return session.document()


def names(document: Document, *wishes: str) -> dict[str, str]:
    """What the boxes are called, by id."""
    trace = next(one.id for one in document.traces if one.jaxpr)
    return {
        one.id: f"{one.name} = {one.label}"
        for one in build_graph(document, trace, GraphOptions(open_boxes=wishes)).boxes
    }


def test_names_are_the_same_on_every_thread() -> None:
    document = recorded(4)
    group = next(id for id, name in names(document).items() if "attend" in name)
    names(document, f"-{group}")  # as the main thread draws it when the cell ends
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(names, document, group).result()
        names(recorded(5))  # a later cell
        later = pool.submit(names, document, group).result()
    here = names(replace(document), group)
    assert {"scores", "shifted", "weights"} <= {name.split(" = ")[0] for name in here.values()}
    assert other == here
    assert later == here
