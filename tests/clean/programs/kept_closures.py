"""Jitted closures of one `def`, kept in a list: each is traced once and used often, or only once."""

import jax


def layer(width):
    @jax.jit
    def apply(x):
        return x * width

    return apply


layers = [layer(width) for width in range(3)]
for _ in range(20):
    x = 1.0
    for apply in layers:
        x = apply(x)

heads = [layer(width) for width in range(4)]
outputs = [head(x) for head in heads]
