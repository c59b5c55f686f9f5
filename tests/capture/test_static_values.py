"""When a static value is another one, told of real programs: JAX is asked which are equal."""

from __future__ import annotations

import collections
import dataclasses
import functools
import math
import re
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import api_util

from tests.capture.counting import Ran
from tests.capture.told import recorded

W = jnp.ones(3)


@dataclasses.dataclass(frozen=True)
class Config:
    rate: object


class Pair(NamedTuple):
    a: int
    b: int


class Sizes(tuple[int, ...]):
    """Has a tuple's equality and hash."""


class Options(dict[str, int]):
    """Has a dict's equality, and a hash as a static value needs one."""

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))


class InOrder(collections.OrderedDict[str, int]):
    """Equal only in the same order."""

    def __hash__(self) -> int:
        return hash(tuple(self.items()))


class Name(str):
    """Equals the plain text."""

    __slots__ = ()


class Rate(float):
    """Equals the plain number."""


class Kinds(frozenset[int]):
    """Equals the plain set."""


class Irreps(tuple[int, ...]):
    """Compares by code of its own."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Irreps) and tuple.__eq__(self, other)

    def __hash__(self) -> int:
        return hash(("Irreps", tuple.__hash__(self)))


class Scale:
    def up(self, x):
        return x

    def down(self, x):
        return x


NAN = float("nan")
SCALE, NAMES = Scale(), {"a": 1}
unless_types_count = pytest.mark.skipif(
    hasattr(api_util, "argnames_partial_except"),
    reason="this JAX compares what is passed by keyword by `==` alone, and only of numbers we know what that says",
)
VALUES = [
    (1, 1.0),
    (1, True),
    ((1,), (1.0,)),
    ((1,), (True,)),
    (Config(1), Config(1.0)),
    (Config(Config(0.5)), Config(Config(0.25))),
    (0.0, -0.0),
    ((0.0, 1), (-0.0, 1)),
    (0j, complex(0.0, -0.0)),
    (NAN, NAN),
    ((NAN,), (NAN,)),
    ((NAN,), (float("nan"),)),
    (np.float32(1), np.float64(1)),
    ((np.int32(1),), (1,)),
    (np.int32(1), 1),
    (True, np.bool_(True)),
    (frozenset({1}), frozenset({1.0})),
    (frozenset({1}), frozenset({1, 2})),
    pytest.param(Pair(1, 2), (1, 2), marks=unless_types_count),
    (Pair(1, 2), Pair(1, 3)),
    pytest.param("a", np.str_("a"), marks=unless_types_count),
    (10**40, 10**40 + 1),
    (Sizes((1, 2)), Sizes((1, 2))),
    (Sizes((1, 2)), Sizes((1, 3))),
    pytest.param(Sizes((1, 2)), (1, 2), marks=unless_types_count),
    (Options(a=1), Options(a=1)),
    (Options(a=1), Options(a=2)),
    (Options(a=1, b=2), Options(b=2, a=1)),
    (InOrder(a=1, b=2), InOrder(b=2, a=1)),
    (Name("a"), Name("a")),
    (Name("a"), Name("b")),
    pytest.param(Name("a"), "a", marks=unless_types_count),
    ((Name("a"),), ("a",)),
    (Rate(0.5), Rate(0.5)),
    (Rate(0.5), Rate(0.25)),
    (Rate(0.5), 0.5),
    ((Rate(0.5),), (0.5,)),
    (Kinds({1}), Kinds({1})),
    (Kinds({1}), Kinds({2})),
    (Irreps((1, 2)), Irreps((1, 2))),
    (Irreps((1, 2)), Irreps((1, 3))),
    (SCALE.up, SCALE.up),
    (SCALE.up, SCALE.down),
    (SCALE.up, Scale().up),
    (NAMES.get, NAMES.get),
    (NAMES.get, NAMES.pop),
    (NAMES.get, {"a": 1}.get),
    (math.sqrt, math.sqrt),
    (math.sqrt, math.exp),
]
"""Static values that are equal to JAX, or are not; which is asked of JAX."""


@pytest.mark.parametrize(("old", "new"), VALUES, ids=lambda value: re.sub(r" at 0x\w+", "", repr(value)))
def test_a_static_value_is_named_where_jax_tells_it_from_the_other(old: object, new: object) -> None:
    ran = Ran()

    def f(x, s):
        ran("f")
        return x

    alone = jax.jit(f, static_argnames="s")
    alone(1.0, s=old)
    alone(1.0, s=new)
    told_apart = ran.counts["f"] == 2
    with recorded() as told:
        both = jax.jit(functools.partial(f), static_argnames="s")
        both(jnp.ones(2), s=old)
        both(jnp.ones(3), s=new)
    kinds = [reason.kind for reason in told.traces("f")[1].reasons]
    assert kinds == ["new_shape", *(["new_static_value"] if told_apart else [])]


def test_an_object_that_equals_others_but_is_hashed_by_identity_is_another_value() -> None:
    @dataclasses.dataclass
    class Options:
        n: int
        __hash__ = object.__hash__

    @functools.partial(jax.jit, static_argnums=1)
    def f(x, options):
        return x * options.n

    first = Options(1)
    with recorded() as told:
        for options in (first, first, Options(1), Options(2)):
            f(W, options)
    *hashes, other = (trace.reasons for trace in told.traces("f")[1:])
    assert [(r.kind, r.path, r.before, r.after) for r in other] == [("new_static_value", "options.n", "1", "2")]
    # JAX 0.10 looks at no hash here.
    assert all([r.path for r in reasons] == ["options.__hash__"] for reasons in hashes)


def test_static_sets_are_told_by_what_they_hold() -> None:
    @functools.partial(jax.jit, static_argnums=1)
    def f(x, names):
        return x * len(names)

    with recorded() as told:
        f(W, frozenset({"b", "a"}))
        f(W, frozenset())
    (reason,) = told.traces("f")[1].reasons
    assert (reason.before, reason.after) == ("frozenset({'a', 'b'})", "frozenset()")


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Layer:
    """A pytree with a static field."""

    w: Any
    act: Any = dataclasses.field(metadata={"static": True}, default="relu")


def test_a_static_field_of_a_dataclass_is_told_by_its_name() -> None:
    @jax.jit
    def apply(layer):
        return layer.w

    with recorded() as told:
        apply(Layer(1.0))
        apply(Layer(1.0, "tanh"))
    (reason,) = told.traces("apply")[1].reasons
    assert (reason.kind, reason.path) == ("new_pytree_structure", "layer")
    assert (reason.before, reason.after) == ("Layer[act='relu'](*)", "Layer[act='tanh'](*)")


@pytest.mark.parametrize(
    ("old", "new", "path", "texts"),
    [
        (Sizes((1, 2)), Sizes((1, 3)), "s[1]", ("2", "3")),
        (Irreps((1, 2)), Irreps((1, 3)), "s[1]", ("2", "3")),
        (Options(a=1), Options(a=2), "s['a']", ("1", "2")),
        (Sizes((1, 2)), Sizes((1,)), "s", ("Sizes((1, 2))", "Sizes((1,))")),
        (Name("a"), Name("b"), "s", ("Name('a')", "Name('b')")),
        (Pair(1, 2), Sizes((1, 3)), "s", ("Pair(a=1, b=2)", "Sizes((1, 3))")),
    ],
    ids=repr,
)
def test_what_a_class_derived_from_a_built_in_type_holds_is_told(
    old: object, new: object, path: str, texts: tuple[str, str]
) -> None:
    with recorded() as told:
        f = jax.jit(lambda x, s: x, static_argnames="s")
        f(1.0, s=old)
        f(1.0, s=new)
    (reason,) = told.traces("<lambda>")[1].reasons
    assert (reason.path, reason.before, reason.after) == (path, *texts)


def test_a_method_in_a_static_field_is_the_same_however_often_it_is_written() -> None:
    @jax.jit
    def apply(layer):
        return layer.w

    with recorded() as told:
        apply(Layer(1.0, SCALE.up))
        apply(Layer(jnp.ones(2), SCALE.up))
        apply(Layer(jnp.ones(2), Scale().up))
    sizes, scale = (trace.reasons for trace in told.traces("apply")[1:])
    assert {reason.path for reason in sizes} == {"layer.w"}
    assert [reason.kind for reason in scale] == ["new_pytree_structure"]
