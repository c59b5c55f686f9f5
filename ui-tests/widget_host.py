"""A Python process behind a widget on a plain page: lines of JSON instead of a kernel's messages."""

from __future__ import annotations

import json
import sys

import jax
import jax.numpy as jnp

import jax_trace_viz
from jax_trace_viz.jupyter.widget import TraceWidget


@jax.jit
def model(x):  # noqa: ANN001, ANN201
    """Traced once per shape."""
    hidden = jax.nn.softmax(x @ jnp.ones((4, 4)))
    return jnp.tanh(hidden).sum()


def tell(message: object, buffers: object = None) -> None:
    """Writes one line."""
    del buffers
    print(json.dumps(message), flush=True)  # noqa: T201


def main() -> None:
    """Tells the widget's state, then answers what its front end sends."""
    with jax_trace_viz.trace() as session:
        for rows in (2, 3):
            model(jnp.ones((rows, 4)))
    widget = TraceWidget(session)
    widget.send = tell
    tell(widget.get_state(["_esm", "update"]))
    for line in sys.stdin:
        widget._handle_custom_msg(json.loads(line), [])  # noqa: SLF001


main()
