"""Under `vmap`, `grad` and `jvp` outside of any jit: no equations tell the way back, but the source and the marks."""

from __future__ import annotations

from tests.capture.error_forms.form import Form

_BATCH = "but that is traced: under `jax.vmap` it stands for the whole batch. "

FORMS: dict[str, Form] = {
    "a condition under vmap": Form(
        "def g(x, limit):\n    norm = jnp.sum(x * 2)\n    if norm > limit:\n        x = x / norm\n    return x\n\n"
        "f = jax.vmap(g, in_axes=(0, None))\n",
        "f(jnp.ones((4, 3)), 1.0)",
        "    if norm > limit:",
        (_BATCH + "`norm > limit` ← `norm` ← `jnp.sum(x * 2)` ← argument `x` (f32[3]).",),
        ("`x = jnp.where(norm > limit, x / norm, x)`",),
        "    x = jnp.where(norm > limit, x / norm, x)",
        replaces=2,
    ),
    "a condition under vmap of grad": Form(
        "def g(w, x):\n    p = jnp.dot(w, x)\n    return p if p > 0 else -p\n\n"
        "f = jax.vmap(jax.grad(g), in_axes=(None, 0))\n",
        "f(jnp.ones(3), jnp.ones((4, 3)))",
        "    return p if p > 0 else -p",
        (_BATCH + "`p > 0` ← `p` ← `jnp.dot(w, x)` ← argument `x` (f32[3]).",),  # `w` is the same for all
        ("`jnp.where(p > 0, p, -p)`",),
        "    return jnp.where(p > 0, p, -p)",
    ),
    "a name that is bound again, and parts of a result": Form(
        "def g(tree, x):\n    x = x + tree['b']\n"
        "    low, high = jnp.split(x, [1])\n    return jnp.arange(jnp.max(high))\n\n"
        "f = jax.vmap(g)\n",
        "f({'b': jnp.ones((4, 3)), 'c': 1 + jnp.arange(4)}, jnp.ones((4, 3)))",
        "    return jnp.arange(jnp.max(high))",
        (
            _BATCH + "`jnp.max(high)` ← `high` ← `jnp.split(x, [1])` ← `x + tree['b']` ← argument `x` (f32[3]); "
            "`tree['b']` decides too.",
        ),
        ("`jnp.arange(MAX) < jnp.max(high)`",),
    ),
    "a mask under vmap": Form(
        "def g(x):\n    y = jnp.sin(x)\n    return y[y > 0.5].sum()\n\nf = jax.vmap(g)\n",
        "f(jnp.ones((4, 3)))",
        "    return y[y > 0.5].sum()",
        ("shapes must be known while tracing. `y > 0.5` ← `y` ← `jnp.sin(x)` ← argument `x` (f32[3]).",),
        ("`jnp.where(y > 0.5, y, 0).sum()`",),
        "    return jnp.where(y > 0.5, y, 0).sum()",
    ),
    "a whole number under vmap": Form(
        "def g(x):\n    n = jnp.sum(x).astype(int)\n    return x * int(n)\n\nf = jax.vmap(g)\n",
        "f(jnp.ones((4, 3)))",
        "    return x * int(n)",
        (
            "but that is traced (i32[]): under `jax.vmap` it stands for the whole batch. "
            "`n` ← `jnp.sum(x).astype(int)` ← argument `x` (f32[3]).",
        ),
        ("`n.astype(int)` does the same",),
        "    return x * n.astype(int)",
    ),
    "NumPy under jvp": Form(
        "def g(x):\n    y = jnp.sin(x)\n    return np.exp(y)\n\nf = lambda x: jax.jvp(g, (x,), (x,))\n",
        "f(jnp.ones(3))",
        "    return np.exp(y)",
        (
            "that is traced (f32[3]): NumPy takes no traced value, even where it is known, as under `jax.jvp`. "
            "`y` ← `jnp.sin(x)` ← argument `x` (f32[3]).",
        ),
        ("`jnp.exp(y)`",),
        "    return jnp.exp(y)",
    ),
}

UNCERTAIN: dict[str, str] = {
    "a loop bound it again": "h = x * 2\nfor _ in range(2):\n    h = h + 1\nif h.sum() > 0:\n    return x\nreturn h",
    "a branch may have bound it": "h = x\nif k:\n    h = h + 1\nif h.sum() > 0:\n    return x\nreturn h",
    "a function of the user's need not use both": "h = choose(x, y)\nif h.sum() > 0:\n    return x\nreturn h",
    "a type is no value": "h = known * x.size\nif h.sum() > 0:\n    return x\nreturn h",
}
"""Bodies of a function of `x`, `y` and `k` where the source does not tell for sure what decides."""
