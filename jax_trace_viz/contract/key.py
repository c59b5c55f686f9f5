"""Cache keys of our own: what JAX looks at to decide whether a call is traced and compiled again."""

from __future__ import annotations

import msgspec


class Leaf(msgspec.Struct, kw_only=True, frozen=True):
    """One array leaf of a call's arguments.

    `aval_sharding` is part of the tracing key; `placement` (devices and sharding of the real array) and `committed`
    only decide about compilation.
    """

    path: str
    shape: tuple[int | str, ...]
    dtype: str
    weak_type: bool
    aval_sharding: str = ""
    placement: str | None = None
    committed: bool | None = None
    given: str = ""
    """What the program passed, if JAX makes the array of it: `float`, `float64` of NumPy. Its dtype then depends on
    `jax_enable_x64`.
    """


class ClassSeen(msgspec.Struct, kw_only=True, frozen=True):
    """A class: one that is defined anew has its name and another number."""

    name: str
    number: int


class StaticValue(msgspec.Struct, kw_only=True, frozen=True):
    """One static value. Equal tokens mean equal values; `identity` tokens compare the object, not its content."""

    path: str
    type: str
    value: str | None
    token: str
    compared_type: str = ""
    """The type's name, where JAX compares it as well and equal tokens leave it open."""
    identity: bool = False
    of_class: ClassSeen | None = None
    """Its class, or the class that it is, where JAX tells it from others of the same name."""
    sure: bool = True
    """False where only the object's own `__eq__` could tell: such a part counts only if nothing else differs."""


class Key(msgspec.Struct, kw_only=True, frozen=True):
    """All parts of one call that decide whether JAX traces and compiles again."""

    callable: int
    """Number of the callable object; a new object of the same code gets a new number."""
    made_by: str = ""
    """What the object is, if it is not the function itself: `functools.partial`, `bound method`, `grad`."""
    wrappers: tuple[str, ...] = ()
    """Transformations wrapped around the body, outermost first (`grad_f`, `vmap_f`)."""
    user_callable: int = 0
    """Number of the user's function that a library's callable (`filter_jit`, `nnx.jit`, a module's `apply`) was seen to
    run; 0 where it was not found, or the callable is the user's own.
    """
    positional: int = 0
    keywords: tuple[str, ...] = ()
    statics: tuple[StaticValue, ...] = ()
    defaults: tuple[StaticValue, ...] = ()
    """Defaults of static arguments that the call leaves out: no part of JAX's key, but values the body ran with."""
    structures: dict[str, str] = {}
    """Argument name → its pytree structure."""
    classes: dict[str, tuple[ClassSeen, ...]] = {}
    """Argument name → the classes of the nodes in its structure, and of what they keep beside their leaves."""
    leaves: tuple[Leaf, ...] = ()
    context: dict[str, str] = {}
    """Named parts of JAX's trace context (`jax_enable_x64`, `jax_default_matmul_precision`, mesh, …)."""
    donated: tuple[str, ...] = ()
    shardings: str = ""
    program: str = ""
    """Of a compilation: what JAX made of the traced program for a transformation around the call (`backward pass of
    grad`, `vmap`); empty for the program as it was traced. Its `leaves` are then the program's inputs.
    """
    program_detail: str = ""
    """What else a transformation was told, while its program's inputs may look the same: `with respect to w`, `over
    axes 1, 0`.
    """
    outer: Key | None = None
    """Of a body that a library's callable runs: the call as the user wrote it. With a `callable` it is the call of what
    JAX's jit returned, whose key JAX's cache has; without, no more is known than how a library's wrapper was called.
    Of a `program`: the call of the traced function that it was made of.
    """
    described: bool = True
    """False where the arguments could not be described: nothing can be compared with this key."""
