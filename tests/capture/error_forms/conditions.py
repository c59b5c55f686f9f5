"""Conditions of several parts, loops with several variables, and code that has no exact form."""

from __future__ import annotations

from tests.capture.error_forms.form import Form, jit

FORMS = {
    "while with two variables": Form(
        jit("i = 0\nwhile i < 10 and x > 0.5:\n    half = x / 2\n    x = half\n    i = i + 1\nreturn x, i"),
        "assert f(jnp.float32(2)) == (0.5, 2)",
        "    while i < 10 and x > 0.5:",
        ("`while` needs the value of `x > 0.5`", "`x > 0.5` ← argument `x` (f32[])"),
        ("`jax.lax.while_loop(lambda state: jnp.logical_and(state[1] < 10, state[0] > 0.5), body, (x, i))`",),
        "    x, i = jax.lax.while_loop(lambda state: jnp.logical_and(state[1] < 10, state[0] > 0.5), "
        "lambda state: (state[0] / 2, state[1] + 1), (x, i))",
        replaces=4,
    ),
    "while with a walrus": Form(
        jit("while (n := jnp.sum(x)):\n    x = x - 1\nreturn n"),
        "f(jnp.ones(2))",
        "    while (n := jnp.sum(x)):",
        ("`while` needs the value of `n`",),
        ("`jax.lax.while_loop(cond, body, state)`", "also what the condition reads"),
    ),
    "while over what is no name": Form(
        jit("while x['a'] > 0:\n    x['a'] = x['a'] - 1\nreturn x"),
        "f({'a': 1.0})",
        "    while x['a'] > 0:",
        ("`while` needs the value of `x['a'] > 0`",),
        ("`jax.lax.while_loop(cond, body, state)`",),
    ),
    "while that leaves early": Form(
        jit("while x > 0:\n    x = x - 1\n    if True:\n        break\nreturn x"),
        "f(jnp.float32(2))",
        "    while x > 0:",
        ("`while` needs the value of `x > 0`",),
        ("`jax.lax.while_loop(cond, body, state)`",),
    ),
    "assert with a known part": Form(
        jit("assert x.ndim == 1 and jnp.all(x >= 0)\nreturn x"),
        "f(jnp.arange(4.0))",
        "    assert x.ndim == 1 and jnp.all(x >= 0)",
        ("`assert` needs the value of `jnp.all(x >= 0)`",),
        ("with `x.ndim == 1 and jnp.all(x >= 0)`",),
    ),
    "if with a guard": Form(
        jit("if limit is not None and (x > limit).all():\n    return x * 0\nreturn x", "x, limit=None"),
        "assert f(jnp.arange(4.0), 1.0).tolist() == [0, 1, 2, 3] and f(jnp.arange(4.0)).tolist() == [0, 1, 2, 3]",
        "    if limit is not None and (x > limit).all():",
        ("`if` needs the value of `(x > limit).all()`",),
        ("`return jnp.where(limit is not None and (x > limit).all(), x * 0, x)`",),
        "    return jnp.where(limit is not None and (x > limit).all(), x * 0, x)",
        replaces=3,
    ),
    "first operand in an if": Form(
        jit("return x if 0 < x and y > 1 else y", "x, y"),
        "assert f(jnp.float32(2), jnp.float32(3)) == 2",
        "    return x if 0 < x and y > 1 else y",
        ("`and` in `0 < x and y > 1` needs the value of `0 < x`",),
        ("`jnp.where(jnp.logical_and(0 < x, y > 1), x, y)`",),
        "    return jnp.where(jnp.logical_and(0 < x, y > 1), x, y)",
    ),
    "any of a generator": Form(
        jit("return any(z > 2 for z in x)"),
        "assert f(jnp.arange(4.0))",
        "    return any(z > 2 for z in x)",
        ("`any((z > 2 for z in x))` needs the value of each element",),
        ("`jnp.any(jnp.asarray([z > 2 for z in x]))`",),
        "    return jnp.any(jnp.asarray([z > 2 for z in x]))",
    ),
    "branches that are no arrays": Form(
        jit("if x > 0:\n    return x, 1\nreturn -x, 0"),
        "f(jnp.float32(2))",
        "    if x > 0:",
        ("`if` needs the value of `x > 0`",),
        ("`return (jnp.where(x > 0, x, -x), jnp.where(x > 0, 1, 0))`",),
        "    return (jnp.where(x > 0, x, -x), jnp.where(x > 0, 1, 0))",
        replaces=3,
    ),
    "a name that only one branch makes": Form(
        jit("if x > 0:\n    y = x\nreturn x"),
        "f(jnp.float32(2))",
        "    if x > 0:",
        ("`if` needs the value of `x > 0`",),
        ("`jnp.where(x > 0, …, …)`",),
    ),
    "recursion": Form(
        jit("if n <= 1:\n    return 1\nreturn n * f(n - 1)", "n"),
        "f(3)",
        "    if n <= 1:",
        ("`if` needs the value of `n <= 1`",),
        ("the recursion never ends: loop with `jax.lax.while_loop`",),
    ),
    "range with a step": Form(
        jit("for i in range(2, n, 3):\n    x = x + i\nreturn x", "x, n"),
        "f(jnp.float32(2), 9)",
        "    for i in range(2, n, 3):",
        ("`range(2, n, 3)` needs the value of `n`",),
        ("with `k` for its rounds, `i` is `2 + k * 3`", "`static_argnames=('n',)`"),
    ),
    "range with two bounds": Form(
        jit("for i in range(2, n):\n    x = x + i\nreturn x", "x, n"),
        "assert f(jnp.float32(2), 5) == 11",
        "    for i in range(2, n):",
        ("`range(2, n)` needs the value of `n`",),
        ("`jax.lax.fori_loop(2, n, body, …)`",),
        "    x = jax.lax.fori_loop(2, n, lambda i, x: x + i, x)",
        replaces=2,
    ),
    "range that makes a list": Form(
        jit("return [x * i for i in range(len(x), n)]", "x, n"),
        "f(jnp.ones(2), 5)",
        "    return [x * i for i in range(len(x), n)]",
        ("`range(len(x), n)` needs the value of `n`",),
        ("How long a list gets must be known while tracing",),
    ),
}
