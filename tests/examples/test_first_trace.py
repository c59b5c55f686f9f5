"""The tour `examples/01-first-trace.ipynb`, run in a real kernel: each cell shows what the text above it says."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import nbformat
import pytest
from nbclient import NotebookClient

from jax_trace_viz.contract.view import Graph, Listing, Update

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Annotation, Function, Trace

NOTEBOOK = Path(__file__).parents[2] / "examples" / "01-first-trace.ipynb"
MIME = "application/vnd.jax-trace-viz+json"

pytestmark = pytest.mark.kernel


@dataclass(frozen=True)
class Shown:
    """What one cell of the tour gave."""

    printed: str
    update: Update

    def function(self, name: str) -> Function:
        (found,) = [function for function in self.update.functions if function.name == name]
        return found

    def traces(self, name: str) -> list[Trace]:
        """The runs of a function's body that JAX caused."""
        function = self.function(name)
        return [trace for trace in self.update.traces if trace.function == function.id and trace.kind != "call"]

    def trace(self, name: str) -> Trace:
        (found,) = self.traces(name)
        return found

    def marks(self, trace: Trace) -> dict[str, list[Annotation]]:
        found: dict[str, list[Annotation]] = {}
        for mark in self.update.annotations:
            if mark.trace == trace.id:
                found.setdefault(mark.name, []).append(mark)
        return found

    def listing(self, trace: Trace) -> Listing:
        (found,) = [listing for listing in self.update.listings if listing.trace == trace.id]
        return found

    def primitives(self, trace: Trace) -> list[str]:
        """The operations of a trace's jaxpr as the tab Jaxpr lists them, from the outermost in."""
        return [primitive(line.text) for line in self.listing(trace).lines if line.equation is not None]

    def graph(self, trace: Trace) -> Graph:
        (found,) = [graph for graph in self.update.graphs if graph.trace == trace.id]
        return found

    def source_line(self, name: str, line: int | None) -> str:
        function = self.function(name)
        assert function.source is not None
        assert function.line is not None
        assert line is not None
        return function.source.splitlines()[line - function.line].strip()

    def spans(self, name: str) -> dict[str, float]:
        function = self.function(name)
        return {span.kind: span.seconds for span in self.update.spans if span.function == function.id}


