"""Functions that have no hash, and pytrees that differ where they are gone through together."""

from __future__ import annotations

from tests.capture.error_forms.form import Form, jit

_HOLDER = """import dataclasses

@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Net:
    w: jax.Array

    def __call__(self, x, *more):
        return (x * self.w, *more) if more else x * self.w

net = Net(jnp.ones(3))
"""

FORMS = {
    "jit of an object that holds arrays": Form(
        _HOLDER,
        "jax.jit(net)(jnp.ones(3))",
        "jax.jit(net)(jnp.ones(3))",
        ("`jax.jit` looks functions up by their hash, and `net` has none: `net` holds an array",),
        ("`jax.jit(lambda self, *args: self(*args))(net, …)`", "`eqx.filter_jit`"),
        "jax.jit(lambda self, *args: self(*args))(net, jnp.ones(3))",
    ),
    "such an object under another name": Form(
        _HOLDER + "f = jax.jit(net)\n",
        "f(jnp.ones(3))",
        "f(jnp.ones(3))",
        ("`f(jnp.ones(3))` needs the hash of something that holds an array",),
        ("If `f` was made by `jax.jit` of such a method",),
    ),
    "scan over such an object": Form(
        _HOLDER,
        "jax.lax.scan(net, jnp.ones(3), jnp.ones((4, 3)))",
        "jax.lax.scan(net, jnp.ones(3), jnp.ones((4, 3)))",
        ("`jax.lax.scan` looks functions up by their hash, and `net` has none: `net` holds an array",),
        ("`lambda *args: net(*args)` in place of `net`",),
        "jax.lax.scan(lambda *args: net(*args), jnp.ones(3), jnp.ones((4, 3)))",
    ),
    "jit of an object of a dataclass": Form(
        "import dataclasses\n\n@dataclasses.dataclass\nclass Scale:\n    by: float\n\n"
        "    def __call__(self, x):\n        return x * self.by\n\nscale = Scale(2.0)\n",
        "jax.jit(scale)(jnp.ones(3))",
        "jax.jit(scale)(jnp.ones(3))",
        ("`scale` is of the class `Scale`, which has none: a class with `__eq__`, as a dataclass",),
        ("`@dataclass(frozen=True)`", "`lambda *args: scale(*args)` in place of `scale`"),
        "jax.jit(lambda *args: scale(*args))(jnp.ones(3))",
    ),
    "a static argument that holds an array": Form(
        _HOLDER
        + "import functools\n\n@functools.partial(jax.jit, static_argnums=0)\ndef f(net, x):\n    return net(x)\n",
        "f(net, jnp.ones(3))",
        "f(net, jnp.ones(3))",
        ("an argument of `f` is static, and a `Net` that holds an array cannot be hashed",),
        ("take it out of the static ones, if its class is a pytree",),
        "jax.jit(f.__wrapped__)(net, jnp.ones(3))",
        kind="unhashable_static",
    ),
    "tree.map over other keys": Form(
        jit("return jax.tree.map(jnp.add, a, b)", "a, b"),
        "f({'w': 1.0, 'b': 2.0}, {'w': 1.0})",
        "    return jax.tree.map(jnp.add, a, b)",
        ("goes through pytrees together that are not of one structure",),
        ("the same containers, keys and lengths",),
    ),
    "tree.map over another length": Form(
        jit("return jax.tree.map(jnp.add, a, b)", "a, b"),
        "f({'w': [1.0]}, {'w': [1.0, 2.0]})",
        "    return jax.tree.map(jnp.add, a, b)",
        ("goes through pytrees together that are not of one structure",),
        ("the same containers, keys and lengths",),
    ),
    "tree.map over None": Form(
        jit("return jax.tree.map(jnp.add, a, b)", "a, b"),
        "f({'w': None}, {'w': 1.0})",
        "    return jax.tree.map(jnp.add, a, b)",
        ("goes through pytrees together that are not of one structure",),
        ("the same containers, keys and lengths",),
    ),
}
