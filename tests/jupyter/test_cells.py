"""What a user gets for a recorded cell, in a real kernel."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
import zlib

import msgspec
import pytest

from jax_trace_viz.contract.document import Document
from jax_trace_viz.contract.view import Update
from tests.jupyter.kernels import MIME, Kernel, Ran

pytestmark = pytest.mark.kernel

SETUP = """\
import jax, jax.numpy as jnp

@jax.jit
def loss(w):
    return jnp.sum(jnp.tanh(w) ** 2)

@jax.jit
def step(w):
    return w - 0.1 * jax.grad(loss)(w)
"""


@pytest.fixture(autouse=True)
def set_up(kernel):
    kernel.run("%jaxtrace off")
    kernel.run(SETUP)


def shown(ran: Ran) -> list[Update]:
    return [msgspec.convert(content["data"][MIME], Update) for _, content in ran.ours()]


def first_name(update: Update) -> str:
    """The name of the function that is shown first."""
    functions = {trace.id: trace.function for trace in update.traces}
    return next(function.name for function in update.functions if function.id == functions[update.selected])


def test_the_output_stands_above_what_the_cell_prints_and_has_every_form(kernel):
    ran = kernel.run("%%jaxtrace\nprint(step(jnp.ones(3)).shape)")
    kinds = [kind for _, kind, _, _ in ran.told if kind in {"display_data", "stream", "update_display_data"}]
    assert kinds == ["display_data", "stream", "update_display_data"]
    data = ran.ours()[-1][1]["data"]
    assert data["text/plain"].startswith(shown(ran)[-1].verdict)
    assert "step" in data["text/html"]
    assert '<img alt="Computation graph of step" src="data:image/svg+xml;base64,' in data["text/html"]
    assert not any(kind.startswith("application/vnd.jupyter.widget") for kind in data)


def test_the_costliest_function_is_shown_first_or_the_one_asked_for(kernel):
    assert first_name(shown(kernel.run("%%jaxtrace\nstep(jnp.ones(4))"))[-1]) == "step"
    assert first_name(shown(kernel.run("%%jaxtrace --function loss\nstep(jnp.ones(5))"))[-1]) == "loss"
    update = shown(kernel.run("%%jaxtrace --function unknown\nstep(jnp.ones(6))"))[-1]
    assert "unknown" in update.note


def test_an_update_names_the_cells_that_its_functions_were_written_in(kernel):
    text = "@jax.jit\ndef nowhere_else(x):\n    return x + 1"
    kernel.run(text)
    recorded = "%%jaxtrace\nnowhere_else(1.0), step(jnp.ones(9))"
    update = shown(kernel.run(recorded))[-1]
    files = {function.name: function.file for function in update.functions}
    cells = {cell.file: cell for cell in update.cells}
    assert cells[files["nowhere_else"]].checksum == zlib.crc32(text.encode())
    assert cells[files["step"]].checksum == zlib.crc32(SETUP.encode())
    titles = "\n".join(box.title for graph in update.graphs for box in graph.boxes)
    assert f"[{cells[files['nowhere_else']].execution_count}]:3 in nowhere_else" in titles
    assert ".py:" not in titles
    assert update.cell.file not in cells
    assert update.cell.checksum == zlib.crc32(recorded.encode())


def test_cells_that_ran_before_the_extension_was_loaded_are_known_by_their_text():
    text = SETUP.rstrip()
    kernel = Kernel(text)
    try:
        kernel.run("%load_ext jax_trace_viz")
        (cell,) = shown(kernel.run("%%jaxtrace\nstep(jnp.ones(3))"))[-1].cells
        assert (cell.id, cell.checksum) == ("", zlib.crc32(text.encode()))
    finally:
        kernel.stop()


def test_svg_and_session_are_written(kernel, tmp_path):
    svg, saved = tmp_path / "my graph.svg", tmp_path / "session.json"
    ran = kernel.run(f"%%jaxtrace --function loss --svg '{svg}' --save {saved}\nstep(jnp.ones(7))")
    assert ran.printed("stderr") == ""
    root = ET.fromstring(svg.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    assert "loss" in "".join(root.itertext())
    document = msgspec.json.decode(saved.read_bytes(), type=Document)
    assert {function.name for function in document.functions} >= {"loss", "step"}


def test_what_cannot_be_written_is_said_and_the_cell_is_as_it_is(kernel, tmp_path):
    missing = tmp_path / "no" / "such"
    ran = kernel.run(f"%%jaxtrace --svg {missing}/a.svg --save {missing}/a.json\nstep(jnp.ones(8)).shape")
    assert ran.reply["status"] == "ok"
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "(8,)"
    first, second = ran.printed("stderr").splitlines()
    assert first == f"jaxtrace: {missing}/a.svg is not written (No such file or directory)."
    assert second == f"jaxtrace: {missing}/a.json is not written (No such file or directory)."

    ran = kernel.run(f"%%jaxtrace --svg {tmp_path}/a.svg\n1 + 1")
    assert ran.printed("stderr").startswith(f"jaxtrace: {tmp_path}/a.svg is not written: ")
    assert not (tmp_path / "a.svg").exists()


def test_no_graph_of_a_function_that_jax_traced_before_is_said_with_what_helps(kernel, tmp_path):
    kernel.run("step(jnp.ones(11))")
    asked = f"%%jaxtrace --function step --svg {tmp_path}/a.svg\n"
    ran = kernel.run(f"{asked}step(jnp.ones(11))")
    assert ran.printed("stderr") == (
        f"jaxtrace: {tmp_path}/a.svg is not written: step was called and not traced: JAX had its trace from before "
        "this recording. Call `jax.clear_caches()` first, and it is traced again.\n"
    )
    assert shown(ran)[-1].note.startswith("step was called and not traced")
    assert kernel.run(f"{asked}jax.clear_caches()\nstep(jnp.ones(11))").printed("stderr") == ""
    assert (tmp_path / "a.svg").exists()


def test_a_failing_cell_shows_one_traceback_and_what_was_traced_so_far(kernel):
    ran = kernel.run(
        "%%jaxtrace\n@jax.jit\ndef choose(x):\n    if x > 0:\n        return x\n    return -x\nchoose(1.0)"
    )
    assert len(ran.contents("error")) == 1
    update = shown(ran)[-1]
    assert update.state == "error"
    assert [trace.status for trace in update.traces if trace.error] == ["error"]
    assert "line 4" in update.verdict


def test_clear_output_leaves_our_output_for_the_end(kernel):
    ran = kernel.run("%%jaxtrace\nfrom IPython.display import clear_output\nclear_output()\nstep(jnp.ones(9)).shape")
    assert [kind for kind, _ in ran.ours()] == ["display_data", "display_data"]
    ran = kernel.run("%%jaxtrace\nstep(jnp.ones(10)).shape")
    assert [kind for kind, _ in ran.ours()] == ["display_data", "update_display_data"]


def test_record_all_is_quiet_but_for_cells_with_something_to_say(kernel):
    assert kernel.run("%jaxtrace on").outputs() == []
    assert kernel.run("1 + 1").ours() == []
    first = kernel.run("@jax.jit\ndef fresh(x):\n    return x + 1\nfresh(jnp.ones(3)).shape")
    assert first.ours() == []
    assert first.updates()[-1]["state"] == "ok"
    assert kernel.run("fresh(jnp.ones(3)).shape").ours() == []
    retraced = kernel.run("fresh(jnp.ones(4)).shape")
    ((kind, content),) = retraced.ours()
    assert kind == "display_data"
    assert content["metadata"] == {MIME: {"collapsed": True}}
    assert content["data"]["text/plain"] == shown(retraced)[0].verdict
    assert "f32[3] → f32[4]" in content["data"]["text/plain"]
    order = [kind for _, kind, _, _ in retraced.told if kind in {"execute_result", "display_data"}]
    assert order == ["execute_result", "display_data"]
    assert len(kernel.run("fresh('x')").ours()) == 1
    assert kernel.run("1 / 0").ours() == []
    assert kernel.run("%jaxtrace off").outputs() == []
    assert kernel.run("fresh(jnp.ones(5)).shape").ours() == []


def test_an_error_of_jax_is_explained_though_nothing_is_traced_in_its_cell(kernel):
    kernel.run("%jaxtrace on")
    kept = kernel.run(
        "kept = []\n@jax.jit\ndef keep(x):\n    y = x * 2\n    kept.append(y)\n    return y\nkeep(jnp.ones(3)).shape"
    )
    assert kept.ours() == []
    ran = kernel.run("kept[0] + 1")
    assert len(ran.contents("error")) == 1
    (update,) = shown(ran)
    here, there = (f"[{run.reply['execution_count']}]" for run in (ran, kept))
    assert update.verdict.startswith(
        f"The program stopped at {here}:1: a value that was traced in `keep` is used after"
    )
    (finding,) = update.findings
    assert (finding.kind, finding.place.line) == ("leaked_tracer", 1)
    assert f"It was made at {there}:4; `kept[0]` kept it." in finding.text
    assert kernel.run("1 / 0").ours() == []


def test_a_cell_that_asks_is_shown_in_full_while_all_are_recorded(kernel):
    kernel.run("%jaxtrace on")
    ran = kernel.run("%%jaxtrace\nstep(jnp.ones(11)).shape")
    assert [kind for kind, _ in ran.ours()] == ["display_data", "update_display_data"]
    assert ran.ours()[-1][1]["metadata"] == {}


def test_last_shows_the_newest_recording_again(kernel):
    recorded = shown(kernel.run("%%jaxtrace\nstep(jnp.ones(12)).shape"))[-1]
    kernel.run("1 + 1")
    (again,) = shown(kernel.run("%jaxtrace last"))
    assert again == recorded


def test_a_retrace_in_a_later_cell_is_told_as_one(kernel):
    kernel.run("%%jaxtrace\nstep(jnp.ones(13)).shape")
    update = shown(kernel.run("%%jaxtrace\nstep(jnp.ones(14)).shape"))[-1]
    (trace,) = [trace for trace in update.traces if trace.id.startswith(update.functions[0].id) and not trace.parent]
    assert [(r.kind, r.before, r.after) for r in trace.reasons] == [("new_shape", "f32[13]", "f32[14]")]


def test_the_status_says_how_the_newest_recording_does(kernel):
    kernel.run("%%jaxtrace\nstep(jnp.ones(13)).shape")
    words = "".join(content["text"] for _, kind, content, _ in kernel.run("%jaxtrace status").told if kind == "stream")
    assert words.startswith("Only cells with %%jaxtrace")
    assert "- 0 faults of jax_trace_viz's own.\n- All is watched.\n- Formatting what the hooks noted took " in words
    assert " took 0.0 ms" not in words


def test_an_await_cell_is_recorded_to_its_end(kernel):
    ran = kernel.run(
        "%%jaxtrace\nimport asyncio\nstep(jnp.ones(15))\nawait asyncio.sleep(0.3)\nstep(jnp.ones(16)).shape"
    )
    update = shown(ran)[-1]
    assert next(function for function in update.functions if function.name == "step").traces == 2


def test_nested_cells_belong_to_the_cell(kernel):
    ran = kernel.run(
        "%%jaxtrace\nget_ipython().run_cell('')\nget_ipython().run_cell('1 / 0')\nstep(jnp.ones(17)).shape"
    )
    update = shown(ran)[-1]
    assert update.state == "ok"
    assert [function.name for function in update.functions if function.traces] == ["step", "loss"]


def test_a_nested_cell_that_asks_is_recorded_on_its_own(kernel):
    ran = kernel.run("get_ipython().run_cell('%%jaxtrace\\nstep(jnp.ones(18))')\nstep(jnp.ones(19)).shape")
    update = shown(ran)[-1]
    assert next(function for function in update.functions if function.name == "step").traces == 1


def test_capture_above_does_not_swallow_our_output(kernel):
    ran = kernel.run("%%capture captured\n%%jaxtrace\nprint(step(jnp.ones(20)).shape)")
    assert ran.printed() == ""
    assert shown(ran)[-1].traces


def test_unloading_in_a_recorded_cell_ends_the_recording(fresh_kernel):
    ran = fresh_kernel.run("%%jaxtrace\n%unload_ext jax_trace_viz\n1 + 1")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "2"
    assert shown(ran)[-1].state == "ok"
    assert fresh_kernel.run("%load_ext jax_trace_viz\n%jaxtrace").reply["status"] == "ok"
    assert [kind for kind, _ in fresh_kernel.run("%%jaxtrace\n3").ours()] == ["display_data", "update_display_data"]


def test_jax_is_not_imported_before_the_program_does(fresh_kernel):
    assert fresh_kernel.run("%%jaxtrace\nimport sys; print('jax' in sys.modules)").printed() == "False\n"
    ran = fresh_kernel.run(
        "%%jaxtrace\nimport os; os.environ['JAX_ENABLE_X64'] = '1'\nimport jax\njax.jit(lambda x: x)(1.0).dtype.name"
    )
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "'float64'"
    assert shown(ran)[-1].traces


def test_after_a_restart_nothing_is_left(fresh_kernel):
    fresh_kernel.run("%%jaxtrace\nimport jax\njax.jit(lambda x: x + 1)(1.0)")
    fresh_kernel.restart()
    comm = fresh_kernel.open_rpc()
    fresh_kernel.ask(comm, {"id": 1, "method": "hello"})
    assert fresh_kernel.closed(comm)
    fresh_kernel.run("%load_ext jax_trace_viz")
    comm = fresh_kernel.open_rpc()
    fresh_kernel.ask(comm, {"id": 2, "method": "hello"})
    assert fresh_kernel.answer(comm)["hello"]["updates"] == []


def test_the_bundle_is_json_without_anything_json_lacks(kernel):
    ran = kernel.run("%%jaxtrace\nstep(jnp.full(21, jnp.nan)).shape")
    json.dumps(ran.ours()[-1][1], allow_nan=False)
