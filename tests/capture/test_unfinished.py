"""What a trace in progress holds, in the forms that JAX versions give it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

import jax
import pytest

from jax_trace_viz.capture.jaxprs import unfinished

if TYPE_CHECKING:
    from collections.abc import Callable


class Equation:
    """Stands for an equation; the lines come from real ones in the tests of the programs."""


@pytest.mark.parametrize("hold", [lambda e: e, weakref.ref, lambda e: lambda: e], ids=["0.6", "0.10", "0.8 effect"])
def test_an_equation_is_found_however_it_is_held(hold: Callable[[Equation], object]) -> None:
    equation = Equation()
    assert unfinished.equation(hold(equation)) is equation


def test_an_equation_that_nobody_uses_may_be_gone() -> None:
    held = weakref.ref(Equation())
    assert unfinished.equation(held) is None


def test_the_equations_of_a_trace_in_progress_have_source_lines() -> None:
    seen: list[object] = []

    @jax.jit
    def f(x):
        y = x + 1
        frame = y._trace.frame
        seen.extend(unfinished.equation(held).source_info for held in unfinished.staged(frame))
        seen.append(unfinished.lines(frame, f.__wrapped__.__code__))
        return y

    f(1.0)
    assert list(seen[-1].values()) == [1]
    assert seen[-1].keys() == {f.__wrapped__.__code__.co_firstlineno + 2}
