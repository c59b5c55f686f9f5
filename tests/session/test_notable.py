"""What a recording of every cell speaks up for, unasked."""

from __future__ import annotations

from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.contract.events import StaleSeen
from jax_trace_viz.session.verdict import is_notable
from tests.session.events import Program, key, leaf

X8, X9 = (key(leaf("x", size)) for size in (8, 9))


def test_what_speaks_up_unasked(program: Program) -> None:
    program.call(X8)
    program.count(5)
    assert not is_notable(program.session.document(Outcome()))
    assert is_notable(program.session.document(Outcome(status="error", type="KeyError")))
    program.call(X9)
    assert is_notable(program.session.document(Outcome()))


def test_a_finding_alone_speaks_up(program: Program) -> None:
    began = program.trace(X8)
    place = Place(file="main.py", line=12)
    program.session.apply(
        StaleSeen(function=1, run=began.run, name="w", kind="value", before="1", after="2", place=place)
    )
    assert is_notable(program.session.document(Outcome()))
