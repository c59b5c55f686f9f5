"""When what others had compiled again is worth a word, and what it says."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.events import Compiled, FunctionSeen
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
    for line, seconds in ((3, 9.0), (4, 2.0), (5, 1.0), (5, 3.0)):
        compiled(session, line, seconds)
    (finding,) = session.findings
    assert finding.kind == "library_compiles"
    assert finding.text == (
        "`loop`, a function of JAX's or a library's, was compiled 3 more times: 4.0 s from line 5, 2.0 s from line 4."
    )
    assert (finding.place, finding.seconds) == (Place(file="main.py", line=5), 6.0)


@pytest.mark.parametrize("again", [[], [0.9, 0.9]])
def test_the_first_time_and_what_is_fast_are_left_alone(session: Session, again: list[float]) -> None:
    compiled(session, 3, 9.0)
    for seconds in again:
        compiled(session, 4, seconds)
    assert session.findings == []
