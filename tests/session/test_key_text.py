"""A whole cache key in one line."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.key import Key, StaticValue
from jax_trace_viz.session.reasons.key_text import key_text
from tests.session.events import key, leaf, static

NET = StaticValue(path="g", type="Net", value=None, token="")


@pytest.mark.parametrize(
    ("this", "text"),
    [
        (key(), "no arguments"),
        (key(leaf("x", 3, weak=True), leaf("y", dtype="i32")), "x: f32[3]~, y: i32[]"),
        (key(leaf("x", placement="cpu:1", committed=True)), "x: f32[] on cpu:1"),
        (key(leaf("x", placement="cpu:1")), "x: f32[]"),
        (key(leaf("x", committed=True)), "x: f32[]"),
        (key(program="vmap", wrappers=("grad", "vmap")), "vmap, under grad, under vmap"),
        (key(statics=(static("n", 3), NET)), "n=3 (static), g=Net object (static)"),
        (key(keywords=("y", "x")), "0 positional and x=, y="),
        (key(donated=("y", "x")), "donated x, y"),
        (key(context={"jax_enable_x64": "False", "jax_threefry_partitionable": "True"}), "no arguments"),
        (key(context={"jax_default_matmul_precision": "highest"}), "jax_default_matmul_precision=highest"),
        (Key(callable=0, described=False), "not recorded"),
    ],
)
def test_the_parts(this: Key, text: str) -> None:
    assert key_text(this) == text


def test_what_is_too_much_is_counted() -> None:
    names = [f"x{number}" for number in range(9)]
    assert key_text(key(*map(leaf, names[:8]))).endswith("x7: f32[]")
    assert key_text(key(*map(leaf, names))).endswith("x7: f32[] and 1 more")
    assert len(key_text(key(leaf("x" * 300), leaf("y" * 300)))) == 400
