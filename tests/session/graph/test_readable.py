"""What people would complain about: programs as they are written, and what their pictures call things."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax_trace_viz.session.graph import GraphOptions, build_graph
from tests.session.graph.checks import check_picture
from tests.session.graph.support import TRACE, arrows, traced

X = np.ones((2, 2), np.float32)


def labels(program: Any, *arguments: Any, **more: Any) -> list[str]:
    """Label or `name = label` of every box."""
    graph = build_graph(traced(program, *arguments), TRACE, GraphOptions(**more))
    return [f"{box.name} = {box.label}" if box.name else box.label for box in graph.boxes]


def test_the_same_on_two_lines_is_no_loop() -> None:
    def filtered(f: Any, h: Any, q: Any, r: Any, p: Any) -> Any:
        predicted = f @ p @ f.T + q
        innovation = h @ predicted @ h.T + r
        return predicted, jnp.sin(innovation)

    found = labels(filtered, X, X, X, X, X)
    assert {"predicted = add", "innovation = add"} <= set(found)
    assert not [label for label in found if "×" in label]


def test_rounds_of_a_loop_are_folded_as_before() -> None:
    def looped(x: Any) -> Any:
        for _ in range(3):
            x = jnp.sin(x) * jnp.cos(x) + 1.0
        return x

    assert [label for label in labels(looped, X) if "×3" in label]


def test_parts_of_a_return_have_the_names_that_they_have() -> None:
    def step(params: Any, x: Any) -> Any:
        h = x @ params["w"]
        loss = jnp.sum(h)
        return {"w": params["w"] - 1.0}, loss, params["w"], h.T, -h

    found = labels(step, {"w": X}, X)
    assert {"result[0]", "loss", "params['w']", "h.T", "result[4]"} <= set(found)


def test_what_unpacks_says_so() -> None:
    def unpacked(x: Any) -> Any:
        a, b = x
        return a * b

    # Newer JAX has one equation for it.
    assert {"unpack a, b", "unstack"} & set(labels(unpacked, X))


def test_a_rule_is_called_by_its_function() -> None:
    @jax.custom_jvp
    def softened(x: Any) -> Any:
        return jnp.sin(x) * x

    softened.defjvps(lambda tangent, _answer, x: jnp.cos(x) * tangent)

    @jax.checkpoint  # type: ignore[untyped-decorator]
    def block(x: Any) -> Any:
        return jnp.exp(x) * 2.0

    found = labels(lambda x: softened(x) + block(x), X, depth=0)
    assert [label for label in found if label.startswith("custom_jvp softened")]
    assert [label for label in found if label.endswith(" block")]


def test_numbers_are_short() -> None:
    found = labels(lambda x: x * 0.1j + jnp.sum(x, axis=()), X)
    assert "mul 0+0.1j" in found
    assert not [label for label in found if "()" in label]


def test_a_pallas_kernel_opens_to_what_it_reads_and_writes() -> None:
    pallas = pytest.importorskip("jax.experimental.pallas")

    def scale_kernel(x_ref: Any, y_ref: Any, o_ref: Any) -> None:
        o_ref[...] = x_ref[...] * 2.0 + y_ref[...]

    def scaled(x: Any, y: Any) -> Any:
        block = pallas.BlockSpec((1, 2), lambda i: (i, 0))
        shape = jax.ShapeDtypeStruct((2, 2), x.dtype)
        call = pallas.pallas_call(
            scale_kernel, out_shape=shape, grid=(2,), in_specs=[block, block], out_specs=block, interpret=True
        )
        return jnp.sin(call(x, y))

    tape = traced(scaled, X, X)
    closed = build_graph(tape, TRACE, GraphOptions(depth=0))
    kernel = next(box for box in closed.boxes if box.label.startswith("pallas"))
    opened = build_graph(tape, TRACE, GraphOptions(open_boxes=[kernel.id]))
    check_picture(opened)
    drawn = arrows(opened)
    assert {("x", "blocks: x_ref, y_ref"), ("y", "blocks: x_ref, y_ref")} <= drawn
    assert {("blocks: x_ref, y_ref", "get"), ("add", "swap"), ("swap", "blocks written")} <= drawn
    assert ("blocks written", "sin") in drawn
    assert ("blocks to write: o_ref", "swap") in drawn
    details = {one.detail.replace("float32", "f32") for one in opened.boxes if one.label.startswith("blocks")}
    assert details == {"f32[1,2], f32[1,2]", "f32[1,2]"}


def test_a_pallas_kernel_that_reads_what_it_has_written_shows_from_where() -> None:
    pallas = pytest.importorskip("jax.experimental.pallas")

    def add_kernel(x_ref: Any, o_ref: Any) -> None:
        o_ref[...] = x_ref[...]
        o_ref[...] = o_ref[...] * 2.0

    def doubled(x: Any) -> Any:
        return pallas.pallas_call(add_kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)

    tape = traced(doubled, X)
    kernel = next(
        box for box in build_graph(tape, TRACE, GraphOptions(depth=0)).boxes if box.label.startswith("pallas")
    )
    opened = build_graph(tape, TRACE, GraphOptions(open_boxes=[kernel.id]))
    check_picture(opened)
    reads = [one for one in opened.boxes if one.label == "get"]
    sources = {link.target: opened.boxes[link.source].label for link in opened.links}
    assert [sources[opened.boxes.index(one)] for one in reads] == ["blocks: x_ref", "blocks to write: o_ref"]


def unused_in(program: Any, *arguments: Any) -> set[str]:
    """Labels of the boxes that say that nothing depends on them."""
    graph = build_graph(traced(program, *arguments), TRACE)
    return {box.label for box in graph.boxes if "not used" in box.notes}


def test_what_nothing_depends_on_says_so() -> None:
    def loss(x: Any) -> Any:
        jnp.cos(jnp.exp(x))  # staged and never used
        return jnp.tanh(x)

    assert unused_in(loss, X) == {"cos", "exp"}
    assert unused_in(lambda x: jnp.tanh(x) * jnp.cos(x), X) == set()


def test_what_only_some_copies_do_not_need_is_not_called_unused() -> None:
    def looped(x: Any) -> Any:
        for _ in range(4):
            y = jnp.cos(x)
            x = jnp.sin(x) + jnp.exp(x)
        return x, y  # of the last round only

    assert "y = cos" in labels(looped, X)
    assert unused_in(looped, X) == set()


def test_side_effects_are_uses() -> None:
    def printed(x: Any) -> Any:
        jax.debug.print("{y}", y=jnp.cos(x))
        return jnp.sin(x)

    assert unused_in(printed, X) == set()


def test_a_group_on_which_nothing_depends_is_not_opened_by_itself() -> None:
    def checked(x: Any) -> Any:
        def check(x: Any) -> Any:
            return jnp.all((x > 0) & (jnp.cos(x) < 2) | (jnp.exp(x) > 3))

        check(x)
        return jnp.tanh(x)

    graph = build_graph(traced(checked, X), TRACE)
    group = next(box for box in graph.boxes if box.label == "check")
    assert (group.open, group.notes) == (False, ("not used",))
    opened = build_graph(traced(checked, X), TRACE, GraphOptions(open_boxes=[group.id]))
    assert next(box for box in opened.boxes if box.id == group.id).open
