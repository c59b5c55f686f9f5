"""What is learned bit by bit is what the whole document says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from jax_trace_viz.contract.document import Constant, EquationCount, TraceError
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.contract.events import RunBegan, RunStaged
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.findings.constants import LARGE
from jax_trace_viz.session.front_end.tally import tally
from jax_trace_viz.session.front_end.view import update
from jax_trace_viz.session.recorded.index import Index
from jax_trace_viz.session.verdict import verdict
from tests.session.events import Program, key, leaf, static

if TYPE_CHECKING:
    from jax_trace_viz.session import Session

CONSTANTS = [[], [Constant(name=None, source="global", type="u8[]", bytes=LARGE)]]
CONSTANTS.append([Constant(name="table", source="global", type="u8[]", bytes=LARGE)])

keys = st.builds(
    lambda size, weak, mode, callable: key(leaf("x", size, weak=weak), statics=(static("m", mode),), callable=callable),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from("ab"),
    st.integers(1, 2),
)
begins = st.tuples(
    st.just("begin"),
    keys,
    st.integers(1, 3),
    st.sampled_from(["jit", "jit", "vmap", "cond", "call"]),
    st.sampled_from(["call", "call", "make_jaxpr"]),
)
ends = st.tuples(st.just("end"), st.booleans(), st.booleans(), st.integers(1, 5), st.sampled_from(CONSTANTS))
looks = st.tuples(st.just("look"))


def apply(program: Program, going_on: list[RunBegan], step: tuple[object, ...]) -> None:
    match step:
        case ("begin", this, function, kind, entry):
            parent = going_on[-1].run if going_on else None
            going_on.append(program.begin(this, function, kind, entry=entry, parent=parent))
        case ("end", fails, compiles, seconds, constants) if going_on:
            began = going_on.pop()
            error = TraceError(type="ValueError", message="no", file="main.py", line=1) if fails else None
            program.end(began, float(seconds), error)
            count = EquationCount(distinct=1, expanded=1)
            program.session.apply(RunStaged(run=began.run, jaxpr=None, equations=count, constants=constants))
            if compiles:
                program.compile(began, began.function)
        case _:
            pass


def anew(session: Session) -> tuple[object, ...]:
    """The same from nothing."""
    document = session.document()
    with session.reading() as state:
        index = Index()
        index.catch_up(state.version, session.outcome, state.functions, state.traces, state.compilations, state.jaxprs)
    return document.findings, tally(Evidence(document)), index.timeline.spans(50.0)


@given(st.lists(st.one_of(begins, ends, looks), max_size=30))
def test_bit_by_bit_is_as_at_once(steps: list[tuple[object, ...]]) -> None:
    program, going_on = Program(), list[RunBegan]()
    for number, origin in ((1, "user"), (2, "user"), (3, "library")):
        program.define(number, f"f{number}", origin=origin)
    version = 0
    for step in [*steps, ("look",)]:
        apply(program, going_on, step)
        if step[0] != "look":
            continue
        picture = update(program.session, since=version)
        version = program.session.version
        with program.session.reading() as state:
            spans = state.index(program.session.outcome).timeline.spans(50.0)
        assert (picture.findings, picture.tally, spans) == anew(program.session)
    program.session.finish(Outcome())
    assert update(program.session).verdict == verdict(program.session.document(), "ok")
