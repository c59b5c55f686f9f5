"""A recording leaves no trace: not in JAX, not in Python, not in the user's objects."""

from __future__ import annotations

import gc
import logging
import pickle
import sys
import typing
import weakref
from types import FunctionType

import jax
import jax.numpy as jnp
import pytest

import jax_trace_viz
from tests.capture.patches import changed, snapshot
from tests.capture.told import recorded


@jax.jit
def double(x):
    return x * 2


@pytest.fixture(autouse=True)
def warm() -> None:
    """What JAX and the capture load late is loaded before anything is compared."""
    with recorded():
        jax.jit(lambda x: jax.lax.scan(lambda a, b: (a + b, b), 0.0, x))(jnp.ones(2))


def test_every_hook_is_taken_out_by_identity() -> None:
    before = snapshot()
    with jax_trace_viz.trace():
        double(jnp.ones(2))
        during = snapshot()
    assert changed(before, during), "nothing was hooked: this test compares nothing"
    assert changed(before, snapshot()) == []


def test_functions_of_jax_are_pickled_by_name() -> None:
    """As cloudpickle does when it writes a jitted function for another process, which finds JAX's own there."""
    before = {path: thing for path, thing in snapshot().items() if len(path) == 2}
    with jax_trace_viz.trace():
        hooked = {path: thing for path, thing in snapshot().items() if path in before and before[path] is not thing}
        names = {path: pickle.dumps(thing) for path, thing in hooked.items() if isinstance(thing, FunctionType | type)}
    assert ("jax._src.pjit", "_infer_params") in names
    assert [path for path, name in names.items() if pickle.loads(name) is not before[path]] == []


def test_every_hook_is_taken_out_when_the_block_raises() -> None:
    before = snapshot()

    @jax.jit
    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), jax_trace_viz.trace():
        interrupted(1.0)
    assert changed(before, snapshot()) == []


def test_every_hook_is_taken_out_after_many_recordings() -> None:
    before = snapshot()
    for _ in range(30):
        with jax_trace_viz.trace():
            double(jnp.ones(3))
    assert changed(before, snapshot()) == []


def test_every_hook_is_taken_out_after_recordings_inside_one_another() -> None:
    before = snapshot()

    @jax.jit
    def step(x):
        return x + 1

    with recorded() as outer:
        with recorded() as inner:
            step(1.0)
        step(jnp.ones(2))
    assert changed(before, snapshot()) == []
    assert (inner.runs(), outer.runs()) == ({"step": 1}, {"step": 2})


def test_recordings_that_end_in_another_order_take_their_own_hooks_out() -> None:
    before = snapshot()
    first, second = jax_trace_viz.start_recording(), jax_trace_viz.start_recording()
    first.stop()

    @jax.jit
    def step(x):
        return x + 1

    step(1.0)
    second.stop()
    assert changed(before, snapshot()) == []
    assert [f.traces for f in second.session.document().functions if f.name == "step"] == [1]


def test_a_hook_of_somebody_else_stays() -> None:
    from jax._src import core

    original = core.ensure_no_leaks
    with jax_trace_viz.trace():
        ours = core.ensure_no_leaks

        def theirs(trace):
            return ours(trace)

        core.ensure_no_leaks = theirs
    try:
        assert core.ensure_no_leaks is theirs
        assert double(jnp.ones(5)).shape == (5,)
    finally:
        core.ensure_no_leaks = original


def test_the_profiler_of_the_user_keeps_running() -> None:
    calls: list[str] = []

    def profiler(frame, event, argument):
        calls.append(frame.f_code.co_name)

    def watched(x):
        return x * 2

    sys.setprofile(profiler)
    try:
        with jax_trace_viz.trace():
            jax.jit(watched)(1.0)
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)
    assert "watched" in calls


class Mode:
    """Notes in `asked` what it is asked."""

    asked: typing.ClassVar[list[str]] = []

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        self.asked.append("hash")
        return hash(self.name)

    def __eq__(self, other):
        self.asked.append("eq")
        return isinstance(other, Mode) and self.name == other.name

    def __repr__(self):
        self.asked.append("repr")
        return self.name

    def __bool__(self):
        self.asked.append("bool")
        return True

    def __len__(self):
        self.asked.append("len")
        return 1


class Layer:
    """A pytree whose structure holds a mode."""

    def __init__(self, weight, mode):
        self.weight, self.mode = weight, mode


jax.tree_util.register_pytree_node(
    Layer, lambda layer: ((layer.weight,), layer.mode), lambda mode, children: Layer(*children, mode)
)


def modes_as_static_arguments() -> None:
    step = jax.jit(lambda x, mode: x * 2, static_argnums=1)
    for name in ("a", "b", "a"):
        step(1.0, Mode(name))


def modes_in_structures() -> None:
    step = jax.jit(lambda layer: layer.weight * 2)
    for name in ("a", "b", "a"):
        step(Layer(1.0, Mode(name)))


@pytest.mark.parametrize("program", [modes_as_static_arguments, modes_in_structures])
def test_static_values_are_asked_nothing_that_jax_does_not_ask(program) -> None:
    def asked() -> list[str]:
        Mode.asked.clear()
        program()
        return list(Mode.asked)

    def beside_plain() -> bool:
        plain = asked()
        with recorded() as told:
            watched = asked()
        assert list(told.runs().values()) == [2]
        assert "eq" in plain
        return watched == plain

    asked()
    # JAX's tables in C++ also compare what only seven bits of a hash say is the same: once in a while, by chance.
    assert any(beside_plain() for _ in range(3))


def test_arrays_and_functions_of_the_program_are_let_go() -> None:
    def program() -> list[weakref.ref[object]]:
        weights, default = jnp.arange(1000.0), jnp.arange(2000.0)

        @jax.jit
        def step(x, offset=default):
            return x * weights + offset[0]

        step(1.0)
        return [weakref.ref(weights), weakref.ref(step), weakref.ref(default)]

    with recorded() as told:
        kept = program()
    jax.clear_caches()
    gc.collect()
    assert told.runs() == {"step": 1}
    assert [ref() for ref in kept] == [None, None, None]


def test_a_body_can_recurse_as_deep() -> None:
    def deepest() -> int:
        depth = 0

        def nested(x):
            nonlocal depth
            depth += 1
            return nested(x)

        @jax.jit
        def run(x):
            with pytest.raises(RecursionError):
                nested(x)
            return x * 2

        assert run(2.0) == 4.0
        return depth

    plain = deepest()
    with jax_trace_viz.trace():
        watched = deepest()
    assert plain - watched <= 3


def test_who_listens_to_jaxs_messages_is_no_traced_function() -> None:
    class Heard(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(record.getMessage())

    heard: list[str] = []
    handler, logger = Heard(), logging.getLogger("jax")
    logger.addHandler(handler)
    try:
        with recorded() as told, jax.log_compiles():
            jax.grad(lambda x: jax.vmap(jax.nn.silu)(x).sum())(jnp.ones((7, 11)))
    finally:
        logger.removeHandler(handler)
    assert heard
    assert told.runs() == {"<lambda>": 1}
