"""Jaxprs as records: compared with what JAX itself holds, on programs that are really traced."""

from __future__ import annotations

import functools
import gc
import itertools
import re
import threading
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax_trace_viz.capture.jaxprs import JaxprWriter, Part
from jax_trace_viz.session.graph.walk import primitives

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jax_trace_viz.contract.events import JaxprSeen
    from jax_trace_viz.contract.jaxpr import Frame, Jaxpr


class Recording:
    """All jaxprs and frames that one writer told."""

    def __init__(self, **options: int) -> None:
        self.writer = JaxprWriter(**options)
        self.jaxprs: dict[str, Jaxpr] = {}
        self.frames: list[Frame] = []

    def write(self, jaxpr: Any) -> Jaxpr:
        """Writes one jaxpr and returns its record."""
        id, events = self.writer.write(jaxpr)
        self.add(events)
        return self.jaxprs[id]

    def add(self, events: list[JaxprSeen]) -> None:
        """Takes events in, checking that they come in the promised order."""
        for event in events:
            assert event.first_frame == len(self.frames)
            self.frames += event.frames
            for equation in event.jaxpr.equations:
                assert all(sub.jaxpr in self.jaxprs for sub in equation.jaxprs), "innermost first"
                assert equation.frame is None or equation.frame < len(self.frames)
            self.jaxprs[event.jaxpr.id] = event.jaxpr


def plain(jaxpr: Any) -> Any:
    """The `Jaxpr` inside a `ClosedJaxpr`, which newer JAX no longer tells apart."""
    return getattr(jaxpr, "jaxpr", jaxpr)


def inner(equation: Any) -> list[Any]:
    """The jaxprs in an equation's parameters, as JAX's documentation says to find them."""
    groups = (value if isinstance(value, (tuple, list)) else (value,) for value in equation.params.values())
    values = itertools.chain.from_iterable(groups)
    return [plain(value) for value in values if hasattr(plain(value), "eqns")]


def walk(jaxpr: Any) -> Iterator[str]:
    """Primitives of JAX's own jaxpr, recursively."""
    for equation in plain(jaxpr).eqns:
        yield equation.primitive.name
        for sub in inner(equation):
            yield from walk(sub)


def loops(x: jax.Array, w: jax.Array) -> jax.Array:
    """Scan, while, cond and a nested jit."""

    @jax.jit
    def double(v: jax.Array) -> jax.Array:
        return v * 2

    def body(carry: jax.Array, step: jax.Array) -> tuple[jax.Array, jax.Array]:
        return jnp.tanh(carry @ w) + step, carry.sum()

    carry, sums = jax.lax.scan(body, x, jnp.arange(3.0))
    carry = jax.lax.while_loop(lambda c: c.sum() < 100.0, lambda c: double(c) + 1, carry)
    return jax.lax.cond(sums[0] > 0, double, jnp.negative, carry)


@jax.custom_vjp
def smooth(x: jax.Array) -> jax.Array:
    """A function with its own derivative rule."""
    return jnp.sin(x) * x


smooth.defvjp(lambda x: (smooth(x), x), lambda x, g: (g * jnp.cos(x),))


def effects(x: jax.Array) -> jax.Array:
    """A side effect inside a loop."""

    def body(i: int, c: jax.Array) -> jax.Array:
        jax.debug.print("c {}", c)
        return c + i

    return jax.lax.fori_loop(0, 3, body, x)


X, W = np.ones((4, 4), np.float32), np.ones((4, 4), np.float32)
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "loops": (loops, (X, W)),
    "grad": (jax.grad(lambda x, w: jax.checkpoint(loops_free)(x, w).sum()), (X, W)),
    "custom_vjp": (lambda x: smooth(smooth(x)).sum(), (X,)),
    "custom_jvp": (lambda x: jax.nn.relu(x) + jax.nn.gelu(x), (X,)),
    "vmap": (jax.vmap(jax.grad(lambda x: jnp.sum(x**3))), (X,)),
    "hessian": (jax.hessian(lambda x: jnp.sum(jnp.sin(x) ** 3)), (X[0],)),
    "effects": (effects, (X,)),
    "random": (lambda seed: jax.random.normal(jax.random.key(seed), (3,)), (0,)),
    "unused": (lambda x, y: 1.0, (X, X)),
}


