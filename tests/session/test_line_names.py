"""What lines are called where several cells or files are involved."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest
from msgspec.structs import replace

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.contract.document import Place, TraceError
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.exports.why_text import why
from jax_trace_viz.session.front_end.view import update
from jax_trace_viz.session.graph import GraphOptions, build_graph
from jax_trace_viz.session.source.line_names import LineNames, with_files
from tests.session.events import Program, key, leaf
from tests.session.graph.support import TRACE, traced


def named(names: LineNames, file: str) -> tuple[str, str]:
    place = Place(file=file, line=11)
    return names.long(place), names.in_cell(place)


def test_a_cell_goes_without_saying_where_there_is_no_other() -> None:
    cells = [Cell(execution_count=2, file="a"), Cell(execution_count=3, file="b")]
    assert named(LineNames(["a"], cells), "a") == ("[2]:11", "line 11")
    assert named(LineNames(["a", "b"], cells), "b") == ("[3]:11", "[3]:11")
    assert named(LineNames(["a"], cells), "b") == ("[3]:11", "[3]:11")


def test_files_are_called_by_as_much_of_their_path_as_tells_them_apart() -> None:
    names = LineNames(["/home/me/a/model.py", "/home/me/b/model.py", r"C:\me\train.py"])
    assert named(names, "/home/me/a/model.py") == ("a/model.py:11", "a/model.py:11")
    assert named(names, r"C:\me\train.py") == ("train.py:11", "train.py:11")
    assert named(names, "elsewhere/util.py") == ("util.py:11", "util.py:11")


def test_a_session_of_a_notebook_names_its_cells() -> None:
    program = Program()
    program.define(1, "step")
    for size in (8, 9):
        program.trace(key(leaf("x", size)))
    (site,) = {trace.call_site.file for trace in program.session.traces if trace.call_site}
    program.session.tell_cell(Cell(execution_count=3, file=site))
    program.session.tell_cell(Cell(execution_count=7, file=site))
    program.session.tell_cell(Cell(execution_count=8))
    document = program.session.document()
    assert [cell.execution_count for cell in document.cells] == [3]
    assert "  Called at [3]:100." in why(document).splitlines()


def test_what_is_looked_for_may_name_a_cell() -> None:
    cells = [Cell(execution_count=2, file="/tmp/1234.py")]
    assert with_files("exp [2]:11", cells) == "exp /tmp/1234.py:11"
    assert [with_files(text, cells) for text in ("[3]:11", "w[2]:11", "f32[2]")] == ["[3]:11", "w[2]:11", "f32[2]"]


def test_a_cell_names_itself_where_a_function_stands_in_another() -> None:
    program = Program()
    program.define(1, "step")
    began = program.trace(key(leaf("x", 8)))
    assert began.call_site is not None
    own, other = Cell(execution_count=3, file="other.py"), Cell(execution_count=2, file=began.call_site.file)
    shown = update(program.session, own)
    assert LineNames.of_update(shown).in_cell(began.call_site) == "main.py:100"
    shown = update(program.session, other)
    assert LineNames.of_update(shown).in_cell(began.call_site) == "line 100"


def squares(x: jax.Array) -> jax.Array:
    return jnp.sin(x) ** 2


@pytest.mark.parametrize(("cells", "line"), [([], "test_line_names.py:{}"), ([Cell(execution_count=2)], "[2]:{}")])
def test_boxes_name_lines_as_all_else_does(cells: list[Cell], line: str) -> None:
    recording = traced(squares, 1.0)
    recording.cells = [replace(cell, file=__file__) for cell in cells]
    titles = [box.title for box in build_graph(recording, TRACE, GraphOptions(depth=3)).boxes]
    place = line.format(squares.__code__.co_firstlineno + 1)
    assert any(title.endswith(f"\n{place} in squares: jnp.sin(x)") for title in titles)


def stopped_in(definition: str, call: str, cells: list[Cell]) -> tuple[str, str]:
    """Verdict and finding of a trace that failed at line 12 of one file, called from line 100 of another."""
    program = Program()
    program.define(1, "step", file=definition)
    began = program.begin(key(leaf("x", 8)), call_site=Place(file=call, line=100))
    error = TraceError("TypeError", "no such shape", definition, 12)
    program.end(began, error=error)
    for cell in cells:
        program.session.tell_cell(cell)
    outcome = Outcome(status="error", type="TypeError", message="no such shape", file=definition, line=12)
    program.session.finish(outcome)
    (finding,) = program.session.findings
    return update(program.session).verdict, finding.text


def test_sentences_name_the_cell_or_file_where_there_are_several() -> None:
    cells = [Cell(execution_count=3, file="b"), Cell(execution_count=2, file="a")]
    for verdict, finding in (stopped_in("a", "b", cells), stopped_in("a", "a", cells)):
        assert verdict == "Tracing step stopped at [2]:12: TypeError: no such shape"
        assert finding.startswith("Tracing `step` stopped at [2]:12: ")
    verdict, finding = stopped_in("lib/model.py", "train.py", [])
    assert "stopped at model.py:12: " in verdict
    assert "stopped at model.py:12: " in finding
    verdict, _ = stopped_in("/tmp/ipykernel_1/988.py", "b", cells[:1])
    assert "stopped at line 12 of another cell: " in verdict


def test_sentences_say_just_the_line_where_all_stands_in_one_file() -> None:
    for cells in ([], [Cell(execution_count=2, file="a")]):
        verdict, finding = stopped_in("a", "a", cells)
        assert "stopped at line 12: " in verdict
        assert "stopped at line 12: " in finding
