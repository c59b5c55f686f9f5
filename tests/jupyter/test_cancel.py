"""A request that nobody waits for any more: a real kernel stops its work, and answers the next one."""

from __future__ import annotations

import queue

import msgspec
import pytest

from jax_trace_viz.contract.view import Answer

pytestmark = pytest.mark.kernel

TANGLED = """\
%%jaxtrace
import random, jax, jax.numpy as jnp
def body(x):
    draw, kept = random.Random(0), [x]
    for _ in range(8_000):
        one, other = kept[-1], draw.choice(kept)
        kept.append(draw.choice([jnp.sin, jnp.cos, jnp.tanh])(one * other))
    return kept[-1]
jax.jit(body).trace(1.0)
"""
"""A drawing of all its groups takes minutes, much longer than a test waits for an answer."""


def subshell(kernel):
    identity = kernel.client.kernel_info()
    while (info := kernel.client.get_shell_msg(timeout=30))["parent_header"]["msg_id"] != identity:
        pass
    if "kernel subshells" not in info["content"].get("supported_features", []):
        pytest.skip("this ipykernel has no subshells")
    return kernel.control("create_subshell_request")["subshell_id"]


@pytest.fixture(scope="module")
def tangled(kernel):
    """What all of a graph is asked for by."""
    update = kernel.run(TANGLED).updates()[-1]
    about = {"session": update["session"], "trace": update["traces"][0]["id"]}
    comm = kernel.open_rpc()
    kernel.ask(comm, {"id": 1, "method": "graph", **about})
    graph = msgspec.convert(kernel.answer(comm), Answer).graph
    groups = [box.id for box in graph.boxes if box.kind == "group"]
    return {"method": "graph", **about, "open_boxes": groups}


@pytest.mark.parametrize("where", ["main shell", "subshell", "subshell while a cell runs"])
def test_what_is_cancelled_makes_room_for_the_next_request(kernel, tangled, where):
    shell = subshell(kernel) if where != "main shell" else None
    comm = kernel.open_rpc(subshell=shell)
    running = kernel.start("import time\ntime.sleep(300)") if where.endswith("runs") else None
    kernel.ask(comm, {"id": 1, **tangled}, subshell=shell)
    kernel.ask(comm, {"id": 2, **tangled, "method": "search", "text": "tanh"}, subshell=shell)
    with pytest.raises(queue.Empty):  # the first takes long
        kernel.answer(comm, timeout=1)
    kernel.ask(comm, {"id": 3, "method": "cancel", "cancelled": 1}, subshell=shell)
    cancelled, found = (msgspec.convert(kernel.answer(comm), Answer) for _ in range(2))
    assert (cancelled.id, cancelled.error, cancelled.graph) == (1, "This was cancelled.", None)
    assert found.id == 2
    assert found.found.matches
    if running:
        kernel.manager.interrupt_kernel()
        while kernel.client.get_shell_msg(timeout=30)["parent_header"]["msg_id"] != running:
            pass
