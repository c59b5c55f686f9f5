"""Comparisons of random programs with themselves, and with themselves less one equation."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from jax_trace_viz.session.jaxpr_diff import compare
from tests.session.graph.random_programs import Step, programs, run
from tests.session.graph.support import Tape, trace, traced

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.contract.listing import JaxprDiff

X = np.arange(3, dtype=np.float32)

# The same programs in every run; search for others with more examples and without `derandomize`.
SETTINGS = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def recorded(steps: list[Step]) -> Tape:
    return traced(lambda x, y: run(steps, x, y), X, X)


def traced_again(jaxprs: dict[str, Jaxpr], seed: int) -> dict[str, Jaxpr]:
    """The same jaxprs as another trace would leave them: other ids, other numbers for the variables."""
    again: dict[str, Jaxpr] = {}
    for jaxpr in jaxprs.values():
        numbers = list(range(len(jaxpr.types)))
        random.Random(seed).shuffle(numbers)

        def renumbered(atoms: list[int], numbers: list[int] = numbers) -> list[int]:
            return [numbers[atom] if isinstance(atom, int) else atom for atom in atoms]

        types = [""] * len(numbers)
        for variable, number in enumerate(numbers):
            types[number] = jaxpr.types[variable]

        def equation_again(equation: Equation, renumbered: object = renumbered) -> Equation:
            return replace(
                equation,
                inputs=renumbered(equation.inputs),
                outputs=renumbered(equation.outputs),
                jaxprs=[replace(sub, jaxpr=f"again {sub.jaxpr}") for sub in equation.jaxprs],
            )

        again[f"again {jaxpr.id}"] = replace(
            jaxpr,
            id=f"again {jaxpr.id}",
            inputs=renumbered(jaxpr.inputs),
            outputs=renumbered(jaxpr.outputs),
            constants=renumbered(jaxpr.constants),
            types=types,
            equations=[equation_again(equation) for equation in jaxpr.equations],
        )
    return again


def compared(recording: Tape, again: dict[str, Jaxpr]) -> JaxprDiff:
    before = recording.traces[0]
    after = trace(f"again {before.jaxpr}")
    diff = compare(before, after, recording.jaxprs | again, recording.frames)
    assert diff is not None
    return diff


@SETTINGS
@given(steps=programs, seed=st.integers(0, 9))
def test_a_program_does_not_differ_from_itself(steps: list[Step], seed: int) -> None:
    recording = recorded(steps)
    diff = compared(recording, traced_again(recording.jaxprs, seed))
    assert (diff.added, diff.removed, diff.changed, diff.lines) == (0, 0, 0, [])
    assert diff.same == sum(len(jaxpr.equations) for jaxpr in recording.jaxprs.values())


@SETTINGS
@given(steps=programs, data=st.data())
def test_one_equation_less_is_exactly_that(steps: list[Step], data: st.DataObject) -> None:
    recording = recorded(steps)
    again = traced_again(recording.jaxprs, 1)
    places = [(jaxpr.id, i) for jaxpr in again.values() for i in range(len(jaxpr.equations))]
    if not places:
        return
    id_, at = data.draw(st.sampled_from(places))
    equations = list(again[id_].equations)
    dropped = equations.pop(at)
    less = again | {id_: replace(again[id_], equations=equations)}
    diff = compared(recording, less)
    assert (diff.added, diff.removed, diff.changed) == (0, 1, 0)
    (line,) = [line for line in diff.lines if line.sign == "removed"]
    assert dropped.primitive in line.text
    assert {line.sign for line in diff.lines} <= {"removed", "same", "skipped"}

    both = recording.jaxprs | less
    back = compare(trace(f"again {recording.traces[0].jaxpr}"), recording.traces[0], both, recording.frames)
    assert back is not None
    assert (back.added, back.removed, back.changed) == (1, 0, 0)
