"""Arrays that are baked in have the name by which the user's body reads them, wherever they are kept."""

from __future__ import annotations

import collections
import typing

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jax_trace_viz


class Pair(typing.NamedTuple):
    """As the states of optimizers are."""

    mean: typing.Any
    count: typing.Any


class Slotted:
    """Without a `__dict__`."""

    __slots__ = ("never_set", "weight")

    def __init__(self):
        self.weight = jnp.ones(7)


class OwnDict(dict):
    """A subclass that must not be asked: it counts who does."""

    asked = 0

    def items(self):
        OwnDict.asked += 1
        return super().items()


class OwnList(list):
    """A subclass."""


PAIR = Pair(jnp.ones(7), 3)
STATES = (Pair({"w": jnp.ones(7)}, 3),)
SLOTTED = Slotted()
ORDERED = collections.OrderedDict(w=jnp.ones(7))
OWN = OwnDict(w=jnp.ones(7))
LISTED = OwnList([jnp.ones(7)])

READERS = {
    "PAIR.mean": lambda x: x + PAIR.mean.sum(),
    "STATES[0].mean['w']": lambda x: x + STATES[0].mean["w"].sum(),
    "SLOTTED.weight": lambda x: x + SLOTTED.weight.sum(),
    "ORDERED['w']": lambda x: x + ORDERED["w"].sum(),
    "OWN['w']": lambda x: x + OWN["w"].sum(),
    "LISTED[0]": lambda x: x + LISTED[0].sum(),
}


@pytest.mark.parametrize("name", READERS)
def test_a_constant_is_named_as_it_is_read(name):
    OwnDict.asked = 0
    with jax_trace_viz.trace() as session:
        jax.jit(READERS[name])(1.0)
    assert session.document().faults == []
    (trace,) = [trace for trace in session.traces if trace.constants]
    assert [(c.name, c.source, c.type) for c in trace.constants] == [(name, "global", "f32[7]")]
    assert OwnDict.asked == 0


WIDE = np.arange(7.0)  # 64 bits, which JAX copies to 32
WIDES = [np.arange(7.0), np.arange(7.0) + 1]
TABLE = {"rows": [{"w": np.arange(7.0)}]}
SHAPE = np.zeros(7)


def scaled(x, by=WIDE):
    return x * by


def shifted(x):
    return x + WIDE


def closing():
    inner = np.arange(7.0)
    return lambda x: x * inner


def over_a_list(x):
    for w in WIDES:
        x = x * w
    return x


def looping(x):
    return jax.lax.fori_loop(0, 2, lambda i, c: c + WIDE, x)


COPIED = {
    "WIDE": lambda x: x * jnp.asarray(WIDE),
    "TABLE['rows'][0]['w']": lambda x: x * TABLE["rows"][0]["w"],
    "WIDE in a helper": shifted,
    "by": lambda x: scaled(x + 1),
    "inner": closing(),
    "WIDE in a loop's body": lambda x: jax.lax.fori_loop(0, 2, lambda i, c: c + WIDE, x),
    "WIDE in a helper's loop": lambda x: looping(x + 1),
    "WIDE in a branch": lambda x: jax.lax.cond(x[0] > 0, lambda: x * WIDE, lambda: x),
}


@pytest.mark.parametrize("name", COPIED)
def test_a_copy_that_jax_made_has_the_name_of_what_was_copied(name):
    with jax_trace_viz.trace() as session:
        jax.jit(COPIED[name])(jnp.ones(7))
    assert session.document().faults == []
    told = {constant.name for trace in session.traces for constant in trace.constants}
    assert told == {name.partition(" in ")[0]}


def test_arrays_of_a_list_that_a_loop_goes_through_are_named():
    with jax_trace_viz.trace() as session:
        jax.jit(over_a_list)(jnp.ones(7))
    told = {constant.name for trace in session.traces for constant in trace.constants}
    assert told in ({"WIDES[0]", "WIDES[1]"}, {"WIDES[0]", "w"})


def test_an_array_of_which_only_the_shape_is_read_gives_its_name_to_no_other():
    with jax_trace_viz.trace() as session:
        jax.jit(lambda x: x + np.zeros_like(SHAPE))(jnp.ones(7))
    assert {constant.name for trace in session.traces for constant in trace.constants} == {None}
