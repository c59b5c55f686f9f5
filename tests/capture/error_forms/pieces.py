"""Masks and slices for which `jnp.where` would be another computation."""

from __future__ import annotations

from tests.capture.error_forms.form import Form, jit

FORMS = {
    "rows by a mask": Form(
        jit("big = x[:, 0] > 1\nreturn x[big].sum()"),
        "assert f(jnp.ones((3, 2)) * 2) == 12",
        "    return x[big].sum()",
        ("how many elements `x[big]` has depends on values",),
        ("Say how many there are at most: `x[jnp.nonzero(big, size=…)]`",),
        "    return x[jnp.nonzero(big, size=3)].sum()",
    ),
    "function of a mask": Form(
        jit("return jnp.mean(x[x > 1])"),
        "assert f(jnp.arange(4.0)) == 2.5",
        "    return jnp.mean(x[x > 1])",
        ("how many elements `x[x > 1]` has depends on values",),
        ("`jnp.mean(x, where=x > 1)`",),
        "    return jnp.mean(x, where=x > 1)",
    ),
    "mask in a tuple": Form(
        jit("return x[x[:, 0] > 1, 0]"),
        "f(jnp.ones((3, 2)))",
        "    return x[x[:, 0] > 1, 0]",
        ("has depends on values",),
        ("Choose with `jnp.where(mask, x, fill)`",),
    ),
    "rows by a slice": Form(
        jit("return x[:n]", "x, n"),
        "f(jnp.ones((3, 2)), 2)",
        "    return x[:n]",
        ("the slice `x[:n]` needs the value of `n`",),
        ("Keep the whole array and mask it with `jnp.where`",),
    ),
    "slice from the end": Form(
        jit("return x[: -n]", "x, n"),
        "f(jnp.ones(3), 2)",
        "    return x[: -n]",
        ("needs the value of",),
        ("Keep the whole array and mask it with `jnp.where`",),
    ),
    "window of a traced length": Form(
        jit("return x[i : i + n]", "x, i, n"),
        "f(jnp.ones(3), 0, 2)",
        "    return x[i : i + n]",
        ("the slice `x[i:i + n]` needs the value of `i",),
        ("`jnp.where((place >= i) & (place < i + n), x, 0)`",),
    ),
    "dict key that is a condition": Form(
        jit("return {True: 1, False: 2}[x > 0]"),
        "f(1.0)",
        "    return {True: 1, False: 2}[x > 0]",
        ("the key of `{True: 1, False: 2}` needs the value of `x > 0`",),
        ("`jnp.where(x > 0, …, …)`",),
    ),
    "slice of what was an argument": Form(
        jit("x = x.reshape(2, 2)\nreturn x[:n]", "x, n"),
        "f(jnp.ones(4), 1)",
        "    return x[:n]",
        ("the slice `x[:n]` needs the value of `n`",),
        ("Keep the whole array and mask it with `jnp.where`",),
    ),
    "slice in a helper": Form(
        "def first(x, n):\n    return x[:n]\n\n" + jit("return first(jnp.outer(x, x), n)", "x, n"),
        "f(jnp.ones(4), 1)",
        "    return x[:n]",
        ("the slice `x[:n]` needs the value of `n`",),
        ("Keep the whole array and mask it with `jnp.where`",),
    ),
}
