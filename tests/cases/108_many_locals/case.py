import jax, jax.numpy as jnp, numpy as np
from typing import NamedTuple

class Out(NamedTuple):
    a: jax.Array
    n: int

offset = np.arange(3, dtype=np.float32)

@jax.jit
def f(x, *rest, mode="fast", **opts):
    n, (lo, hi) = len(rest), (0, x.shape[0])
    total = 0.0
    for i, r in enumerate(rest):
        total += r * i
    parts = {k: v * 2 for k, v in opts.items()}
    shapes = [p.shape for p in parts.values()]
    if (m := x.mean()) is not None:
        flag = True
    out = Out(x + offset, n)
    first, *others = rest
    table = np.ones((2, 2), np.float32)
    spec = jax.ShapeDtypeStruct((2,), jnp.float32)
    fn = lambda v: v + total
    pair = (x, 3)
    empty = ()
    none = None
    big = jnp.zeros((2, 2))
    try:
        bad = int("x")
    except ValueError as err:
        msg = str(err)
    with jax.named_scope("scoped"):
        y = fn(x) + m + big.sum() + table.sum()
    del first
    return y, out

f(jnp.ones(3), jnp.ones(3), 2.0, scale=jnp.ones(3), bias=1.0)
