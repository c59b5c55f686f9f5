"""Every format says what the session holds."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from jax_trace_viz.exports.drawing import draw
from jax_trace_viz.exports.registry import EXPORTERS
from tests.session.events import Program, key, leaf


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define(1, "cheap")
    program.define(2, "dear")
    program.call(key(leaf("x", 2)))
    program.trace(key(leaf("x", 2)), 2, seconds=60.0)
    return program


@pytest.mark.parametrize("name", EXPORTERS)
def test_a_format_names_the_costliest_function(name: str, program: Program) -> None:
    assert "dear" in EXPORTERS[name](program.session.document())


def test_the_graph_of_a_function_by_name(program: Program) -> None:
    assert "Computation graph of cheap" in draw(program.session.document(), "cheap")
    with pytest.raises(LookupError, match="No function named nobody was traced"):
        draw(program.session.document(), "nobody")


def test_no_graph_without_a_trace() -> None:
    with pytest.raises(LookupError, match="No function of yours was traced"):
        draw(Program().session.document())


def test_where_not_all_was_watched_nothing_is_claimed() -> None:
    document = Program().session.document()
    document = replace(document, environment=replace(document.environment, limited=["bodies"]))
    with pytest.raises(LookupError, match=r"There may have been one: not all was watched \(off: bodies\)"):
        draw(document)
    with pytest.raises(LookupError, match="No trace of a function named step was recorded"):
        draw(document, "step")