def primitive(line: str) -> str:
    """The operation of a listed equation; one without results has no ` = `."""
    results, equals, operation = line.partition(" = ")
    return re.split(r"[\[ ]", operation if equals else results)[0]


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
    """All cells by id, run from top to bottom; only a cell that says so in its tags may fail."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    here = tmp_path_factory.mktemp("tour")
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(here)}}).execute()
    return {cell.id: cell for cell in notebook.cells}


@pytest.fixture
def shown(tour):
    """What the recorded cell of that id gave."""

    def of(cell: str) -> Shown:
        outputs = tour[cell].outputs
        (ours,) = [output.data for output in outputs if MIME in output.get("data", {})]
        printed = "".join(o.text for o in outputs if o.output_type == "stream" and o.name == "stdout")
        return Shown(printed=printed, update=msgspec.convert(ours[MIME], Update))

    return of


def test_is_saved_without_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code[0].source == "%load_ext jax_trace_viz"
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


def test_every_lesson_has_a_text_before_it():
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    for before, cell in itertools.pairwise(cells):
        if cell.source.startswith("%%jaxtrace"):
            assert before.id == f"about-{cell.id}"


def test_nothing_is_printed_to_stderr_and_nothing_of_ours_failed(tour, shown):
    recorded = [name for name, cell in tour.items() if cell.source.startswith("%%jaxtrace")]
    for name in recorded:
        assert not [o for o in tour[name].outputs if o.output_type == "stream" and o.name == "stderr"], name
        assert shown(name).update.faults == [], name
        assert shown(name).update.environment.limited == [], name


def test_tracers_have_shapes_and_types_but_no_numbers(shown):
    cell = shown("tracers")
    trace = cell.trace("triangle_area")
    assert [(a.path, a.role, a.type, a.value) for a in trace.arguments] == [
        ("width", "traced", "f32[2]", None),
        ("height", "traced", "f32[2]", None),
    ]
    marks = cell.marks(trace)
    assert set(marks) == {"width", "height", "each"}
    for mark in [mark for named in marks.values() for mark in named]:
        assert (mark.status, mark.type, mark.value) == ("traced", "f32[2]", None)
    (each,) = marks["each"]
    made = [line.text for line in cell.listing(trace).lines if line.place and line.place.line == each.line]
    assert [primitive(line) for line in made] == ["mul", "div"]


def test_two_phases(shown):
    cell = shown("two-phases")
    function = cell.function("double")
    assert (function.calls, function.traces, function.compiles, function.cache_hits) == (5, 1, 1, 4)
    milliseconds = [float(number) for number in re.findall(r"([\d.]+) ms", cell.printed)]
    assert milliseconds[0] > 500
    assert max(milliseconds[1:]) < 250
    spans = cell.spans("double")
    assert set(spans) == {"trace", "lower", "compile"}
    assert spans["trace"] > 0.5 > spans["lower"] + spans["compile"]


def test_side_effects_happen_while_tracing(shown):
    cell = shown("side-effects")
    function = cell.function("increment")
    assert (function.calls, function.traces) == (3, 1)
    assert len(re.findall("tracing, x is .*Tracer", cell.printed)) == 1
    assert re.findall(r"running, x is \[(\d)", cell.printed) == ["1", "2", "3"]
    assert [name.partition("_")[0] for name in cell.primitives(cell.trace("increment"))] == ["debug", "add"]


def test_operations_become_equations(shown):
    cell = shown("equations")
    trace = cell.trace("predict")
    arrays = {argument.path for argument in trace.arguments}
    assert arrays == {f"params['{a}']['{b}']" for a in ("first", "second") for b in ("w", "b")} | {"x"}
    assert cell.primitives(trace).count("tanh") == 2
    assert [bool(line.place) for line in cell.listing(trace).lines if line.equation is not None] == [True] * 8
    boxes = cell.graph(trace).boxes
    assert [(box.label, box.repeat) for box in boxes if box.kind == "group"] == [("layer ×2", 2)]
    assert [box.label for box in boxes if box.kind == "argument"] == ["params", "x"]


def test_if_on_a_traced_value_fails(tour, shown):
    (error,) = [output for output in tour["if-on-traced"].outputs if output.output_type == "error"]
    assert error.ename == "TracerBoolConversionError"
    cell = shown("if-on-traced")
    trace = cell.trace("adjust")
    assert trace.status == "error"
    assert trace.error is not None
    assert cell.source_line("adjust", trace.error.line) == "if total > 10:"
    assert "adjust" in cell.update.verdict
    assert f"line {trace.error.line}" in cell.update.verdict
    (total,) = cell.marks(trace)["total"]
    assert (total.status, total.type, total.line) == ("traced", "f32[]", trace.error.line - 1)
    (finding,) = cell.update.findings
    assert finding.kind == "tracing_error"
    assert "jax.lax.cond" in (finding.fix or "")
    assert cell.primitives(trace) == ["reduce_sum", "gt"]
    assert cell.graph(trace).equations == 2


def test_cond_traces_both_branches(shown):
    cell = shown("cond")
    assert cell.update.state == "ok"
    outer = cell.trace("adjust")
    for name in ("halve", "triple"):
        branch = cell.trace(name)
        assert (branch.parent, branch.kind, branch.reasons[0].kind) == (outer.id, "cond", "branch_trace")
    groups = {box.label for box in cell.graph(outer).boxes if box.kind == "group" and box.open}
    assert {"branch 0", "branch 1"} <= groups
    assert {"mul", "div"} <= set(cell.primitives(outer))


def test_static_values_decide_while_tracing(shown):
    cell = shown("static")
    trace = cell.trace("power")
    assert [(a.path, a.value) for a in trace.arguments if a.role == "static"] == [("degree", "5"), ("squash", "False")]
    assert {(mark.status, mark.value) for mark in cell.marks(trace)["degree"]} == {("static", "5")}
    assert cell.primitives(trace) == ["mul"] * 4


def test_other_static_values_make_another_program(shown):
    cell = shown("static-again")
    trace = cell.trace("power")
    assert [(r.kind, r.path, r.before, r.after) for r in trace.reasons] == [
        ("new_static_value", "degree", "5", "2"),
        ("new_static_value", "squash", "False", "True"),
    ]
    assert "degree changed 5 → 2" in cell.update.verdict
    assert cell.primitives(trace) == ["mul", "tanh"]


def test_a_loop_primitive_holds_its_body_once(shown):
    cell = shown("loop")
    assert len(cell.traces("multiply")) == 1
    trace = cell.trace("power_by_loop")
    assert cell.primitives(trace).count("mul") == 1
    assert [box.label for box in cell.graph(trace).boxes if box.kind == "group"] == ["fori_loop ×49"]


def test_variables_from_outside_are_baked_in(shown):
    cell = shown("baked-in")
    assert [line.split(":")[1].split() for line in cell.printed.splitlines()] == [
        ["[", "1.", "10.", "100.]"],
        ["[", "1.", "10.", "100.]"],
        ["[[0.", "0.", "0.]]"],
    ]
    for trace in cell.traces("scale"):
        assert [(c.name, c.source, c.type, c.bytes) for c in trace.constants] == [("factor", "global", "f32[3]", 12)]
    newest = cell.graph(cell.traces("scale")[-1])
    assert [box.label for box in newest.boxes if box.kind == "constant"] == ["factor"]
    assert cell.function("scale").cache_hits == 1
    assert "x changed shape f32[3] → f32[1,3]" in cell.update.verdict
