"""Programs of other kinds than the gallery's, and what a person complained about in their pictures."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jax_trace_viz.contract.document import Constant
from jax_trace_viz.session.graph import build_graph
from tests.session.graph.checks import picture
from tests.session.graph.support import TRACE, box, jaxpr, tape

X = np.ones((4, 4), np.float32)


def test_boxes_say_which_of_several_constants_they_use() -> None:
    lines = ["4 = mul 0 1", "5 = mul 4 2", "6 = sub 5 3"]
    more = {"constants": [1, 2, 3], "constant_names": ["kx", "", "dealias"], "types": ["f32[2]"] * 7}
    graph = build_graph(tape(jaxpr("j1", 1, lines, [6], **more)), TRACE)
    assert box(graph, "kx, dealias and 1 other").kind == "constant"
    told = [one.notes for one in graph.boxes if one.kind == "operation"]
    assert told == [("← kx",), ("← baked-in f32[2]",), ("← dealias",)]


def test_names_of_constants_are_those_of_their_variables_not_of_their_order() -> None:
    """Equal types in another order: the recorded list is sorted by size, and says nothing of which is which."""
    known = [Constant(name=name, source="global", type="f32[2]", bytes=8) for name in ("a", "b")]
    graph = build_graph(tape(jaxpr("j1", 0, ["2 = sub 0 1"], [2], constants=[0, 1]), constants=known), TRACE)
    assert [one.label for one in graph.boxes if one.kind == "constant"] == ["baked-in constant"] * 2


def test_calls_are_called_as_the_user_wrote_them() -> None:
    def spectral(x: Any, key: Any) -> Any:
        w_hat = jnp.fft.rfft2(x)
        noise, other = jax.random.split(key)
        return jnp.fft.irfft2(w_hat) + jax.random.normal(noise) * jax.random.normal(other)

    told = {f"{one.name} = {one.label}" for one in picture(spectral, X, jax.random.key(0)).boxes}
    assert {"w_hat = jnp.fft.rfft2", " = jnp.fft.irfft2", " = unpack noise, other"} <= told


def test_a_frame_has_room_for_the_names_of_a_whole_loop() -> None:
    def sums(positions: Any) -> Any:
        final_position, (velocities, accelerations) = jax.lax.scan(lambda c, x: (c + x, (c * x, c - x)), X[0], X)
        return final_position + positions, velocities, accelerations

    graph = picture(sums, X[0])
    loop = next(one for one in graph.boxes if one.label == "scan ×4")
    assert (loop.open, loop.name) == (True, "final_position, (velocities, accelerati…")


def test_a_result_that_is_always_the_same_stands_with_the_others() -> None:
    graph = picture(lambda x: (0, jnp.sin(x)), X)
    places = {one.notes[0] if one.notes else one.label: one.y for one in graph.boxes}
    assert places["always 0"] == max(places.values()) > places["sin"]


def test_a_few_results_are_told_by_their_keys() -> None:
    graph = picture(lambda x: (x + 1, {"loss": x.sum(), "accuracy": x.mean()}), X)
    assert box(graph, "result[1]").detail == "['accuracy'], ['loss']"


def test_a_library_s_own_constant_result_takes_one_line() -> None:
    names = {"output_names": ["result[0]", "filter_jit"]}
    lines = jaxpr("j1", 1, ["1 = sin 0"], [1, "0:i32[]"], **names)
    told = [
        (one.label, one.detail, list(one.notes))
        for one in build_graph(tape(lines), TRACE).boxes
        if one.kind == "result"
    ]
    assert told == [("result[0]", "f32[2]", []), ("filter_jit: always 0", "", [])]


KINDS = ("sin", "cos", "exp", "neg")


def test_a_few_copies_are_told_by_name() -> None:
    lines = [line for k, name in enumerate(("query", "key", "value")) for line in projection(name, 4 * k)]
    graph = build_graph(tape(jaxpr("j1", 1, lines, [4, 8, 12])), TRACE)
    assert [one.label for one in graph.boxes if one.repeat > 1] == ["query, key, value ×3"]


def projection(name: str, start: int) -> list[str]:
    return [f"{start + k + 1} = {kind} {start + k if k else 0} @{name}" for k, kind in enumerate(KINDS)]


def test_an_argument_that_nothing_uses_says_so() -> None:
    graph = picture(lambda x, y, z: (jnp.sin(x), z), X, X, X)
    assert {one.label: one.notes for one in graph.boxes if one.kind == "argument"} == {
        "x": (),
        "y": ("not used",),
        "z": (),
    }


def message_passing(w: Any, nodes: Any, messages: Any, senders: Any) -> Any:
    sent = nodes[senders]
    messages = jnp.tanh((sent + messages) @ w)
    nodes = jnp.sin(jax.ops.segment_sum(messages, senders, num_segments=4) @ w)
    return nodes, messages


def test_a_fold_begins_where_a_layer_begins() -> None:
    """The first layer differs, so that the repetition could begin in its middle."""

    def network(w: Any, nodes: Any, senders: Any) -> Any:
        messages = nodes[0]
        for _ in range(4):
            nodes, messages = message_passing(w, nodes, messages, senders)
        return nodes

    graph = picture(network, X, X, np.arange(4))
    fold = next(one for one in graph.boxes if one.label.startswith("message_passing, lines") and one.repeat == 3)
    opened = picture(network, X, X, np.arange(4), open_boxes=[fold.id])
    inside = [f"{one.name} = {one.label}" for one in opened.boxes if one.parent == fold.id]
    assert inside[0] == "sent = nodes[senders]"
    assert inside[-1].startswith("nodes = ")


def test_what_is_written_several_times_is_no_fold() -> None:
    def rhs(w: Any, k: Any, nu: Any) -> Any:
        u = jnp.fft.irfft2(1j * k * w)
        v = jnp.fft.irfft2(-1j * k * w)
        w_x = jnp.fft.irfft2(2j * k * w)
        advection = jnp.fft.rfft2(u * w_x + v)
        return -advection * k - nu * k * w

    graph = picture(rhs, X.astype(np.complex64), X, X[0, 0])
    assert {"u", "v", "w_x", "advection"} <= {one.name for one in graph.boxes}
    assert not [one.label for one in graph.boxes if one.repeat > 1]


def test_a_few_equal_equations_of_a_derivative_are_no_fold() -> None:
    graph = picture(jax.grad(jax.grad(jax.grad(lambda x: x**5 / jnp.cos(x)))), X[0, 0])
    assert not [one.label for one in graph.boxes if one.repeat > 1]


def test_a_picture_with_room_opens_one_group_more() -> None:
    lax = jax.lax

    def outer(x: Any) -> Any:
        def step(carry: Any, row: Any) -> Any:
            once = lax.sin(lax.cos(lax.tan(lax.exp(lax.log(lax.abs(lax.neg(lax.sqrt(lax.tanh(carry)))))))))
            twice = lax.exp(lax.sin(lax.sinh(lax.cosh(lax.asinh(lax.acosh(lax.atanh(lax.erf(row))))))))
            thrice = lax.cbrt(lax.floor(lax.ceil(lax.round(lax.sign(lax.square(lax.log1p(lax.expm1(once))))))))
            last = lax.exp2(lax.rsqrt(lax.logistic(lax.lgamma(lax.digamma(lax.erfc(lax.erf_inv(lax.exp(row))))))))
            return (once * twice + thrice) / last - carry, last - once

        def sweep(carry: Any, _: Any) -> Any:
            return jax.lax.scan(step, carry, x)

        return jax.lax.scan(sweep, x[0], None, length=3)

    graph = picture(outer, X)
    loops = [one for one in graph.boxes if one.label.startswith("scan")]
    assert [one.open for one in loops] == [True, True]
    assert 45 < sum(not one.open for one in graph.boxes) <= 60


def test_an_einsum_is_called_as_written() -> None:
    def traces(a: Any, b: Any) -> Any:
        trace = jnp.einsum("ii->", a)
        chain = jnp.einsum("ij,jk,kl->il", a, b, a)
        return trace + chain

    told = {f"{one.name} = {one.label}" for one in picture(traces, X, X).boxes}
    assert {"trace = jnp.einsum ii->", "chain = jnp.einsum ij,jk,kl->il"} <= told


def test_a_method_of_an_indexed_array_is_written_out() -> None:
    def moved(spins: Any, i: Any) -> Any:
        spins = spins.at[i, 0].set(0.0)
        return jnp.sin(spins)

    assert box(picture(moved, X, 1), "spins.at[i, 0].set").name == "spins"


def test_a_name_that_does_not_fit_loses_its_module_first() -> None:
    class Library:
        class Losses:
            @staticmethod
            def square_of_the_errors(x: Any) -> Any:
                return jnp.sin(x) * jnp.cos(x)

    def loss(x: Any) -> Any:
        some_value = Library.Losses.square_of_the_errors(x)
        return jnp.exp(some_value)

    assert box(picture(loss, X, depth=0), "square_of_the_errors").name == "some_value"
