"""Operations outside of any jit are counted on the line that asked for them, and no others."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from tests.capture.told import Told, line_of, recorded


def operations(told: Told, comment: str) -> dict[str, int]:
    """What the line with this comment ran."""
    line = line_of(__file__, comment)
    return {name: n for each in told.document.eager if each.line == line for name, n in each.operations.items()}


def loop(x: jax.Array, times: int) -> jax.Array:
    for _ in range(times):
        x = jnp.sin(x) * 2.0  # eager loop
    return x


def test_each_operation_is_counted_whichever_way_jax_answers_it() -> None:
    jax.clear_caches()
    x = jnp.ones(3)
    with recorded() as told:
        loop(x, 7)
    assert operations(told, "eager loop") == {"sin": 7, "multiply": 7}
    (line,) = told.document.eager
    assert (line.function, line.function_line) == ("loop", loop.__code__.co_firstlineno)
    assert line.compiles == 2
    assert line.compile_seconds > 0


def test_a_second_recording_counts_anew_and_compiles_nothing() -> None:
    x = loop(jnp.ones(3), 1)
    with recorded() as told:
        loop(x, 3)
    (line,) = told.document.eager
    assert line.operations == {"sin": 3, "multiply": 3}
    assert line.compiles == 0


def test_what_runs_under_a_jit_is_no_operation_nor_is_the_call_of_a_jitted_function() -> None:
    jitted, x = jax.jit(loop, static_argnums=1), jnp.ones(3)
    with recorded() as told:
        for _ in range(5):
            x = jitted(x, 4)
    assert told.document.eager == []


def test_a_library_operation_counts_where_the_user_asked_for_it() -> None:
    x = jnp.arange(4.0)
    with recorded() as told:
        jnp.linalg.norm(x)  # library line
    assert operations(told, "library line").keys() >= {"norm"}


def test_operations_of_one_line_are_counted_together() -> None:
    x = jnp.ones(3)
    with recorded() as told:
        for _ in range(3):
            x = jnp.sin(jnp.sin(x)) + jnp.sin(x)  # several of a kind
    assert operations(told, "several of a kind") == {"sin": 9, "add": 3}
