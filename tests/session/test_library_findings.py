"""When what others had compiled again is worth a word, and what it says."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.events import Compiled, FunctionSeen, OperationsRan
from jax_trace_viz.session import Session


def compiled(session: Session, line: int, seconds: float, function: int = 1) -> None:
    session.apply(
        Compiled(
            function=function,
            dispatch=None,
            run=None,
            key=None,
            call_site=Place(file="main.py", line=line),
            persistent_cache="off",
            at=float(line),
            seconds=seconds,
        )
    )


@pytest.fixture
def session() -> Session:
    """A session that knows a library's function."""
    session = Session()
    loop = FunctionSeen(function=1, name="loop", qualname="loop", file=None, line=None, end_line=None, origin="library")
    session.apply(loop)
    return session


def test_the_lines_that_had_it_compiled_again_are_told_the_dearest_first(session: Session) -> None:
    for line, seconds in ((3, 9.0), (4, 2.0), (5, 4.0), (5, 3.0)):
        compiled(session, line, seconds)
    (finding,) = session.findings
    assert finding.kind == "library_compiles"
    assert finding.text == (
        "`loop`, a library's function, was compiled 3 more times: 7.0 s from line 5, 2.0 s from line 4."
    )
    assert (finding.place, finding.seconds) == (Place(file="main.py", line=5), 9.0)


@pytest.mark.parametrize("again", [[], [1.9, 1.9]])
def test_the_first_time_and_what_is_fast_are_left_alone(session: Session, again: list[float]) -> None:
    compiled(session, 3, 9.0)
    for seconds in again:
        compiled(session, 4, seconds)
    assert session.findings == []


def test_an_operation_of_jax_is_a_program_for_whatever_it_is_given(session: Session) -> None:
    session.apply(OperationsRan(file="main.py", function="fit", first_line=1, lines={3: {"loop": 2}}))
    for line in (3, 4):
        compiled(session, line, 9.0)
    assert session.findings == []
