"""Loops and branches, inside jit and outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
from jax import lax

if TYPE_CHECKING:
    from tests.capture.counting import Ran


def a_scan(ran: Ran) -> object:
    def body(total, x):
        ran("body")
        return total + x, total * x

    return lax.scan(body, 0.0, jnp.arange(5.0))


def a_scan_repeated_with_the_same_body(ran: Ran) -> object:
    def body(total, x):
        ran("body")
        return total + x, total

    return [lax.scan(body, 0.0, jnp.arange(length)) for length in (3.0, 3.0, 4.0)]


def a_scan_whose_carry_changes_its_type(ran: Ran) -> object:
    """JAX traces such a body again with the promoted carry."""

    def body(total, x):
        ran("body")
        return total + x, x

    return lax.scan(body, 0, jnp.arange(3.0))


def a_scan_of_a_scan_under_jit(ran: Ran) -> object:
    def cell(total, x):
        ran("cell")
        return total * 0.5 + x, total

    def row(total, xs):
        ran("row")
        return lax.scan(cell, total, xs)

    @jax.jit
    def table(xs):
        ran("table")
        return lax.scan(row, 0.0, xs, reverse=True)

    return table(jnp.ones((3, 4)))


def a_map_under_jit(ran: Ran) -> object:
    def square(x):
        ran("square")
        return x * x

    @jax.jit
    def squares(xs):
        ran("squares")
        return lax.map(square, xs)

    return squares(jnp.arange(4.0))


def an_associative_scan(ran: Ran) -> object:
    @jax.jit
    def running(xs):
        ran("running")
        return lax.associative_scan(jnp.maximum, xs)

    return running(jnp.array([3.0, 1.0, 4.0, 1.0, 5.0]))


def a_while_loop(ran: Ran) -> object:
    def below(state):
        ran("below")
        return state[0] < 10

    def grow(state):
        ran("grow")
        return state[0] + 3, state[1] * 2

    return lax.while_loop(below, grow, (0, 1.0))


def a_while_loop_under_jit(ran: Ran) -> object:
    def below(x):
        ran("below")
        return x.sum() < 100

    def grow(x):
        ran("grow")
        return x * 2

    @jax.jit
    def run(x):
        ran("run")
        return lax.while_loop(below, grow, x)

    return [run(jnp.ones(3)), run(jnp.ones(3)), run(jnp.ones(2))]


def a_fori_loop_with_known_bounds(ran: Ran) -> object:
    def body(i, total):
        ran("body")
        return total + i

    return lax.fori_loop(0, 5, body, 0)


def a_fori_loop_with_traced_bounds(ran: Ran) -> object:
    def body(i, total):
        ran("body")
        return total + i

    @jax.jit
    def run(stop):
        ran("run")
        return lax.fori_loop(0, stop, body, 0)

    return run(5)


def branches_of_a_cond(ran: Ran) -> object:
    def up(x):
        ran("up")
        return x + 1

    def down(x):
        ran("down")
        return x - 1

    return [lax.cond(x > 0, up, down, x) for x in (2.0, -2.0)]


def branches_of_a_cond_without_operands(ran: Ran) -> object:
    @jax.jit
    def choose(x):
        ran("choose")

        def up():
            ran("up")
            return x + 1

        def down():
            ran("down")
            return x - 1

        return lax.cond(x > 0, up, down)

    return choose(2.0)


def branches_of_a_switch(ran: Ran) -> object:
    def branch(factor):
        def scaled(x):
            ran("scaled")
            return x * factor

        return scaled

    @jax.jit
    def choose(index, x):
        ran("choose")
        return lax.switch(index, [branch(1.0), branch(2.0), branch(3.0)], x)

    return [choose(0, 1.5), choose(2, 1.5)]


def a_cond_in_a_scan_in_a_jit(ran: Ran) -> object:
    def keep(total, x):
        ran("keep")
        return total + x

    def drop(total, _):
        ran("drop")
        return total

    def body(total, x):
        ran("body")
        return lax.cond(x > 1, keep, drop, total, x), None

    @jax.jit
    def run(xs):
        ran("run")
        return lax.scan(body, 0.0, xs)[0]

    return run(jnp.arange(4.0))


def a_computation_given_to_reduce(ran: Ran) -> object:
    def larger(a, b):
        ran("larger")
        return jnp.where(a > b, a, b) + 0.0

    @jax.jit
    def largest(xs):
        ran("largest")
        return lax.reduce(xs, jnp.float32(0), larger, (0,))

    return largest(jnp.array([1.0, 3.0, 2.0]))
