"""Random calls of one jitted function, as plain data: so that one part of a call can be put back, and nothing else.

JAX is asked what a part is worth: in an environment of its own, whose function counts the runs of its body.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
import itertools
import re
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from jax import experimental
from jax._src.lax import lax as lax_internals

if TYPE_CHECKING:
    import pathlib

    from jax_trace_viz.contract.document import Reason

enable_x64 = (jax if hasattr(jax, "enable_x64") else experimental).enable_x64  # public since JAX 0.8


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float
    name: str | None = None


@dataclasses.dataclass(frozen=True)
class Leaf:
    """One array. A weak one without dimensions is a Python number, as users pass it."""

    shape: tuple[int, ...] = (2,)
    dtype: str = "float32"
    weak: bool = False
    numpy: bool = False

    def make(self) -> Any:
        if self.numpy and not self.weak:
            return np.zeros(self.shape, self.dtype)
        if self.weak and not self.shape:
            return {"f": 1.5, "i": 3, "b": True}[self.dtype[0]]
        zeros = jnp.zeros(self.shape, jax.dtypes.canonicalize_dtype(self.dtype))
        return lax_internals._convert_element_type(zeros, zeros.dtype, weak_type=self.weak)


Tree = dict[str, Any] | list[Any] | tuple[Any, ...] | Leaf | None

SPELLINGS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "x, p, mode": (("x", "p", "mode"), ()),
    "x, p, mode=": (("x", "p"), ("mode",)),
    "x, p=, mode=": (("x",), ("p", "mode")),
    "x=, p=, mode=": ((), ("x", "p", "mode")),
    "x, p": (("x", "p"), ()),
    "x, p=": (("x",), ("p",)),
    "x": (("x",), ()),
    "x, mode=": (("x",), ("mode",)),
    "x=, mode=": ((), ("x", "mode")),
}
"""What is given by position, and what by keyword."""

STATICS: list[Any] = [
    *(None, True, False, 0, 1, 2, 1.0, 0.5, "a", "b", b"a", "", (), (1, 2), (1, 2.0), (1, (2, "a")), 1j),
    *(Color.RED, Color.BLUE, Config(0.1), Config(0.2), Config(0.2, "a"), frozenset({1}), frozenset({1, 2})),
    *(
        range(3),
        range(4),
        np.float32,
        np.dtype("int32"),
        jnp.tanh,
        jnp.sin,
        (True, 2),
        Config(1),
        Config(1.0),
        -0.0,
        0.0,
    ),
]


@dataclasses.dataclass(frozen=True)
class Call:
    """One call, part by part."""

    x: Leaf = Leaf()
    p: Tree = None
    mode: Any = None
    spelling: str = "x, p, mode"
    which: int = 0
    """Which function object: all are made of one `def`."""
    x64: bool = False
    precision: str | None = None


SOURCE = """
def make(count):
    def f(x, p=None, mode=None):
        count()
        return x
    return f
