"""Traces with jaxprs, for tests of what is drawn of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from jax_trace_viz.contract.document import EquationCount
from jax_trace_viz.contract.events import JaxprSeen, RunBegan, RunStaged
from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
from tests.session.events import Program, key, leaf

if TYPE_CHECKING:
    from jax_trace_viz.contract.key import Key
    from jax_trace_viz.contract.view import Update

X2 = key(leaf("x", 2))


def stage(program: Program, began: RunBegan, equations: int = 2) -> None:
    """The run gets a jaxpr of so many equations."""
    name = f"j{began.run}"
    chain = [Equation(primitive="sin", inputs=[i], outputs=[i + 1]) for i in range(equations)]
    types = ["f32[2]"] * (equations + 1)
    jaxpr = Jaxpr(id=name, inputs=[0], outputs=[equations], constants=[], types=types, equations=chain)
    program.session.apply(JaxprSeen(jaxpr=jaxpr, frames=[], first_frame=0))
    count = EquationCount(distinct=equations, expanded=equations)
    program.session.apply(RunStaged(run=began.run, jaxpr=name, equations=count, constants=[]))


def traced(program: Program, this: Key = X2, function: int = 1, equations: int = 2, **more: object) -> None:
    began = program.trace(this, function, **more)
    stage(program, began, equations)
    program.compile(began, function)


def bytes_of(picture: Update) -> int:
    return len(msgspec.json.encode(picture))
