"""Calls that are spelled in different ways: what verdict and findings say of them."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from jax_trace_viz.session.verdict import verdict
from tests.capture.told import Told, recorded


def said(told: Told) -> str:
    return verdict(told.document, "ok")


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
