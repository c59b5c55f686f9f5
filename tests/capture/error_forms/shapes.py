"""Arrays that do not fit each other, checked numbers that are none, what caches keep, programs for other types."""

from __future__ import annotations

from tests.capture.error_forms.form import Form, jit

_DENSE = "def dense(p, x):\n    return x @ p['w']\n\n"

FORMS = {
    "matrix product": Form(
        jit("return a @ b", "a, b"),
        "f(jnp.ones((4, 8)), jnp.ones((2, 8)))",
        "    return a @ b",
        ("`a @ b` sums over axes of unequal length, 8 and 2: `a` is f32[4,8] and `b` is f32[2,8]",),
        ("`b.T` would fit",),
        "    return a @ b.T",
    ),
    "matrix product in a helper": Form(
        _DENSE + jit("return jnp.tanh(dense(params, x))", "params, x"),
        "f({'w': jnp.ones((9, 2))}, jnp.ones((4, 8)))",
        "    return x @ p['w']",
        ("sums over axes of unequal length, 8 and 9",),
        ("must be equally long.",),
    ),
    "inner product": Form(
        jit("return jnp.inner(a, b)", "a, b"),
        "f(jnp.ones((2, 3)), jnp.ones((2, 4)))",
        "    return jnp.inner(a, b)",
        ("sums over axes of unequal length, 3 and 4: `a` is f32[2,3] and `b` is f32[2,4]",),
        ("must be equally long.",),
    ),
    "stacks of matrices": Form(
        jit("return a @ b", "a, b"),
        "f(jnp.ones((2, 3, 4)), jnp.ones((3, 4, 5)))",
        "    return a @ b",
        ("the axes before them must be equal or 1, and 2 meets 3: `a` is f32[2,3,4] and `b` is f32[3,4,5]",),
        ("`jnp.einsum`",),
    ),
    "matrix product with a number": Form(
        jit("return a @ b", "a, b"),
        "f(jnp.ones((2, 3)), 2.0)",
        "    return a @ b",
        ("`a @ b` is a product of matrices, and `b` has no axis to sum over",),
        ("`a * b`",),
        "    return a * b",
    ),
    "operands without a name": Form(
        jit("return (a + 1) @ jnp.ones((3, 3))", "a"),
        "f(jnp.ones((4, 8)))",
        "    return (a + 1) @ jnp.ones((3, 3))",
        ("sums over axes of unequal length, 8 and 3.",),
        ("must be equally long.",),
    ),
    "rows and a column": Form(
        jit("return pred - target", "pred, target"),
        "f(jnp.ones((8, 10)), jnp.ones(8))",
        "    return pred - target",
        ("`pred` is f32[8,10] and `target` is f32[8]", "and 10 meets 8"),
        ("`target[:, None]`",),
        "    return pred - target[:, None]",
    ),
    "shapes that never fit": Form(
        jit("y = x[:2]\nreturn x * y"),
        "f(jnp.ones(5))",
        "    return x * y",
        ("`x` is f32[5] and `y` is f32[2]", "and 5 meets 2"),
        ("with `reshape` or `jnp.expand_dims`",),
    ),
    "concatenate": Form(
        jit("return jnp.concatenate([a, b])", "a, b"),
        "f(jnp.ones((2, 3)), jnp.ones((2, 4)))",
        "    return jnp.concatenate([a, b])",
        ("joins along axis 0", "it is given (2, 3) and (2, 4)"),
        ("`axis=1` joins them",),
        "    return jnp.concatenate([a, b], axis=1)",
    ),
    "stack": Form(
        jit("return jnp.stack([a, b])", "a, b"),
        "f(jnp.ones(3), jnp.ones(4))",
        "    return jnp.stack([a, b])",
        ("`jnp.stack([a, b])` joins arrays of one shape only",),
        ("`jnp.concatenate`",),
        "    return jnp.concatenate([a, b])",
    ),
    "reshape": Form(
        jit("return x.reshape(2, 4)"),
        "f(jnp.ones((3, 2)))",
        "    return x.reshape(2, 4)",
        ("the array, of shape (3, 2), has 6, and (2, 4) asks for 8",),
        ("must multiply to 6",),
        "    return x.reshape(2, -1)",
    ),
    "a letter of einsum": Form(
        jit("return jnp.einsum('qd,kd->qk', q, k)", "q, k"),
        "f(jnp.ones((2, 16)), jnp.ones((2, 32)))",
        "    return jnp.einsum('qd,kd->qk', q, k)",
        ("`d` in", "here for 16 and 32: `q` is f32[2,16], `k` is f32[2,32]"),
        ("another one",),
    ),
    "a jitted gradient of an array": Form(
        "def loss(w):\n    return w * 2\n",
        "jax.jit(jax.grad(loss))(jnp.ones(3))",
        "jax.jit(jax.grad(loss))(jnp.ones(3))",
        ("`jax.grad(loss)` differentiates one number, and `loss` gives back an array of shape (3,)",),
        ("`jax.vmap(jax.grad(loss))`",),
    ),
    "a program compiled for another shape": Form(
        jit("return x * 2") + "\ncompiled = f.lower(jnp.ones(3)).compile()\n",
        "compiled(jnp.ones(4))",
        "compiled(jnp.ones(4))",
        ("`x` was f32[3] and is f32[4]",),
        ("call the jitted function itself",),
        "f(jnp.ones(4))",
    ),
    "checked for NaN": Form(
        jit("total = x.sum()\nreturn jnp.sqrt(total)"),
        "with jax.debug_nans(True):\n    f(-jnp.ones(3))",
        "    return jnp.sqrt(total)",
        ("`jnp.sqrt(total)` gives NaN in `sqrt`, and `jax_debug_nans` is on", "`sqrt` gives it of a negative number"),
        ("`jax.debug.print`",),
        "    return jnp.sqrt(-total)",
    ),
    "a tuple as an index": Form(
        "order = (2, 1, 0)\n" + jit("return x[order]"),
        "f(jnp.arange(3))",
        "    return x[order]",
        ("`x[order]` gives 3 indices to an array with 1 axis",),
        ("`jnp.asarray(order)`",),
        "    return x[jnp.asarray(order)]",
    ),
    "static objects that cannot be compared": Form(
        "class Config:\n    def __eq__(self, other):\n        raise RuntimeError('never')\n\n"
        "    def __hash__(self):\n        return 7\n\n"
        "f = jax.jit(lambda c, x: x, static_argnums=0)\nf(Config(), 1.0)\n",
        "f(Config(), 1.0)",
        "f(Config(), 1.0)",
        ("at `f(Config(), 1.0)` the `__eq__` of `Config` raised",),
        ("True or False",),
    ),
    "a value that a cache kept while tracing": Form(
        "import functools\n\n@functools.lru_cache\ndef table(n):\n    return jnp.arange(n) * 2.0\n\n"
        + jit("return x * table(3)")
        + "\nf(jnp.ones(3))\n",
        "table(3) + 1",
        "table(3) + 1",
        ("a value that was traced in `f`", "the cache of `table` keeps what it gave back while tracing"),
        ("Call `table` before the trace",),
        kind="leaked_tracer",
    ),
}
