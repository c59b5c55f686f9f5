"""What helps against a function that is made anew depends on whether each is another function."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import jax

from tests.capture.told import recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jax_trace_viz.contract.document import Finding


def scaling(factor: int, bias: int) -> Callable[[float], float]:
    def scaled(x: float) -> float:
        return x * factor + bias

    return scaled


def made_for(factors: Sequence[int]) -> Finding:
    """The only finding where each object is called once and let go."""
    with recorded() as told:
        results = []
        for factor in factors:
            results.append(float(jax.jit(scaling(factor, bias=1))(2.0)))
            gc.collect()
    assert results == [2.0 * factor + 1 for factor in factors]
    assert told.runs() == {"scaled": len(factors)}
    (finding,) = told.document.findings
    assert finding.kind == "new_function_object"
    return finding


def test_a_value_that_each_object_has_of_its_own_is_to_be_passed() -> None:
    fix = made_for([2, 2, 3]).fix or ""
    assert "a value of its own built in: `factor` (2 → 3)." in fix
    assert "Pass it as an argument" in fix
    assert "bias" not in fix
    assert "made first" not in fix, "it computes something else"


def test_the_rest_of_many_values_is_left_out() -> None:
    assert "`factor` (1 → 2 → 3 → 4 → …)" in (made_for([1, 2, 3, 4, 5, 6]).fix or "")


def test_objects_that_compute_the_same_are_to_be_made_once() -> None:
    fix = made_for([2, 2, 2]).fix or ""
    assert "outside of `scaling`, or keep the jitted function that was made first" in fix
