"""The notebook `examples/02-surprises.ipynb`, run in a real kernel: each cell shows what the text above it says."""

from __future__ import annotations

import itertools
from pathlib import Path

import nbformat
import pytest

from tests.examples.shown import executed, shown_by

NOTEBOOK = Path(__file__).parents[2] / "examples" / "02-surprises.ipynb"

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """All cells by id."""
    return executed(NOTEBOOK, tmp_path_factory.mktemp("surprises"))


@pytest.fixture
def shown(cells):
    """What the recorded cell of that id gave."""
    return lambda cell: shown_by(cells[cell])


def only_finding(cell):
    (finding,) = cell.update.findings
    return finding


def test_is_saved_without_outputs_and_has_a_text_before_each_program():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert all(cell.outputs == [] for cell in notebook.cells if cell.cell_type == "code")
    for before, cell in itertools.pairwise(notebook.cells):
        if cell.source.startswith("%%jaxtrace"):
            assert before.id == f"about-{cell.id}"


def test_nothing_of_ours_failed_and_only_what_says_so_fails(cells, shown):
    for name, cell in cells.items():
        if cell.source.startswith("%%jaxtrace"):
            update = shown(name).update
            assert (update.faults, update.environment.limited) == ([], []), name
            assert (update.state == "error") == ("raises-exception" in cell.metadata.get("tags", [])), name


def test_shapes_are_static_and_the_pixel_is_traced(shown):
    cell = shown("centre")
    trace = cell.trace("centre")
    marks = {name: {(mark.status, mark.value) for mark in told} for name, told in cell.marks(trace).items()}
    assert marks["height"] == {("static", "28")}
    assert marks["width"] == {("static", "30")}
    assert (marks["row"], marks["column"]) == ({("static", "14")}, {("static", "15")})
    (pixel,) = cell.marks(trace)["pixel"]
    assert (pixel.status, pixel.type) == ("traced", "f32[]")
    places = [line.place for line in cell.listing(trace).lines if line.equation is not None]
    assert {place.line for place in places if place is not None} == {pixel.line}


def test_a_shape_that_jnp_computed_depends_on_no_argument(shown):
    finding = only_finding(shown("known-size"))
    assert "`size` ← `jnp.prod(jnp.array(image.shape))` depends on no argument" in finding.text
    assert "`np.prod(np.array(image.shape))`" in (finding.fix or "")


def test_if_works_under_grad_and_fails_under_jit(shown):
    eager = shown("grad-if")
    assert [trace.kind for trace in eager.traces("bend")] == ["grad", "grad"]
    finding = only_finding(shown("jit-grad-if"))
    assert "`y > 0` ← `y` ← `jnp.sin(x)` ← argument `x`" in finding.text
    assert "`return jnp.where(y > 0, y ** 2, -y)`" in (finding.fix or "")


def test_vmap_runs_the_function_once_for_the_whole_batch(shown):
    cell = shown("batch")
    trace = cell.trace("bend_one")
    (y,) = cell.marks(trace)["y"]
    assert (y.status, y.type) == ("traced", "f32[]")
    assert [argument.type for argument in trace.arguments] == ["f32[3]"]


def test_if_fails_under_vmap_too(shown):
    finding = only_finding(shown("batch-if"))
    assert "under `jax.vmap` it stands for the whole batch" in finding.text
    assert "`y > 0` ← `y` ← `jnp.sin(x)` ← argument `x` (f32[])" in finding.text
    assert finding.fix == "`return jnp.where(y > 0, y ** 2, -y)` computes both and chooses."


def test_each_shape_is_a_trace(shown):
    cell = shown("shapes")
    assert (cell.function("mean").traces, cell.function("mean").cache_hits) == (3, 1)
    assert "x changed shape f32[3] → f32[4] → f32[5]" in cell.update.verdict


def test_a_list_cannot_be_static(shown):
    finding = only_finding(shown("static-list"))
    assert finding.kind == "unhashable_static"
    assert "`sizes` of `split` is static, and a `list` cannot be hashed" in finding.text


def test_a_function_must_be_static(shown):
    finding = only_finding(shown("function-argument"))
    assert "`fun` is a function" in finding.text
    assert "`jax.jit(twice, static_argnames=('fun',))`" in (finding.fix or "")


def test_a_new_lambda_is_another_static_value(shown):
    cell = shown("lambda")
    assert cell.function("thrice").traces == 3
    assert {trace.reasons[0].kind for trace in cell.traces("thrice")[1:]} == {"new_static_value"}
    assert only_finding(cell).function == cell.function("thrice").id


def test_a_mask_makes_the_size_depend_on_values(shown):
    finding = only_finding(shown("mask"))
    assert "`large` ← `x > 1` ← argument `x` (f32[4])" in finding.text
    assert "`jnp.where(large, x, 0).sum()`" in (finding.fix or "")


def test_what_python_decided_is_marked(shown):
    cell = shown("branches")
    assert cell.printed == "tracing with 3\ntracing with 4\n"
    marks = [m for m in cell.update.line_marks if m.trace == cell.traces("grow")[-1].id]
    told = {(mark.kind, cell.source_line("grow", mark.line), mark.times, mark.equations) for mark in marks}
    assert told == {
        ("not_run", "x = x + 1", 0, 0),
        ("side_effect", 'print("tracing with", rounds)', 1, 0),
        ("side_effect", "seen.append(rounds)", 1, 0),
        ("unrolled", "for i in range(rounds):", 4, 8),
    }


def test_a_variable_that_changed_is_told(shown):
    cell = shown("stale")
    assert cell.printed == "[12. 12.]\n[12. 12.]\n"
    assert only_finding(cell).text == (
        "`rate` changed 12.0 → 3.0 after `decay` was traced; the cached program still uses 12.0."
    )


def test_a_leak_names_who_made_and_who_kept_it(shown):
    finding = only_finding(shown("leak"))
    assert finding.kind == "leaked_tracer"
    assert "`half = x / 2`; `kept[0]` kept it" in finding.text


def test_another_structure_is_another_trace(shown):
    cell = shown("pytree")
    reason = cell.traces("affine")[1].reasons[0]
    assert (reason.kind, reason.path) == ("new_pytree_structure", "params['b']")


def test_the_state_of_a_loop_keeps_its_type(shown):
    assert "is given f32[1] and returns f32[2]" in only_finding(shown("loop-state")).text


def test_a_value_is_followed_through_a_helper(shown):
    finding = only_finding(shown("helper"))
    assert "Tracing `score` stopped" in finding.text
    assert "`value > 1` ← `total` ← `params['w'] * x.sum()` ← argument `params['w']`" in finding.text
    assert "`x` decides too" in finding.text


def test_or_gives_a_value(shown):
    finding = only_finding(shown("or"))
    assert "`or` in `x or default` needs the value of `x`" in finding.text
    assert "`jnp.where(x, x, default)`" in (finding.fix or "")


def test_what_numpy_drew_is_baked_in(cells, shown):
    cell = shown("drawn-once")
    (result,) = [output for output in cells["drawn-once"].outputs if output.output_type == "execute_result"]
    assert result.data["text/plain"] == "True"
    assert cell.function("noisy").traces == 1
    (constant,) = cell.trace("noisy").constants
    assert (constant.name, constant.type) == ("noise", "f32[3]")


def test_grad_wants_one_number(shown):
    finding = only_finding(shown("grad-of-many"))
    assert "`jax.grad(loss)` differentiates one number, and `loss` gives back an array of shape (3,)" in finding.text
    assert "`jax.vmap(jax.grad(loss))`" in (finding.fix or "")
