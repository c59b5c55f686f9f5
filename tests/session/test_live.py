"""Random calls of a jitted function on real JAX, against what the calls themselves say.

Two witnesses that know nothing of keys: a counter in the body, and the list of what was passed to each call.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jax_trace_viz
from jax_trace_viz.session.reasons.keys import PART_ORDER

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Trace

SHAPES = {"x": [(2,), (3,), (2, 2)], "y": [(), (4,)]}


@dataclass(frozen=True)
class Call:
    """How `f(x, y, mode)` is called. Each field is one part of the key."""

    x_shape: int
    x_dtype: str
    y_shape: int
    y_weak: bool
    y_by_keyword: bool
    mode: str
    precise: bool

    def make(self, function: object) -> None:
        x = np.zeros(SHAPES["x"][self.x_shape], self.x_dtype)
        y = 1.0 if self.y_weak else np.ones(SHAPES["y"][self.y_shape], "float32")
        with jax.default_matmul_precision("highest" if self.precise else "default"):
            if self.y_by_keyword:
                function(x, y=y, mode=self.mode)
            else:
                function(x, y, mode=self.mode)

    def key(self) -> Call:
        """The same call where what does not count is left out: a Python number has no shape to choose."""
        return Call(**{**self.__dict__, "y_shape": 0}) if self.y_weak else self


KINDS = {
    "x_shape": ("new_shape", "x"),
    "x_dtype": ("new_dtype", "x"),
    "y_shape": ("new_shape", "y"),
    "y_weak": ("weak_type", "y"),
    "y_by_keyword": ("kwargs_signature", "y"),
    "mode": ("new_static_value", "mode"),
    "precise": ("config_context", "jax_default_matmul_precision"),
}

calls = st.builds(
    Call,
    x_shape=st.integers(0, 2),
    x_dtype=st.sampled_from(["float32", "int32"]),
    y_shape=st.integers(0, 1),
    y_weak=st.booleans(),
    y_by_keyword=st.booleans(),
    mode=st.sampled_from(["sum", "max"]),
    precise=st.booleans(),
).map(Call.key)


def differences(new: Call, old: Call) -> set[tuple[str, str]]:
    return {KINDS[field.name] for field in fields(Call) if getattr(new, field.name) != getattr(old, field.name)}


def rank(parts: set[tuple[str, str]]) -> tuple[int, int]:
    return len({kind for kind, _ in parts}), len(parts)


def told(trace: Trace) -> set[tuple[str, str | None]]:
    return {(reason.kind, reason.path) for reason in trace.reasons}


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(calls, min_size=2, max_size=8))
def test_every_trace_is_counted_and_explained(made: list[Call]) -> None:
    ran: list[Call] = []

    def f(x: jax.Array, y: jax.Array | float, *, mode: str) -> jax.Array:
        ran.append(current)
        return getattr(jnp, mode)(x) + y

    jitted = jax.jit(f, static_argnames="mode")
    with jax_trace_viz.trace() as session:
        for current in made:
            current.make(jitted)
    (function,) = [one for one in session.functions if one.name == "f"]
    traces = [trace for trace in session.traces if trace.function == function.id]
    assert len(traces) == len(ran) == len(set(made))
    assert function.calls == len(made)
    assert function.cache_hits == len(made) - len(ran)

    # An earlier example of this test made another `f` of the same code.
    assert traces[0].reasons[0].kind in {"first_call", "new_function_object"}
    for number, trace in enumerate(traces[1:], 1):
        compared = next(i for i, other in enumerate(traces) if other.id == trace.compared_with)
        assert told(trace) == differences(ran[number], ran[compared]), "exactly what differs, nothing else"
        nearest = min(rank(differences(ran[number], other)) for other in ran[:number])
        assert rank(differences(ran[number], ran[compared])) == nearest
        places = [PART_ORDER.index(reason.kind) for reason in trace.reasons]
        assert places == sorted(places)
