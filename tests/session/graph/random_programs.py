"""Random programs in JAX: nested calls, loops, branches, gradients, repetitions and scopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from hypothesis import strategies as st

Step = tuple[Any, ...]
Body = Callable[[jax.Array], jax.Array]

_UNARY: dict[str, Callable[[jax.Array], jax.Array]] = {
    "sin": jnp.sin,
    "tanh": jnp.tanh,
    "double": lambda x: x * 2.0,
    "relu": jax.nn.relu,
    "mean": lambda x: x - jnp.mean(x),
    "cast": lambda x: (x > 0).astype(jnp.float32),
}
_BINARY: dict[str, Callable[[jax.Array, jax.Array], jax.Array]] = {
    "add": jnp.add,
    "mul": jnp.multiply,
    "where": lambda x, y: jnp.where(x > y, x, y),
}
_TABLE = jnp.arange(3.0)

_index = st.integers(0, 50)
_leaf = st.one_of(
    st.tuples(st.just("unary"), st.sampled_from(sorted(_UNARY)), _index),
    st.tuples(st.just("binary"), st.sampled_from(sorted(_BINARY)), _index, _index),
    st.tuples(st.just("table"), _index),
)


def _nested(steps: st.SearchStrategy[list[Step]]) -> st.SearchStrategy[Step]:
    return st.tuples(st.sampled_from(sorted(_NESTED)), steps, _index, _index)


def _steps(depth: int) -> st.SearchStrategy[list[Step]]:
    step = _leaf if depth == 0 else st.one_of(_leaf, _leaf, _nested(_steps(depth - 1)))
    return st.lists(step, min_size=0 if depth < 2 else 1, max_size=5)


def run(steps: list[Step], x: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Runs a program; what it computes is of no interest, its jaxpr is."""
    values = [x, y]
    for step in steps:
        values.append(_run_step(step, values))
    return values[-1], values[len(values) // 2]


def _run_step(step: Step, values: list[jax.Array]) -> jax.Array:
    kind = step[0]
    if kind == "unary":
        return _UNARY[step[1]](_pick(values, step[2]))
    if kind == "binary":
        return _BINARY[step[1]](_pick(values, step[2]), _pick(values, step[3]))
    if kind == "table":
        return _pick(values, step[1]) + _TABLE
    return _run_nested(kind, step[1], _pick(values, step[2]), _pick(values, step[3]))


def _pick(values: list[jax.Array], index: int) -> jax.Array:
    return values[index % len(values)]


def _run_nested(kind: str, steps: list[Step], x: jax.Array, y: jax.Array) -> jax.Array:
    """`y` is closed over where it is not an argument."""

    def body(v: jax.Array) -> jax.Array:
        return run(steps, v, y)[0]

    if kind == "grad" and not _differentiable(steps):
        return body(x)
    return _NESTED[kind](body, x, y)


def _scoped(body: Body, x: jax.Array, _: jax.Array) -> jax.Array:
    with jax.named_scope("scope"):
        return body(x)


def _copied(body: Body, x: jax.Array, _: jax.Array) -> jax.Array:
    for _ in range(4):
        x = body(x)
    return x


_NESTED: dict[str, Callable[[Body, jax.Array, jax.Array], jax.Array]] = {
    "jit": lambda body, x, _: jax.jit(body)(x),
    "scan": lambda body, x, _: jax.lax.scan(lambda c, s: (body(c) + s, c), x, jnp.arange(2.0))[0],
    "while": lambda body, x, y: jax.lax.while_loop(lambda c: jnp.sum(c) < jnp.sum(y), body, x),
    "cond": lambda body, x, _: jax.lax.cond(jnp.sum(x) > 0, body, lambda v: v, x),
    "vmap": lambda body, x, y: jax.vmap(body)(jnp.stack([x, y]))[0],
    "grad": lambda body, x, _: jax.grad(lambda v: jnp.sum(body(v)))(x),
    "remat": lambda body, x, _: jax.checkpoint(body)(x),
    "scope": _scoped,
    "copies": _copied,
}


def _differentiable(steps: list[Step]) -> bool:
    return all(step[0] != "while" and (not isinstance(step[1], list) or _differentiable(step[1])) for step in steps)


programs = _steps(3)
"""Descriptions of programs; `run` runs them."""
