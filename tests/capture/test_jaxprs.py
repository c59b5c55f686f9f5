"""Jaxprs as records: compared with what JAX itself holds, on programs that are really traced."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.capture.written import Recording, inner, loops, plain, primitives, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.contract.jaxpr import Jaxpr


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
