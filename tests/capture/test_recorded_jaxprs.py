"""The jaxpr of a run is the one that JAX made: compared with JAX's own, asked by its public `trace`, never recorded."""

from __future__ import annotations

import functools
import pathlib
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import pytest

from tests.capture.told import Told, line_of, recorded
from tests.workloads.own_jaxprs import jaxprs_in, primitives

if TYPE_CHECKING:
    from collections.abc import Callable


def told_primitives(told: Told, jaxpr: str | None) -> list[Any]:
    """A told jaxpr in the form of `primitives`."""
    jaxprs = {jaxpr.id: jaxpr for jaxpr in told.document.jaxprs}

    def tree(id: str) -> list[Any]:
        return [[e.primitive, [tree(inner.jaxpr) for inner in e.jaxprs]] for e in jaxprs[id].equations]

    assert jaxpr is not None
    return tree(jaxpr)


def loops() -> Callable[..., Any]:
    def body(total, x):
        return total + jnp.sin(x), total * x

    def f(xs):
        total, rows = jax.lax.scan(body, 0.0, xs)
        doubled = jax.lax.while_loop(lambda x: x < 100, lambda x: x * 2 + 1, total)
        return jax.lax.cond(total > 0, jnp.sin, lambda x: x - 1, doubled), jax.lax.map(jnp.cos, rows)

    return f


def transformed() -> Callable[..., Any]:
    @jax.checkpoint
    def layer(w, x):
        return jnp.tanh(w * x)

    def loss(w, x):
        return layer(w, layer(w, x)).sum()

    def f(xs):
        gradient = jax.vmap(jax.grad(loss), in_axes=(None, 0))(2.0, xs)
        return gradient, jax.jvp(jnp.sin, (xs,), (xs,)), jax.hessian(lambda x: (x**3).sum())(xs)

    return f


def custom() -> Callable[..., Any]:
    @jax.custom_jvp
    def smooth(x):
        return jnp.log(x) + 1

    smooth.defjvp(lambda primals, tangents: (smooth(*primals), tangents[0] * 2))

    @jax.custom_vjp
    def clipped(x):
        return x * 1.0

    clipped.defvjp(lambda x: (x * 1.0, x), lambda _, g: (jnp.clip(g, -1, 1),))

    def f(xs):
        return smooth(xs), clipped(xs), jax.grad(lambda x: clipped(smooth(x)).sum())(xs)

    return f


def nested() -> Callable[..., Any]:
    @jax.jit
    def inner(x):
        return jnp.sin(x) * 2

    @functools.partial(jax.jit, inline=True)
    def inlined(x):
        return x + 1

    @jax.jit
    def middle(x):
        return inner(inner(x)) + inlined(x)

    def f(xs):
        return middle(xs) + middle(xs) + inner(xs[:1])

    return f


@pytest.mark.parametrize("make", [loops, transformed, custom, nested])
def test_the_equations_of_a_jitted_function_are_those_of_jax(make: Callable[[], Callable[..., Any]]) -> None:
    xs = jnp.arange(1.0, 4.0)
    held = primitives(jax.jit(make()).trace(xs).jaxpr)
    with recorded() as told:
        jax.jit(make())(xs)
    trace = told.trace("f")
    assert told_primitives(told, trace.jaxpr) == held
    assert trace.equations.expanded == count(held)


def count(equations: list[Any]) -> int:
    """Equations, with every nested one as often as it stands there."""
    return sum(1 + sum(count(inner) for inner in inside) for _, inside in equations)


def test_bodies_of_loops_and_branches_have_the_jaxprs_of_their_equations() -> None:
    def make() -> Callable[..., Any]:
        def step(total, x):
            return total + jnp.sin(x), total * x

        def below(x):
            return x < 100

        def grow(x):
            return x * 2 + 1

        def up(x):
            return jnp.sin(x)

        def down(x):
            return x - 1

        def f(xs):
            total, _ = jax.lax.scan(step, 0.0, xs)
            return jax.lax.cond(total > 0, up, down, jax.lax.while_loop(below, grow, total))

        return f

    xs = jnp.arange(3.0)
    equations = getattr(jax.jit(make()).trace(xs).jaxpr, "jaxpr", jax.jit(make()).trace(xs).jaxpr).eqns
    held = {e.primitive.name: [primitives(j) for j in jaxprs_in(e.params)] for e in equations}
    with recorded() as told:
        jax.jit(make())(xs)

    def of(name: str) -> list[Any]:
        return told_primitives(told, told.trace(name).jaxpr)

    assert [of("step")] == held["scan"]
    assert [of("grow"), of("below")] in (held["while"], held["while"][::-1])
    assert [of("down"), of("up")] == held["cond"]


def test_a_jaxpr_used_often_is_written_once() -> None:
    @jax.jit
    def inner(x):
        return jnp.sin(x) * 2

    for _ in range(14):
        inner = jax.jit(lambda x, inner=inner: inner(inner(x)))

    @jax.jit
    def tower(x):
        return inner(x)

    with recorded() as told:
        tower.lower(1.0)
    counted = told.trace("tower").equations
    assert counted.expanded > 2**15
    assert counted.distinct < 100
    assert sum(len(jaxpr.equations) for jaxpr in told.document.jaxprs) < 200


def test_each_equation_knows_the_expression_it_came_from() -> None:
    def helper(y):
        return jnp.cos(y)  # in the helper

    @jax.jit
    def f(x):
        return helper(jnp.sin(x))  # in the body

    with recorded() as told:
        f(1.0)
    (jaxpr,) = [jaxpr for jaxpr in told.document.jaxprs if jaxpr.id == told.trace("f").jaxpr]
    frames = told.document.frames
    expressions = {}
    lines = pathlib.Path(__file__).read_text(encoding="utf-8").splitlines()
    for equation in jaxpr.equations:
        frame = frames[equation.frame]
        assert (frame.file, frame.origin, frame.line) == (__file__, "user", frame.end_line)
        expressions[equation.primitive] = (frame.line, lines[frame.line - 1][frame.column : frame.end_column])
    assert expressions == {
        "sin": (line_of(__file__, "in the body"), "jnp.sin(x)"),
        "cos": (line_of(__file__, "in the helper"), "jnp.cos(y)"),
    }
    caller = frames[next(frames[e.frame].parent for e in jaxpr.equations if e.primitive == "cos")]
    assert (caller.function.rpartition(".")[2], caller.line) == ("f", line_of(__file__, "in the body"))
