"""The tour `examples/01-first-trace.ipynb`, run in a real kernel: each cell shows what the text above it says."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import nbformat
import pytest

from tests.examples.shown import executed, primitive, shown_by

NOTEBOOK = Path(__file__).parents[2] / "examples" / "01-first-trace.ipynb"

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
    """All cells by id."""
    return executed(NOTEBOOK, tmp_path_factory.mktemp("tour"))


@pytest.fixture
def shown(tour):
    """What the recorded cell of that id gave."""
    return lambda cell: shown_by(tour[cell])


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
    (mark,) = cell.update.line_marks
    assert (mark.kind, mark.times) == ("side_effect", 1)
    assert cell.source_line("increment", mark.line) == 'print("tracing, x is", x)'


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
    assert "`total > 10` ← `total` ← `jnp.sum(x)` ← argument `x` (f32[2])" in finding.text
    assert "`return jnp.where(total > 10, x / 2, x * 3)`" in (finding.fix or "")
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
    groups = {box.label.partition(":")[0] for box in cell.graph(outer).boxes if box.kind == "group" and box.open}
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
    (finding,) = cell.update.findings
    assert finding.kind == "stale_value"
    assert finding.text.startswith("`factor` became another array (f32[3]) after `scale` was traced")
    newest = cell.graph(cell.traces("scale")[-1])
    assert [box.label for box in newest.boxes if box.kind == "constant"] == ["factor"]
    assert cell.function("scale").cache_hits == 1
    assert "x changed shape f32[3] → f32[1,3]" in cell.update.verdict
