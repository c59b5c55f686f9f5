"""Numbers of Python: functions of `math`, casts, and what takes known numbers only."""

from __future__ import annotations

from tests.capture.error_forms.form import Form, jit


def _math(call: str, same: str | None, expected: str) -> Form:
    mended = f"    return {same}" if same else None
    return Form(
        "import math\n" + jit(f"return {call}"),
        f"assert abs(f(jnp.float32(0.5)) - {expected}) < 1e-6",
        f"    return {call}",
        (f"`{call}` needs the value of `x`",),
        (f"`{same}`" if same else "`math` takes Python numbers only",),
        mended,
    )


FORMS = {
    "math.pow": _math("math.pow(x, 2)", "jnp.power(x, 2)", "0.25"),
    "math.atan2": _math("math.atan2(1.0, x)", "jnp.arctan2(1.0, x)", "math.atan2(1.0, 0.5)"),
    "math.isnan": _math("math.isnan(x)", "jnp.isnan(x)", "0"),
    "math.log with a base": _math("math.log(x, 2)", None, "-1"),
    "math.gamma": _math("math.gamma(x)", None, "0"),
    "axis": Form(
        jit("return jnp.sum(x, axis=axis)", "x, axis"),
        "f(jnp.ones((2, 3)), 0)",
        "    return jnp.sum(x, axis=axis)",
        ("needs the value of `axis`", "`axis` is an argument"),
        ("Declare it static, `static_argnames=('axis',)`",),
    ),
    "split": Form(
        jit("return jnp.split(x, (n * 1.0).astype(int))", "x, n"),
        "f(jnp.ones(4), 2.0)",
        "    return jnp.split(x, (n * 1.0).astype(int))",
        ("needs the value of `(n * 1.0).astype(int)`",),
        ("It takes a known number",),
    ),
    "range of int": Form(
        jit("for i in range(int(x[0])):\n    x = x + i\nreturn x"),
        "f(jnp.arange(4.0))",
        "    for i in range(int(x[0])):",
        ("`int(x[0])` needs the value of `x[0]`",),
        ("the bounds of `jax.lax.fori_loop` may be traced whole numbers",),
    ),
    "int with a name that a shape reads": Form(
        jit("n = int(x.sum())\nreturn jnp.zeros((n, 2))"),
        "f(jnp.arange(4.0))",
        "    n = int(x.sum())",
        ("`int(x.sum())` needs the value of `x.sum()`",),
        ("`jnp.zeros` takes known numbers only",),
    ),
    "item in a slice": Form(
        jit("return x[: n.item()]", "x, n"),
        "f(jnp.arange(4.0), jnp.int32(2))",
        "    return x[: n.item()]",
        ("`n.item()` needs the value of `n`",),
        ("A slice takes known numbers only",),
    ),
    "NumPy function with a size": Form(
        jit("return np.flatnonzero(x)"),
        "f(jnp.arange(4.0))",
        "    return np.flatnonzero(x)",
        ("how many elements `np.flatnonzero(x)` has depends on values",),
        ("`jnp.flatnonzero(x, size=…)`",),
        "    return jnp.flatnonzero(x, size=3)",
    ),
    "NumPy file": Form(
        "import io\n" + jit("np.save(io.BytesIO(), x)\nreturn x"),
        "f(jnp.arange(4.0))",
        "    np.save(io.BytesIO(), x)",
        ("needs the value of `x`",),
        ("`jax.debug.callback`",),
    ),
    "repeated list": Form(
        jit("return [x] * n", "x, n"),
        "f(1.0, 3)",
        "    return [x] * n",
        ("`[x] * n` needs the value of `n`",),
        ("How long a list gets must be known", "`jnp.asarray([x]) * n`"),
        "    return jnp.asarray([x]) * n",
    ),
    "list repeated from the left": Form(
        jit("return n * [x]", "x, n"),
        "f(1.0, 3)",
        "    return n * [x]",
        ("`n * [x]` needs the value of `n`",),
        ("`jnp.asarray([x]) * n`",),
        "    return jnp.asarray([x]) * n",
    ),
}