"""


class Environment:
    """A function whose body counts itself, in as many objects as are asked for."""

    _numbers = itertools.count()

    def __init__(self, folder: pathlib.Path) -> None:
        self.runs = 0
        # A file of its own: what other examples ran is another function.
        file = folder / f"random_{next(self._numbers)}.py"
        self._functions: dict[int, Any] = {}
        self._namespace: dict[str, Any] = {}
        exec(compile(SOURCE, file, "exec"), self._namespace)

    def _function(self, which: int) -> Any:
        if which not in self._functions:
            f = self._namespace["make"](self._count)
            self._functions[which] = jax.jit(functools.partial(f) if which == 2 else f, static_argnames=("mode",))
        return self._functions[which]

    def _count(self) -> None:
        self.runs += 1

    def call(self, call: Call) -> bool:
        """Calls; whether the body ran."""
        before = self.runs
        by_position, by_keyword = SPELLINGS[call.spelling]
        with contextlib.ExitStack() as stack:
            if call.x64:
                stack.enter_context(enable_x64(True))
            if call.precision is not None:
                stack.enter_context(jax.default_matmul_precision(call.precision))
            made = {"x": call.x.make(), "p": _made(call.p), "mode": call.mode}
            self._function(call.which)(
                *(made[name] for name in by_position), **{name: made[name] for name in by_keyword}
            )
        return self.runs > before


def _made(tree: Tree) -> Any:
    if isinstance(tree, Leaf):
        return tree.make()
    if isinstance(tree, dict):
        return {key: _made(value) for key, value in tree.items()}
    return type(tree)(map(_made, tree)) if isinstance(tree, (list, tuple)) else tree


_ATTRIBUTES = {"new_shape": "shape", "new_dtype": "dtype", "weak_type": "weak"}
_INNER = re.compile(r"\.(\w+)|\[(\d+)\]")
_STEP = re.compile(r"\[('?)([^\]']+)'?\]")


def put_back(call: Call, earlier: Call, reasons: list[Reason]) -> Call:
    """`call` with the parts that the reasons name as they were in `earlier`."""
    whole = {reason.path and reason.path[0] for reason in reasons if reason.kind == "new_pytree_structure"}
    for reason in reasons:
        call = _one_back(call, earlier, reason, whole)
    return call


def _one_back(call: Call, earlier: Call, reason: Reason, whole: set[str | None]) -> Call:
    path = reason.path or ""
    if reason.kind in _ATTRIBUTES:
        name = path[0]
        if name in whole:
            return call
        steps = _STEP.findall(path)
        tree = _leaf_back(getattr(call, name), getattr(earlier, name), steps, _ATTRIBUTES[reason.kind])
        return dataclasses.replace(call, **{name: tree})
    if reason.kind == "kwargs_signature":
        return dataclasses.replace(call, spelling=earlier.spelling, **_given_anew(call, earlier))
    if reason.kind == "new_static_value" and path.startswith("mode"):
        before = earlier.mode if "mode" in _given(earlier) else None
        return dataclasses.replace(call, mode=_static_back(call.mode, before, _INNER.findall(path)))
    part = _parts(path)[reason.kind]
    return dataclasses.replace(call, **{part: getattr(earlier, part)})


def _parts(path: str) -> dict[str, str]:
    """Kind of reason → part of a call. The path must be that of the part."""
    return {
        "new_function_object": "which",
        "config_context": "x64" if "x64" in path else "precision",
        "new_pytree_structure": {"p": "p"}.get(path[:1], "no part"),
    }


def _given_anew(call: Call, earlier: Call) -> dict[str, Any]:
    """Arguments that only the earlier spelling gives: the static one as its default was, which is told by itself."""
    anew = _given(earlier) - _given(call)
    return {name: None if name == "mode" else getattr(earlier, name) for name in anew}


def _given(call: Call) -> set[str]:
    by_position, by_keyword = SPELLINGS[call.spelling]
    return {*by_position, *by_keyword}


def _static_back(value: Any, earlier: Any, steps: list[tuple[str, str]]) -> Any:
    if not steps:
        return earlier
    (name, number), *others = steps
    if name:
        inner = _static_back(getattr(value, name), getattr(earlier, name), others)
        return dataclasses.replace(value, **{name: inner})
    index = int(number)
    inner = _static_back(value[index], earlier[index], others)
    return (*value[:index], inner, *value[index + 1 :])


def _leaf_back(tree: Any, earlier: Any, steps: list[tuple[str, str]], attribute: str) -> Any:
    if not steps:
        return dataclasses.replace(tree, **{attribute: getattr(earlier, attribute)})
    (quoted, name), *others = steps
    key: Any = name if quoted else int(name)
    inner = _leaf_back(tree[key], earlier[key], others, attribute)
    if isinstance(tree, dict):
        return {**tree, key: inner}
    return type(tree)(inner if number == key else part for number, part in enumerate(tree))


strong = st.builds(
    Leaf,
    shape=st.sampled_from([(), (2,), (3,), (2, 2)]),
    dtype=st.sampled_from(["float32", "int32", "bool", "float16"]),
    numpy=st.booleans(),
)
weak = st.builds(
    Leaf, shape=st.sampled_from([(), (2,)]), dtype=st.sampled_from(["float32", "int32"]), weak=st.just(True)
)
double = st.builds(
    Leaf, shape=st.sampled_from([(), (2,)]), dtype=st.sampled_from(["float64", "int64"]), numpy=st.just(True)
)
leaves = strong | weak | double
trees = st.recursive(
    st.none() | leaves,
    lambda inner: (
        st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
        | st.lists(inner, max_size=2)
        | st.lists(inner, max_size=2).map(tuple)
    ),
    max_leaves=3,
)
PARTS: dict[str, st.SearchStrategy[Any]] = {
    "x": leaves,
    "p": trees,
    "mode": st.sampled_from(STATICS),
    "spelling": st.sampled_from(list(SPELLINGS)),
    "which": st.integers(0, 2),
    "x64": st.booleans(),
    "precision": st.sampled_from([None, "highest", "bfloat16"]),
}


@st.composite
def programs(draw: st.DrawFn) -> list[Call]:
    """Calls that each change little about an earlier one, or nothing."""
    calls = [Call()]
    for _ in range(draw(st.integers(1, 4))):
        call = draw(st.sampled_from(calls))
        for part in draw(st.lists(st.sampled_from(list(PARTS)), max_size=2, unique=True)):
            call = dataclasses.replace(call, **{part: draw(PARTS[part])})
        calls.append(call)
    return calls
