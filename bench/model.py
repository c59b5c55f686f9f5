"""A transformer in pure JAX whose train step (grad of a vmapped loss) has some 5000 equations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

LAYERS, WIDTH, HEADS, LENGTH, BATCH = 20, 64, 4, 16, 8

Params = list[dict[str, jax.Array]]


def parameters() -> Params:
    """Random weights, the same in every process."""
    rng = np.random.default_rng(0)

    def weight(*shape: int) -> jax.Array:
        return jnp.asarray(0.02 * rng.standard_normal(shape, dtype=np.float32))

    def layer() -> dict[str, jax.Array]:
        attention = {name: weight(WIDTH, WIDTH) for name in ("query", "key", "value", "output")}
        mlp = {"widen": weight(WIDTH, 4 * WIDTH), "bias": weight(4 * WIDTH), "narrow": weight(4 * WIDTH, WIDTH)}
        norms = {name: weight(WIDTH) for name in ("scale1", "shift1", "scale2", "shift2")}
        return {**attention, **mlp, **norms}

    return [layer() for _ in range(LAYERS)]


def batch() -> jax.Array:
    """Inputs of one step."""
    return jnp.ones((BATCH, LENGTH, WIDTH))


def make_step() -> Callable[[Params, jax.Array], Params]:
    """A new train step: JAX has never seen it, so it traces all of it."""

    def step(params: Params, xs: jax.Array) -> Params:
        def mean_loss(params: Params) -> jax.Array:
            return jax.vmap(lambda x: _loss(params, x))(xs).mean()

        gradient = jax.grad(mean_loss)(params)
        return jax.tree.map(lambda p, g: p - 1e-3 * g, params, gradient)

    return step


def _loss(params: Params, x: jax.Array) -> jax.Array:
    y = x
    for layer in params:
        y = _block(layer, y)
    return ((y - x) ** 2).mean()


def _block(p: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    x = x + _attention(p, _normalized(x, p["scale1"], p["shift1"]))
    hidden = jax.nn.gelu(_normalized(x, p["scale2"], p["shift2"]) @ p["widen"] + p["bias"])
    return x + hidden @ p["narrow"]


def _attention(p: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    def heads(name: str) -> jax.Array:
        return (x @ p[name]).reshape(x.shape[0], HEADS, WIDTH // HEADS).transpose(1, 0, 2)

    scores = heads("query") @ heads("key").transpose(0, 2, 1) / np.sqrt(WIDTH // HEADS)
    mixed = jax.nn.softmax(scores, -1) @ heads("value")
    return mixed.transpose(1, 0, 2).reshape(x.shape) @ p["output"]


def _normalized(x: jax.Array, scale: jax.Array, shift: jax.Array) -> jax.Array:
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift


def count_equations(jaxpr: Any) -> int:  # noqa: ANN401  (a `ClosedJaxpr` or a `Jaxpr`, by the version of JAX)
    """Equations of a jaxpr, with those of every jaxpr inside, as often as it stands there."""
    equations = getattr(jaxpr, "jaxpr", jaxpr).eqns
    values = [value for equation in equations for value in equation.params.values()]
    inside = [item for value in values for item in (value if isinstance(value, list | tuple) else [value])]
    return len(equations) + sum(count_equations(v) for v in inside if hasattr(getattr(v, "jaxpr", v), "eqns"))
