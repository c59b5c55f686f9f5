"""Calls that nobody can see are named, so that no count of them is taken for zero."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from jax_trace_viz.session.verdict import verdict
from tests.capture.told import line_of, recorded

line = functools.partial(line_of, __file__)


def test_calls_without_jit_are_named_as_not_seen() -> None:
    @jax.jit
    def f(x):
        return x + 1

    with recorded() as told:
        with jax.disable_jit():  # switched off
            f(1.0)
        with jax.disable_jit(False):
            f(1.0)
    (unseen,) = told.document.unseen
    assert (unseen.what, unseen.function, unseen.place.line) == ("disable_jit", None, line("switched off"))
    assert told.function("f").calls == 1
    said = f"Calls under jax.disable_jit (line {line('switched off')}) are not seen."
    assert verdict(told.document, "ok").endswith(said)


def test_jit_that_was_off_before_the_recording_is_named_too() -> None:
    @jax.jit
    def f(x):
        return x + 1

    jax.config.update("jax_disable_jit", True)
    try:
        with recorded() as told:
            f(1.0)
    finally:
        jax.config.update("jax_disable_jit", False)
    assert [(unseen.what, unseen.place) for unseen in told.document.unseen] == [("disable_jit", None)]
    assert "Calls under jax.disable_jit are not seen." in verdict(told.document, "ok")


def test_calls_of_what_was_compiled_ahead_of_time_are_named_as_not_seen() -> None:
    @jax.jit
    def f(x):
        return x + 1

    @jax.jit
    def g(x):
        return x + 2

    with recorded() as told:
        f.lower(1.0).compile()(1.0)
        g(1.0)
    (unseen,) = told.document.unseen
    assert (unseen.what, unseen.function) == ("ahead_of_time", told.function("f").id)
    assert "Calls of what .lower().compile() made of f are not seen." in verdict(told.document, "ok")


def test_calls_of_what_pmap_returned_are_named_as_not_seen() -> None:
    def f(x):
        return x + 1

    mapped = jax.pmap(f)
    with recorded() as told:
        for _ in range(3):
            mapped(jnp.ones((1, 3)))
    function = told.function("f")
    assert (function.calls, function.traces, function.cache_hits) == (0, 1, 0)
    assert [trace.kind for trace in told.traces("f")] == ["pmap"]
    (unseen,) = told.document.unseen
    assert (unseen.what, unseen.function) == ("pmap", function.id)
    assert "Calls of what jax.pmap made of f are not seen." in verdict(told.document, "ok")


def test_a_program_that_hides_no_call_has_nothing_named() -> None:
    @jax.jit
    def f(x):
        return x + 1

    with recorded() as told:
        f(1.0)
        jax.make_jaxpr(f)(1.0)
        f.lower(1)
    assert told.document.unseen == []
    assert "not seen" not in verdict(told.document, "ok")
