"""Why a body ran, told of real programs."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import pytest

from tests.capture.told import recorded

if TYPE_CHECKING:
    from pathlib import Path

W = jnp.ones(3)


def test_a_module_that_is_reloaded_unchanged_defines_its_functions_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "import jax\n\n\n@jax.jit\ndef shift(x):\n    return x + 1\n\n\ndef made():\n    return jax.jit(lambda x: -x)\n"
    )
    (tmp_path / "reloaded_once.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with recorded() as told:
        module = importlib.import_module("reloaded_once")
        module.shift(1.0)
        module.made()(1.0)
        importlib.reload(module)
        for _ in range(2):
            module.shift(1.0)
        for _ in range(2):
            module.made()(1.0)
    assert told.kinds("shift") == [["first_call"], ["function_redefined"]]
    assert told.kinds("<lambda>") == [["first_call"], ["function_redefined"], ["new_function_object"]]
    assert [finding.kind for finding in told.document.findings] == ["new_function_object"]


def test_what_failed_is_traced_again_because_nothing_was_kept() -> None:
    ready = False

    @jax.jit
    def f(x):
        if not ready:
            raise KeyError
        return x

    with recorded() as told:
        with pytest.raises(KeyError):
            f(1.0)
        ready = True
        f(1.0)
    first, second = (trace.reasons for trace in told.traces("f"))
    assert (first[0].kind, first[0].before) == ("first_call", None)
    assert (second[0].kind, second[0].before) == ("first_call", "the trace before ended with KeyError")


def test_caches_cleared_between_two_recordings_are_no_riddle() -> None:
    @jax.jit
    def f(x):
        return x + 1

    reasons: list[str] = []
    for _ in range(2):
        with recorded() as told:
            f(1.0)
        reasons.append(told.trace("f").reasons[0].kind)
        jax.clear_caches()
    assert reasons == ["first_call", "cache_cleared"]


def test_the_arrays_of_a_module_are_told_by_the_paths_that_the_user_wrote() -> None:
    nnx = pytest.importorskip("flax.nnx")
    model = nnx.Linear(3, 2, use_bias=False, rngs=nnx.Rngs(0))

    @nnx.jit
    def run(model, x):
        return model(x)

    with recorded() as told:
        run(model, W)
        model.kernel.set_value(jnp.ones((3, 4)))
        run(model, W)
        model.extra = nnx.Param(W)
        run(model, W)
    reasons = [[(r.kind, r.path, r.before, r.after) for r in trace.reasons] for trace in told.traces("run")]
    assert reasons[1:] == [
        [("new_shape", "model.kernel", "f32[3,2]", "f32[3,4]")],
        [("new_pytree_structure", "model.extra", "not there", "f32[3]")],
    ]


def test_contexts_are_told_as_the_user_wrote_them() -> None:
    def f(x):
        return jnp.sin(x).sum()

    with recorded() as told:
        jax.grad(f)(W)
        jax.jit(jax.value_and_grad(f))(W)
        jax.jit(jax.vmap(jax.grad(f)))(jnp.ones((2, 3)))
        jax.jit(f)(W)
        jax.jacfwd(jax.vmap(f))(jnp.ones((2, 3)))
    texts = [(trace.kind, trace.reasons[0].before, trace.reasons[0].after) for trace in told.traces("f")]
    assert texts == [
        ("grad", None, None),
        ("jit", "grad", "value_and_grad under jit"),
        ("jit", "value_and_grad under jit", "vmap of grad under jit"),
        ("jit", "vmap of grad under jit", "jit"),
        ("vmap", "jit", "jacfwd of vmap"),
    ]


def test_the_axis_that_a_vmap_inside_adds_is_no_context_of_the_call() -> None:
    def step(x):
        return jax.lax.pmean(x, "batch")

    mapped = jax.jit(jax.vmap(step, axis_name="batch"))
    with recorded() as told:
        for size in (4, 8):
            mapped(jnp.ones(size))
    assert told.kinds("step") == [["first_call"], ["new_shape"]]


def test_an_argument_in_other_memory_has_no_other_dtype() -> None:
    @jax.jit
    def double(x):
        return x * 2

    x = jnp.ones(8)
    kinds_of_memory = {memory.kind for memory in jax.devices()[0].addressable_memories()}
    if "pinned_host" not in kinds_of_memory or not hasattr(x.aval, "memory_space"):
        pytest.skip("this JAX tells no memory apart in types")
    away = jax.device_put(x, x.sharding.with_memory_kind("pinned_host"))
    with recorded() as told:
        double(x)
        double(away)
    (reason,) = told.traces("double")[1].reasons
    assert (reason.kind, reason.path) == ("sharding_or_device", "x")
    assert (reason.before, reason.after) == ("cpu:0", "cpu:0 in pinned_host")
