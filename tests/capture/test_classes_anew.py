"""Classes that are defined anew have their old names and are others to JAX: which of it counts is asked of JAX."""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections import namedtuple
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import pytest

from tests.capture.counting import Ran
from tests.capture.told import recorded

if TYPE_CHECKING:
    from collections.abc import Callable


def tuples() -> object:
    return namedtuple("Made", "w")(1.0)


def registered() -> object:
    # Not as a dataclass: structures of two of those are equal to JAX, and found or not by their hashes.
    @jax.tree_util.register_pytree_node_class
    class Made:
        def tree_flatten(self) -> tuple[tuple[float], None]:
            return (1.0,), None

        @classmethod
        def tree_unflatten(cls, _: None, children: tuple[object]) -> object:
            return children[0]

    return Made()


def frozen() -> object:
    @dataclasses.dataclass(frozen=True)
    class Made:
        n: int = 1

    return Made()


def equal_by_content() -> object:
    class Made:
        def __init__(self) -> None:
            self.n = 1

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Made) and self.n == other.n

        def __hash__(self) -> int:
            return self.n

    return Made()


def members() -> object:
    class Made(enum.Enum):
        A = 1

    return Made.A


def numbers() -> object:
    class Made(enum.IntEnum):
        A = 1

    return Made.A


def classes() -> object:
    class Made:
        pass

    return Made


def nested(make: Callable[[], object]) -> Callable[[], object]:
    return lambda: (make(), 1)


@pytest.mark.parametrize("make", [tuples, registered, nested(tuples), nested(registered)])
def test_a_pytree_of_another_class_is_told_as_that(make: Callable[[], object]) -> None:
    ran = Ran()

    @jax.jit
    def f(tree):
        ran("f")
        return jax.tree.leaves(tree)[0] + 1

    first = make()
    with recorded() as told:
        for tree in (first, first, make(), make()):
            f(tree)
    assert ran.counts == {"f": 3}
    for trace in told.traces("f")[1:]:
        (reason,) = trace.reasons
        assert (reason.kind, reason.path) == ("new_pytree_structure", "tree")
        assert reason.before is not None
        assert reason.before.startswith("class ")
        assert reason.before.endswith("Made")
        assert reason.after == f"another {reason.before}"
    (finding,) = told.document.findings
    assert "once, where it does not run again" in (finding.fix or "")


STATIC = [tuples, frozen, equal_by_content, members, numbers, classes]


@pytest.mark.parametrize("make", [*STATIC, *map(nested, STATIC)])
def test_a_static_value_of_another_class_is_told_where_jax_tells_it(make: Callable[[], object]) -> None:
    ran = Ran()

    def f(x, static):
        ran("f")
        return x

    first, second = make(), make()
    alone = jax.jit(f, static_argnums=1)
    alone(1.0, first)
    alone(1.0, second)
    told_apart = ran.counts["f"] == 2
    with recorded() as told:
        both = jax.jit(functools.partial(f), static_argnums=1)
        both(jnp.ones(2), first)
        both(jnp.ones(3), second)
        both(jnp.ones(2), second)
    across, *last = (trace.reasons for trace in told.traces("f")[1:])
    assert [reason.kind for reason in across] == ["new_shape", *(["new_static_value"] if told_apart else [])]
    assert len(last) == told_apart
    if told_apart:
        assert across[1].after == f"another {across[1].before}"
        assert (across[1].before or "").endswith("Made")


def test_what_a_pytree_keeps_beside_its_leaves_may_be_of_another_class() -> None:
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Holder:
        made: Any = dataclasses.field(metadata={"static": True})
        w: float = 1.0

    @jax.jit
    def f(holder):
        return holder.w

    with recorded() as told:
        f(Holder(frozen()))
        f(Holder(frozen()))
    (reason,) = told.traces("f")[1].reasons
    assert (reason.kind, reason.path) == ("new_pytree_structure", "holder")
    assert reason.after == f"another {reason.before}"
    assert (reason.before or "").endswith("frozen.<locals>.Made")


def test_classes_of_one_name_in_two_places_are_told_apart() -> None:
    @functools.partial(jax.jit, static_argnums=1)
    def f(x, cfg):
        return x

    with recorded() as told:
        for module in ("train", "test"):
            f(
                jnp.ones(2),
                dataclasses.make_dataclass("Config", [("n", int)], frozen=True, namespace={"__module__": module})(1),
            )
    (reason,) = told.traces("f")[1].reasons
    assert (reason.path, reason.before, reason.after) == ("cfg", "class Config", "another class Config")
