"""Arrays that are baked in have the name by which the user's body reads them, wherever they are kept."""

from __future__ import annotations

import collections
import typing

import jax
import jax.numpy as jnp
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