def loops_free(x: jax.Array, w: jax.Array) -> jax.Array:
    """A differentiable loop over a function with its own rule."""
    return jax.lax.scan(lambda c, _: (smooth(c @ w), None), x, None, length=3)[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_equations_equal_those_of_jax(name: str) -> None:
    function, arguments = PROGRAMS[name]
    jaxpr = jax.make_jaxpr(function)(*arguments)
    recording = Recording()
    record = recording.write(jaxpr)
    expected = list(walk(jaxpr))
    assert list(primitives(recording.jaxprs, record.id)) == expected
    count = recording.writer.count(jaxpr)
    assert count.expanded == len(expected)
    assert count.distinct == sum(len(j.equations) for j in recording.jaxprs.values())


def check_variables(jaxpr: Any, record: Jaxpr, jaxprs: dict[str, Jaxpr]) -> None:
    """Variables are numbered one to one, with JAX's types, in this jaxpr and all inside it."""
    jaxpr = plain(jaxpr)
    numbers: dict[Any, int] = {}

    def same(variable: Any, number: int | str) -> None:
        if hasattr(variable, "val"):
            assert isinstance(number, str)
            assert number.startswith(str(np.asarray(variable.val).item()))
            return
        assert isinstance(number, int)
        assert numbers.setdefault(variable, number) == number
        assert record.types[number].rstrip("~") == variable.aval.str_short(short_dtypes=True)
        assert record.types[number].endswith("~") == getattr(variable.aval, "weak_type", False)

    def all_same(variables: Any, recorded: Any) -> None:
        for variable, number in zip(variables, recorded, strict=True):
            same(variable, number)

    all_same(jaxpr.constvars, record.constants)
    all_same(jaxpr.invars, record.inputs)
    for equation, written in zip(jaxpr.eqns, record.equations, strict=True):
        all_same(equation.invars, written.inputs)
        all_same(equation.outvars, written.outputs)
        printed = str(equation.source_info.name_stack)
        if jax.__version_info__ < (0, 7):  # this one leaves out transformations outside all names
            assert re.sub(r"(/|^)(\w+\()+\)+$", "", written.scope) == printed
        else:
            assert written.scope == printed
        assert len(written.effects) == len(equation.effects)
        for sub, told in zip(inner(equation), written.jaxprs, strict=True):
            check_variables(sub, jaxprs[told.jaxpr], jaxprs)
    all_same(jaxpr.outvars, record.outputs)
    assert len(set(numbers.values())) == len(numbers)


@pytest.mark.parametrize("name", PROGRAMS)
def test_variables_equal_those_of_jax(name: str) -> None:
    function, arguments = PROGRAMS[name]
    jaxpr = jax.make_jaxpr(function)(*arguments)
    recording = Recording()
    check_variables(jaxpr, recording.write(jaxpr), recording.jaxprs)


def test_loops_tell_how_their_operands_split() -> None:
    recording = Recording()
    record = recording.write(jax.make_jaxpr(loops)(X, W))
    scan = next(e for e in record.equations if e.primitive == "scan")
    assert (scan.parameters["num_consts"], scan.parameters["num_carry"], scan.parameters["length"]) == ("1", "1", "3")
    loop = next(e for e in record.equations if e.primitive == "while")
    assert [sub.parameter for sub in loop.jaxprs] == ["cond_jaxpr", "body_jaxpr"]
    assert {"cond_nconsts", "body_nconsts"} <= loop.parameters.keys()
    cond = next(e for e in record.equations if e.primitive == "cond")
    assert [sub.parameter for sub in cond.jaxprs] == ["branches[0]", "branches[1]"]


def test_frames_are_exact_spans_of_user_code() -> None:
    def outer(x: jax.Array) -> jax.Array:
        return helper(x) + 1

    def helper(x: jax.Array) -> jax.Array:
        return jnp.sin(x * 2)

    recording = Recording()
    record = recording.write(jax.make_jaxpr(outer)(X))
    source, texts = Path(__file__).read_text().splitlines(), []
    for equation in record.equations:
        frame = recording.frames[equation.frame if equation.frame is not None else -1]
        assert (frame.file, frame.origin, frame.line) == (__file__, "user", frame.end_line)
        texts.append((equation.primitive, source[frame.line - 1].encode()[frame.column : frame.end_column].decode()))
        chain = [frame.function.rsplit(".", 1)[-1]]
        while frame.parent is not None:
            frame = recording.frames[frame.parent]
            chain.append(frame.function.rsplit(".", 1)[-1])
        inside = [] if equation.primitive == "add" else ["helper"]
        assert chain == [*inside, "outer"], "nothing outside the traced function"
    assert texts == [("mul", "x * 2"), ("sin", "jnp.sin(x * 2)"), ("add", "helper(x) + 1")]


def test_frames_are_told_once() -> None:
    recording = Recording()

    def f(x: jax.Array) -> jax.Array:
        for _ in range(50):
            x = jnp.sin(x)
        return x

    record = recording.write(jax.make_jaxpr(f)(X))
    assert len(record.equations) == 50
    assert len(recording.frames) == 1

    def g(x: jax.Array) -> jax.Array:
        return f(x)

    recording.write(jax.make_jaxpr(g)(X))
    assert [frame.function.rsplit(".", 1)[-1] for frame in recording.frames] == ["f", "g", "f"], "now called from g"


def test_same_jaxpr_is_told_once() -> None:
    recording = Recording()
    closed = jax.make_jaxpr(loops)(X, W)
    first = recording.write(closed)
    id, events = recording.writer.write(closed)
    assert (id, events) == (first.id, [])


def test_shared_inner_jaxprs_are_told_once() -> None:
    def nest(depth: int) -> Callable[[Any], Any]:
        function: Callable[[Any], Any] = jnp.sin
        for _ in range(depth):
            function = jax.jit(functools.partial(lambda f, v: f(f(v)), function))
        return function

    recording = Recording()
    jaxpr = jax.make_jaxpr(nest(40))(1.0)
    record = recording.write(jaxpr)
    count = recording.writer.count(jaxpr)
    assert len(recording.jaxprs) <= 45
    assert count.distinct <= 2 * 45
    assert count.expanded > 2**40
    assert record.id == list(recording.jaxprs)[-1]


def test_counts_stay_below_what_javascript_can_hold() -> None:
    function: Callable[[Any], Any] = jnp.sin
    for _ in range(60):
        function = jax.jit(functools.partial(lambda f, v: f(f(v)), function))
    assert JaxprWriter().count(jax.make_jaxpr(function)(1.0)).expanded == 2**53 - 1


def test_nothing_is_kept_alive() -> None:
    recording = Recording()

    def record() -> list[weakref.ref[Any]]:
        table = jnp.ones((64, 64))
        jaxpr = jax.make_jaxpr(jax.jit(lambda v: v @ table))(table)
        recording.write(jaxpr)
        recording.writer.count(jaxpr)
        return [weakref.ref(plain(jaxpr)), weakref.ref(table)]

    held = record()
    jax.clear_caches()
    gc.collect()
    assert [reference() for reference in held] == [None, None]


def test_a_new_jaxpr_at_an_old_address_is_not_mistaken() -> None:
    recording = Recording()
    for size in range(1, 60):
        record = recording.write(jax.make_jaxpr(lambda x: x * 2)(np.ones(size, np.float32)))
        assert record.types[record.inputs[0]] == f"f32[{size}]"


def test_equations_beyond_the_cap_are_counted() -> None:
    recording = Recording(max_equations=5)

    def f(x: jax.Array) -> jax.Array:
        for _ in range(9):
            x = jnp.sin(x)
        return x

    record = recording.write(jax.make_jaxpr(f)(X))
    assert (len(record.equations), record.dropped_equations) == (5, 4)
    assert isinstance(record.outputs[0], int)
    assert recording.write(jax.make_jaxpr(f)(X[0])).dropped_equations == 9


def test_another_thread_may_write() -> None:
    recording, jaxpr = Recording(), jax.make_jaxpr(loops)(X, W)
    results: list[tuple[str, list[JaxprSeen]]] = []
    threads = [threading.Thread(target=lambda: results.append(recording.writer.write(jaxpr))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id for id, _ in results}) == 1
    recording.add([event for _, events in results for event in events])
    assert list(primitives(recording.jaxprs, results[0][0])) == list(walk(jaxpr))


def test_parameters_never_print_user_objects() -> None:
    class Secret:
        def __repr__(self) -> str:
            raise AssertionError("our code must not print the user's objects")

        __str__ = __repr__

        def __call__(self, x: Any) -> Any:
            return x

    recording = Recording()
    record = recording.write(
        jax.make_jaxpr(lambda x: jax.pure_callback(Secret(), jax.ShapeDtypeStruct(x.shape, x.dtype), x))(X)
    )
    texts = [text for e in record.equations for text in e.parameters.values()]
    assert texts
    assert all(len(text) <= 120 for text in texts)


def test_part_of_a_jaxpr_can_be_written() -> None:
    jaxpr = plain(jax.make_jaxpr(loops)(X, W))
    recording = Recording()
    part = Part(jaxpr.invars, jaxpr.constvars, jaxpr.eqns[:3], jaxpr.debug_info)
    id, events = recording.writer.write_part(part)
    recording.add(events)
    record = recording.jaxprs[id]
    assert [e.primitive for e in record.equations] == [e.primitive.name for e in jaxpr.eqns[:3]]
    assert (record.outputs, record.input_names) == ([], ["x", "w"])


def test_a_growing_part_keeps_its_id_and_the_whole_takes_its_place() -> None:
    closed = jax.make_jaxpr(loops)(X, W)
    jaxpr = plain(closed)
    recording = Recording()
    first, _ = recording.writer.write_part(Part(jaxpr.invars, jaxpr.constvars, jaxpr.eqns[:1], None))
    more = Part(jaxpr.invars, jaxpr.constvars, jaxpr.eqns[:3], None)
    second, events = recording.writer.write_part(more, replaces=first)
    whole, last = recording.writer.write(closed, replaces=second)
    assert first == second == whole
    assert (len(events[-1].jaxpr.equations), len(last[-1].jaxpr.equations)) == (3, len(jaxpr.eqns))
