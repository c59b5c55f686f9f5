"""Types are printed as JAX prints them."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax_trace_viz.capture.values.types import type_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.ones((8, 128), np.float32), "f32[8,128]"),
        (np.ones((), np.int32), "i32[]"),
        (np.ones(3, np.uint8), "u8[3]"),
        (np.ones(3, np.bool_), "bool[3]"),
        (np.ones(3, np.complex64), "c64[3]"),
        (1.0, "f32[]~"),
        (2, "i32[]~"),
    ],
)
def test_arrays(value: object, text: str) -> None:
    jaxpr = jax.make_jaxpr(lambda x: x)(value)
    assert type_text(jaxpr.in_avals[0]) == text


def test_keys_and_half_precision() -> None:
    jaxpr = jax.make_jaxpr(lambda x: (jax.random.key(0), x.astype(jnp.bfloat16)))(1.0)
    assert [type_text(aval) for aval in jaxpr.out_avals] == ["key<fry>[]", "bf16[]"]


def test_foreign_abstract_values_are_not_printed() -> None:
    class Mine:
        def __repr__(self) -> str:
            raise AssertionError

    assert type_text(Mine()) == "Mine"
