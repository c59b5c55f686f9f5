"""Nothing of a value's own code is run to describe it, whatever the value says of itself, and nothing fails."""

from __future__ import annotations

import contextlib
import types

import jax
import jax.numpy as jnp
import pytest

import jax_trace_viz
from tests.capture.hostile_values import ASKED, VALUES, AskedError

SEEN = None


def program(value):
    """The value is a local, in a closure, a global, a default, an attribute, a static argument and in a structure."""
    global SEEN  # noqa: PLW0603  (as a notebook does)
    SEEN = value
    holder = types.SimpleNamespace(value=value)

    @jax.jit
    def reads(x, default=1):
        local = [value]
        return x * default, local[:0], [holder.value, SEEN][:0]

    @jax.tree_util.register_pytree_node_class
    class Structure:
        def tree_flatten(self):
            return (jnp.ones(2),), value

        @classmethod
        def tree_unflatten(cls, _value, _children):
            return cls()

    def helper(x, of=value):
        del of
        return x + 1

    static = jax.jit(lambda x, _: x * 2, static_argnums=1)
    for size in (3, 4):
        jax.jit(lambda x: helper(x) + 1).trace(jnp.ones(size))
        with contextlib.suppress(Exception):  # JAX may ask it for a hash, or to equal another
            static.trace(jnp.ones(size), value)
        with contextlib.suppress(Exception):
            jax.jit(lambda _: 1).trace(Structure())
        with contextlib.suppress(Exception):
            jax.jit(lambda _: 1).trace(value)
    for _ in range(3):  # the last ones ask whether anything has changed
        reads(jnp.ones(4))


def asked(value):
    """What was run of the value's code by the program."""
    jax.clear_caches()
    ASKED.clear()
    program(value)
    return list(ASKED)


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_not_asked_and_costs_no_fault(name):
    plain = asked(VALUES[name])
    with jax_trace_viz.trace() as session:
        assert asked(VALUES[name]) == plain
    document = session.document()
    assert document.faults == []
    assert document.environment.limited == []
    assert {"x", "local", "default"} <= {mark.name for mark in document.annotations}


class MuteError(Exception):
    """It fails to say what it is about."""

    def __str__(self):
        raise AskedError("str")


def test_an_exception_that_says_nothing_is_the_one_that_is_raised():
    @jax.jit
    def fails(x):
        raise MuteError

    with pytest.raises(MuteError), jax_trace_viz.trace() as session:
        fails(1.0)
    document = session.document()
    assert document.faults == []
    assert (document.outcome.type, document.outcome.message) == ("MuteError", "")
    (trace,) = document.traces
    assert (trace.error.type, trace.error.message) == ("MuteError", "")


def test_asking_is_noticed():
    with pytest.raises(AskedError):
        repr(VALUES["a path"])
    assert ASKED[-1] == "__repr__"


@pytest.mark.parametrize("name", ["\ud800.py", "a" * 5_000 + ".py", "no\0file.py"], ids=["surrogate", "long", "nul"])
def test_a_function_of_a_file_that_cannot_have_its_name_costs_no_fault(name):
    def double(x):
        return x * 2

    fun = types.FunctionType(double.__code__.replace(co_filename=name), {})
    with jax_trace_viz.trace() as session:
        jax.jit(fun).trace(2.0)
    document = session.document()
    assert document.faults == []
    assert ("double", 1) in [(function.name, function.traces) for function in document.functions]


def test_globals_of_a_class_of_the_programs_are_not_asked():
    class Names(dict):
        def __contains__(self, name):
            raise AskedError(name)

        def get(self, name, default=None):
            raise AskedError(name)

        def __getitem__(self, name):  # asked by Python itself for what a body reads
            ASKED.append(name)
            return super().__getitem__(name)

    def reads(x):
        return x * rate * table["b"]  # noqa: F821

    def run():
        ASKED.clear()
        fun = jax.jit(types.FunctionType(reads.__code__, Names(rate=2.0, table={"b": 3.0}, array=jnp.ones(2))))
        assert [float(fun(x)) for x in (1.0, 1.0, 2, 1.0)] == [6, 6, 12, 6]
        return list(ASKED)

    plain = run()
    with jax_trace_viz.trace() as session:
        assert run() == plain
    assert session.document().faults == []
