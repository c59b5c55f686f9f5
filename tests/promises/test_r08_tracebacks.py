"""R8: a traceback shows none of our frames.

Figure: where JAX's filter is off, and for an interrupt, which JAX does not filter, the frames are those of a run that
nobody records, each by its file, function and line.
"""

from __future__ import annotations

import contextlib
import pathlib
import traceback
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import pytest

import jax_trace_viz
from jax_trace_viz.capture import tracebacks
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def nested(error: BaseException) -> None:
    """The error comes from below jit, scan, jit and grad."""

    def fails(x: jax.Array) -> jax.Array:
        raise error

    @jax.jit
    def outer(x):
        return jax.lax.scan(lambda carry, _: (jax.jit(jax.grad(fails))(carry), None), x, None, length=2)

    outer(1.0)


def interrupted() -> None:
    nested(KeyboardInterrupt())


def failed() -> None:
    nested(ValueError("no"))


def interrupted_in_a_rule() -> None:
    @jax.custom_batching.custom_vmap
    def double(x):
        return x * 2

    @double.def_vmap
    def rule(size, batched, x):
        raise KeyboardInterrupt

    jax.vmap(double)(jnp.ones(2))


def decided_on_a_tracer() -> None:
    jax.jit(lambda x: 1 if x > 0 else 2)(1.0)


def used_a_tracer_of_another_trace() -> None:
    kept: list[jax.Array] = []
    jax.jit(lambda x: kept.append(x) or x)(1.0)
    jax.jit(lambda x: x + kept[0])(1.0)


def leaked() -> None:
    kept: list[jax.Array] = []
    with jax.checking_leaks():
        jax.jit(lambda x: kept.append(x) or x)(1.0)


def not_a_number() -> None:
    logarithm = jax.jit(jnp.log)
    with jax.debug_nans(True):
        for value in (1.0, 2.0, -1.0):  # the last one on the fast path
            logarithm(value)


def not_compiled() -> None:
    jax.jit(lambda x: x).lower(1.0).compile(compiler_options={"no_such_option": 1})


@pytest.fixture(autouse=True)
def unfiltered() -> Iterator[None]:
    before = jax.config.jax_traceback_filtering
    jax.config.update("jax_traceback_filtering", "off")
    yield
    jax.config.update("jax_traceback_filtering", before)


Frames = list[tuple[str, str, int | None]]


def frames(program: Callable[[], None], recording: contextlib.AbstractContextManager[object]) -> Frames:
    """Those that the program's error came through, from the program on."""
    jax.clear_caches()
    with recording:
        try:
            program()
        except BaseException as error:  # noqa: BLE001  (an interrupt is one of them)
            return [(one.filename, one.name, one.lineno) for one in traceback.extract_tb(error.__traceback__)]
    raise AssertionError("it did not fail")


@pytest.mark.parametrize(
    "program",
    [
        interrupted,
        failed,
        interrupted_in_a_rule,
        decided_on_a_tracer,
        used_a_tracer_of_another_trace,
        leaked,
        not_a_number,
        not_compiled,
    ],
)
def test_the_frames_are_those_of_a_run_that_nobody_records(program: Callable[[], None]) -> None:
    plain = frames(program, contextlib.nullcontext())
    assert sum(origin(file) == "jax" for file, _, _ in plain) > 2, "JAX has filtered them"
    assert frames(program, jax_trace_viz.trace()) == plain


def test_a_hook_that_a_signal_interrupted_at_once_is_taken_off_by_the_one_around_it() -> None:
    """Before its first instruction nothing in a hook can do that."""
    here = pathlib.PurePath(tracebacks.__file__).with_name("hook.py")
    names: dict[str, Callable[[Callable[[], None]], None]] = {}
    exec(compile("def hook(then): then()", str(here), "exec"), names)  # a frame of ours

    def handler() -> None:
        raise TimeoutError

    def of_jax() -> None:
        names["hook"](handler)

    with pytest.raises(TimeoutError) as raised:
        of_jax()
    assert [one.name for one in raised.traceback][1:] == ["of_jax", "hook", "handler"]
    tracebacks.leave_us_out(raised.value)
    assert [one.name for one in traceback.extract_tb(raised.value.__traceback__)][1:] == ["of_jax", "handler"]
