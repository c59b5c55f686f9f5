"""Programs whose pictures are measured: from a small lesson to graphs that no other tool draws.

Each function imports what it needs and returns a function to trace, with its arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from collections.abc import Callable

Program = tuple["Callable[..., Any]", tuple[Any, ...]]

LAYERS = 12
STEPS = 10_000
SCOPES, INNER_SCOPES = 60, 10
DEPTH = 40


def newton() -> Program:
    """A `while_loop` with two values carried."""

    def newton_sqrt(a: jax.Array) -> tuple[jax.Array, jax.Array]:
        def go_on(state: tuple[jax.Array, jax.Array]) -> jax.Array:
            x, i = state
            return (jnp.abs(x * x - a) > 1e-6) & (i < 50)

        def body(state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            x, i = state
            x_new = 0.5 * (x + a / x)
            return x_new, i + 1

        x, steps = jax.lax.while_loop(go_on, body, (a, jnp.int32(0)))
        return x, steps

    return newton_sqrt, (2.0,)


def plain_mlp() -> Program:
    """No named scope, a baked-in table: what most notebook code looks like."""
    table = jnp.ones((256, 256))

    def layer(p: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        h = x @ p["w"] + p["b"]
        mean = jnp.mean(h, axis=-1, keepdims=True)
        std = jnp.std(h, axis=-1, keepdims=True)
        return jax.nn.gelu((h - mean) / (std + 1e-5))

    def predict(params: list[dict[str, jax.Array]], x: jax.Array) -> jax.Array:
        h = x @ table
        for p in params:
            h = layer(p, h)
        return h

    def train_step(params: list[dict[str, jax.Array]], x: jax.Array, y: jax.Array) -> Any:  # noqa: ANN401
        def loss_fn(params: list[dict[str, jax.Array]]) -> jax.Array:
            pred = predict(params, x)
            err = pred - y
            return jnp.mean(err**2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
        return new_params, loss

    params = [{"w": jnp.ones((256, 256)), "b": jnp.ones(256)} for _ in range(4)]
    return train_step, (params, jnp.ones((8, 256)), jnp.ones((8, 256)))


def mlp_adam() -> Program:
    """Three dense layers in Flax, one step of Adam."""
    import flax.linen as nn

    class MLP(nn.Module):
        @nn.compact
        def __call__(self, x: jax.Array) -> jax.Array:
            for width in (64, 64, 32):
                x = nn.Dense(width)(x)
                x = nn.LayerNorm()(x)
                x = nn.gelu(x)
            return nn.Dense(10)(x)

    return _adam_step(MLP(), jnp.ones((4, 16)), jnp.zeros(4, int))


def transformer() -> Program:
    """Twelve blocks of attention in Flax, one step of Adam."""
    import flax.linen as nn

    class Block(nn.Module):
        @nn.compact
        def __call__(self, x: jax.Array) -> jax.Array:
            h = nn.LayerNorm()(x)
            h = nn.MultiHeadDotProductAttention(num_heads=4)(h, h)
            x = x + h
            h = nn.LayerNorm()(x)
            h = nn.Dense(256)(h)
            h = nn.gelu(h)
            h = nn.Dense(64)(h)
            return x + h

    class Transformer(nn.Module):
        @nn.compact
        def __call__(self, tokens: jax.Array) -> jax.Array:
            x = nn.Embed(100, 64)(tokens)
            for _ in range(LAYERS):
                x = Block()(x)
            return nn.Dense(100)(nn.LayerNorm()(x))

    tokens = jnp.zeros((2, 16), int)
    return _adam_step(Transformer(), tokens, tokens)


def _adam_step(model: Any, x: jax.Array, y: jax.Array) -> Program:  # noqa: ANN401
    import optax  # pyright: ignore[reportMissingTypeStubs]

    opt = optax.adam(1e-3)
    shapes = jax.eval_shape(model.init, jax.random.key(0), x)
    params = jax.tree.map(lambda shape: jnp.zeros(shape.shape, shape.dtype), shapes)

    def train_step(params: Any, opt_state: Any, x: jax.Array, y: jax.Array) -> Any:  # noqa: ANN401
        def loss_fn(params: Any) -> jax.Array:  # noqa: ANN401
            logits = model.apply(params, x)
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = opt.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        return params, opt_state, loss

    return train_step, (params, opt.init(params), x, y)


def diffrax_gradient() -> Program:
    """The gradient of an adaptive solve: loops in loops, and branches in them."""
    import diffrax

    def solve(y0: jax.Array, k: float) -> jax.Array:
        term = diffrax.ODETerm(lambda t, y, a: -a * y + jnp.sin(t))
        sol = diffrax.diffeqsolve(
            term,
            diffrax.Tsit5(),
            0,
            1,
            0.1,
            y0,
            args=k,
            stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-6),
            saveat=diffrax.SaveAt(ts=jnp.linspace(0, 1, 5)),
        )
        assert sol.ys is not None
        return jnp.sum(sol.ys)

    return jax.grad(solve), (jnp.ones(3), 2.0)


def unrolled() -> Program:
    """A Python loop of 10 000 steps: 30 000 equations."""

    def simulate(x: jax.Array) -> jax.Array:
        for _ in range(STEPS):
            x = jnp.sin(x) * 1.01 + x
        return x

    return simulate, (jnp.ones(3),)


def scopes() -> Program:
    """Some 60 000 equations in 600 named scopes."""

    def deep(x: jax.Array, w: jax.Array) -> jax.Array:
        for i in range(SCOPES):
            with jax.named_scope(f"layer{i}"):
                for j in range(INNER_SCOPES):
                    with jax.named_scope(f"sub{j}"):
                        h = jax.nn.gelu(x @ w)
                        h = (h - h.mean()) / jnp.sqrt(h.var() + 1e-5)
                        x = x + jax.nn.softmax(h)
        return x.sum()

    return jax.grad(deep), (jnp.ones((4, 8)), jnp.ones((8, 8)))


def nested() -> Program:
    """Jitted functions in jitted functions: few equations, two to the power of 40 when expanded."""

    def innermost(x: jax.Array) -> jax.Array:
        return jnp.sin(x)

    function = jax.jit(innermost)
    for _ in range(DEPTH):
        function = jax.jit(_twice(function))
    return function, (jnp.ones(3),)


def _twice(inner: Callable[[jax.Array], jax.Array]) -> Callable[[jax.Array], jax.Array]:
    def twice(x: jax.Array) -> jax.Array:
        return inner(inner(x))

    return twice


def conditional() -> Program:
    """Branches, one of which passes its inputs on."""

    def clip(x: jax.Array, limit: float) -> jax.Array:
        norm = jnp.sqrt(jnp.sum(x**2))
        return jax.lax.cond(norm > limit, lambda v: v * (limit / norm), lambda v: v, x)

    return clip, (jnp.ones(8), 1.0)


def gan() -> Program:
    """Two gradients in one function."""

    def losses(g: jax.Array, d: jax.Array, z: jax.Array) -> tuple[jax.Array, jax.Array]:
        def of_discriminator(d: jax.Array) -> jax.Array:
            return jnp.mean(jnp.tanh(jnp.tanh(z @ g) @ d) ** 2)

        def of_generator(g: jax.Array) -> jax.Array:
            return -jnp.mean(jnp.tanh(jnp.tanh(z @ g) @ d) ** 2)

        return jax.grad(of_discriminator)(d), jax.grad(of_generator)(g)

    return losses, (jnp.ones((3, 3)), jnp.ones((3, 1)), jnp.ones((4, 3)))


def scan_gradient() -> Program:
    """The gradient of a recurrent network: a loop forward, and one backward."""

    def loss(w: jax.Array, u: jax.Array, xs: jax.Array) -> jax.Array:
        def step(h: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
            h = jnp.tanh(w @ h + u @ x)
            return h, h

        last, states = jax.lax.scan(step, jnp.zeros(4), xs)
        return jnp.sum(last**2) + jnp.mean(states)

    return jax.grad(loss, argnums=(0, 1)), (jnp.ones((4, 4)), jnp.ones((4, 2)), jnp.ones((7, 2)))


def where() -> Program:
    """A few equations, as in a first lesson."""

    def leaky_sum(x: jax.Array, slope: float) -> jax.Array:
        negative = slope * x
        y = jnp.where(x > 0, x, negative)
        return jnp.sum(y**2)

    return leaky_sum, (jnp.ones(8), 0.1)
