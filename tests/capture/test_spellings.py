"""Calls that are spelled in different ways: what verdict and findings say of them."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from jax_trace_viz.session.verdict import verdict
from tests.capture.told import Told, recorded


def said(told: Told) -> str:
    return verdict(told.document, "ok")


def test_a_keyword_that_replaces_a_default_of_another_value_is_told_with_both_values() -> None:
    @functools.partial(jax.jit, static_argnames="train")
    def step(x, train=True):
        return x * 2 if train else x

    with recorded() as told:
        step(1.0)
        step(1.0, train=False)
        step(1.0, train=True)
    _, other, same = told.traces("step")
    spelling, value = other.reasons
    assert (spelling.kind, spelling.path) == ("kwargs_signature", "train")
    assert (value.kind, value.path, value.before, value.after) == (
        "new_static_value",
        "train",
        "True (default)",
        "False",
    )
    assert [reason.kind for reason in same.reasons] == ["new_static_value"]
    assert told.document.findings == []


def test_a_keyword_that_repeats_the_default_is_a_spelling_and_a_waste() -> None:
    @functools.partial(jax.jit, static_argnames="train")
    def step(x, train=True):
        return x * 2 if train else x

    with recorded() as told:
        step(1.0)
        step(1.0, train=True)
    assert told.kinds("step") == [["first_call"], ["kwargs_signature"]]
    assert [finding.kind for finding in told.document.findings] == ["kwargs_spelling"]


def test_spellings_that_alone_traced_it_again_are_told_as_one_chain() -> None:
    @functools.partial(jax.jit, static_argnames="train")
    def step(x, train=True):
        return x * 2 if train else x

    with recorded() as told:
        step(1.0)
        step(1.0, train=True)
        step(1.0, False)
        step(1.0, True)
        step(x=1.0, train=True)
    assert told.kinds("step")[2] == ["kwargs_signature", "new_static_value"]
    finding = next(one for one in told.document.findings if one.kind == "kwargs_spelling")
    assert finding.text == (
        "`step` was traced 2 more times because its arguments were passed in different ways: "
        "1 positional → 1 positional, train=; 2 positional → train=, x=."
    )


def test_the_verdict_speaks_of_a_value_in_place_of_a_default_and_then_of_the_spelling() -> None:
    @functools.partial(jax.jit, static_argnames=("crop", "mode"))
    def cut(x, crop=None, mode="same"):
        return x[:crop] if mode == "same" else x

    with recorded() as told:
        cut(jnp.ones(3))
        cut(jnp.ones(3), crop=2)
        cut(jnp.ones(3), crop=1)
    assert [reason.kind for reason in told.traces("cut")[1].reasons] == ["kwargs_signature", "new_static_value"]
    assert "Cause: static value crop changed None (default) → 2 → 1." in said(told)
    (finding,) = told.document.findings
    assert finding.kind == "varying_static"
    assert "spelled" not in finding.text

    with recorded() as told:
        cut(jnp.ones(5))
        cut(jnp.ones(5), crop=2, mode="same")
    assert "static value crop changed None (default) → 2 and the call was spelled differently" in said(told)
