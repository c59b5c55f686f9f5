"""Code that libraries write as text and run is not the user's, although it has the file name of `exec`."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from tests.capture.told import recorded


def _users(told: Any) -> list[tuple[str, str, int]]:
    functions = (one for one in told.document.functions if one.origin == "user")
    return sorted((one.name, one.file.rpartition("/")[2], one.traces) for one in functions)


def test_a_dataclass_that_is_defined_while_jax_traces_adds_no_function() -> None:
    @jax.jit
    def step(x: jax.Array) -> jax.Array:
        @dataclasses.dataclass(frozen=True)
        class Pair:
            first: Any
            second: Any = 1

        return Pair(x).first * 2

    with recorded() as told:
        step(jnp.ones(3))
    assert _users(told) == [("step", "test_generated_code.py", 1)]


@pytest.mark.parametrize("size", [4, 5])
def test_what_jaxtyping_writes_to_check_arguments_is_not_the_user_s(size: int) -> None:
    jaxtyping = pytest.importorskip("jaxtyping")
    bodies: list[tuple[int, ...]] = []

    def attention(x, w):  # its annotations are set below: as text they would not be seen
        bodies.append(x.shape)
        return x @ w

    attention.__annotations__ = dict.fromkeys(("x", "w", "return"), jaxtyping.Float[jax.Array, "n m"])
    checked = jax.jit(jaxtyping.jaxtyped(attention, typechecker=lambda function: function))
    with recorded() as told:
        for rows in (3, 3, size):
            checked(jnp.ones((rows, 2)), jnp.ones((2, 2)))
    assert bodies == [(3, 2), (size, 2)]
    assert _users(told) == [("attention", "test_generated_code.py", 2)]
    assert told.traces("attention")[1].reasons[0].path == "x"


def test_what_takes_hidden_parameters_was_written_by_a_library_as_beartype_s_cached_properties() -> None:
    names: dict[str, Any] = {"__getter": lambda self: self.__class__.__name__}
    exec("def cached(self, __getter=__getter):\n    kept = __getter(self)\n    return kept\n", names)

    class Checker:
        name = property(names["cached"])

    @jax.jit
    def step(x):
        return x * len(Checker().name)

    with recorded() as told:
        step(jnp.ones(3))
    assert ("step", "test_generated_code.py", 1) in _users(told)
    assert "cached" not in [name for name, _, _ in _users(told)]


def test_what_the_user_runs_as_text_stays_the_user_s() -> None:
    names: dict[str, Any] = {}
    exec("def double(x):\n    return x * 2\n", names)
    with recorded() as told:
        jax.jit(names["double"])(jnp.ones(3))
        jax.jit(eval("lambda x: x"))(jnp.ones(3))
    assert _users(told) == [("<lambda>", "<string>", 1), ("double", "<string>", 1)]
