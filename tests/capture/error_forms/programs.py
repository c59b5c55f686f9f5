"""Transformations, loops, branches, calls and leaks."""

from __future__ import annotations

from tests.capture.error_forms.form import Form, jit

FORMS = {
    "under grad": Form(
        "def g(x):\n    y = jnp.sin(x)\n    return y if y > 0 else -y\n\nf = jax.jit(jax.grad(g))\n",
        "f(jnp.float32(2))",
        "    return y if y > 0 else -y",
        ("`y > 0` ← `y` ← `jnp.sin(x)` ← argument `x` (f32[])",),
        ("`jnp.where(y > 0, y, -y)`",),
        "    return jnp.where(y > 0, y, -y)",
    ),
    "under vmap": Form(
        "def g(x):\n    return x if x > 0 else -x\n\nf = jax.vmap(g)\n",
        "f(jnp.arange(4.0))",
        "    return x if x > 0 else -x",
        ("`… if … else …` needs the value of `x > 0`", "Under `jax.vmap` it stands for the whole batch"),
        ("`jnp.where(x > 0, x, -x)`",),
        "    return jnp.where(x > 0, x, -x)",
    ),
    "loop body": Form(
        "def step(c, x):\n    if c > 0:\n        c = c + x\n    return c, None\n\n"
        + jit("return jax.lax.scan(step, 0.0, x)[0]"),
        "f(jnp.arange(4.0))",
        "    if c > 0:",
        ("Tracing `step` stopped", "`c > 0` ← argument `c` (f32[]"),
        ("`c = jnp.where(c > 0, c + x, c)`",),
        "    c = jnp.where(c > 0, c + x, c)",
        replaces=2,
    ),
    "captured by a loop body": Form(
        jit("def step(c, v):\n    return c if x > 0 else v, None\nreturn jax.lax.scan(step, 0.0, xs)[0]", "x, xs"),
        "f(1.0, jnp.arange(4.0))",
        "        return c if x > 0 else v, None",
        ("`x > 0` depends on no argument of its own function, only on values from outside",),
        ("`jnp.where(x > 0, c, v)`",),
        "        return jnp.where(x > 0, c, v), None",
    ),
    "state of another shape": Form(
        "def step(c, x):\n    return jnp.stack([c[0], x, x]), None\n\n"
        + jit("return jax.lax.scan(step, jnp.zeros(2), x)[0]"),
        "f(jnp.arange(4.0))",
        "    return jax.lax.scan(step, jnp.zeros(2), x)[0]",
        ("`jax.lax.scan` must keep its type", "`step` is given f32[2] and returns f32[3]"),
        ("f32[3] in place of `jnp.zeros(2)`",),
    ),
    "state of another dtype": Form(
        jit("return jax.lax.while_loop(lambda c: c < 3, lambda c: c + 1.5, jnp.int32(x))"),
        "f(0)",
        "    return jax.lax.while_loop(lambda c: c < 3, lambda c: c + 1.5, jnp.int32(x))",
        ("`lambda c: c + 1.5` is given i32[] and returns f32[]",),
        ("`jnp.int32(x)` as `jnp.float32`",),
    ),
    "branches of two dtypes": Form(
        jit("return jax.lax.cond(x > 0, lambda: x, lambda: jnp.int32(0))"),
        "f(jnp.float32(2))",
        "    return jax.lax.cond(x > 0, lambda: x, lambda: jnp.int32(0))",
        ("`lambda: x` returns f32[], `lambda: jnp.int32(0)` i32[]",),
        ("`….astype(jnp.float32)`",),
    ),
    "branches of two structures": Form(
        jit("return jax.lax.cond(x > 0, lambda: (x, x), lambda: x)"),
        "f(jnp.float32(2))",
        "    return jax.lax.cond(x > 0, lambda: (x, x), lambda: x)",
        ("`lambda: (x, x)` returns a tuple, `lambda: x` an array",),
        ("the same containers",),
    ),
    "text argument": Form(
        jit("return x", "x, mode"),
        "f(1.0, 'relu')",
        "f(1.0, 'relu')",
        ("`mode` is a `str`",),
        ("`jax.jit(f, static_argnames=('mode',))`",),
    ),
    "function argument": Form(
        jit("return g(x)", "g, x"),
        "f(jnp.sin, 1.0)",
        "f(jnp.sin, 1.0)",
        ("`g` is a function",),
        ("`jax.jit(f, static_argnames=('g',))`",),
    ),
    "unhashable static": Form(
        "def g(x, sizes):\n    return x\n\nf = jax.jit(g, static_argnames='sizes')\n",
        "f(1.0, sizes=[1, 2])",
        "f(1.0, sizes=[1, 2])",
        ("`sizes` of `f` is static", "a `list` cannot be hashed"),
        ("a tuple",),
        kind="unhashable_static",
    ),
    "array as static": Form(
        "def g(x, w):\n    return x\n\nf = jax.jit(g, static_argnames='w')\n",
        "f(1.0, w=jnp.ones(2))",
        "f(1.0, w=jnp.ones(2))",
        ("an array cannot be hashed",),
        ("among the traced arguments",),
        kind="unhashable_static",
    ),
    "leak into a list": Form(
        "kept = []\n" + jit("y = x * 2\nkept.append(y)\nreturn y"),
        "f(1.0), kept[0] + 1",
        "f(1.0), kept[0] + 1",
        ("traced in `f`", "`y = x * 2`", "`kept[0]` kept it"),
        ("Return the value from `f`",),
        kind="leaked_tracer",
    ),
    "leak into an object": Form(
        "class Model:\n    total = 0.0\n\n    def step(self, x):\n        self.total = self.total + x\n"
        "        return x\n\nmodel = Model()\nf = jax.jit(model.step)\n",
        "f(1.0), f(jnp.ones(2))",
        "f(1.0), f(jnp.ones(2))",
        ("traced in `step`", "`self.total = self.total + x`", "`model.total` kept it"),
        ("Return the value from `step`",),
        kind="leaked_tracer",
    ),
    "donated": Form(
        "def g(state):\n    return state + 1\n\nf = jax.jit(g, donate_argnames='state')\ns = jnp.arange(4.0)\n",
        "f(s), s + 1",
        "f(s), s + 1",
        ("`s + 1` uses an array (f32[4]) whose memory is gone", "`g` takes over the memory of its argument `state`"),
        ("Go on with what `g` returns",),
        kind="donated_buffer",
    ),
    "key": Form(
        "key = jax.random.key(0)\njax.config.update('jax_debug_key_reuse', True)\n",
        "jax.random.normal(key), jax.random.uniform(key)",
        "jax.random.normal(key), jax.random.uniform(key)",
        ("the random key `key` was used before",),
        ("`key, subkey = jax.random.split(key)`",),
        kind="key_reuse",
    ),
}
