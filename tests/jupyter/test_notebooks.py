"""Notebooks that are run and converted without a browser."""

from __future__ import annotations

import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from tests.jupyter.kernels import MIME, ThisInterpreter

pytestmark = pytest.mark.kernel

CELLS = [
    "%load_ext jax_trace_viz",
    "%%jaxtrace\nimport jax, jax.numpy as jnp\n@jax.jit\ndef step(x):\n    return jnp.tanh(x) * 2\nprint(step(1.0))",
    "%jaxtrace on",
    "step(jnp.ones(3)).shape",
    "%%jaxtrace\n%%time\nstep(jnp.ones(4)).shape",
]


@pytest.fixture(scope="module")
def executed():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(notebook, timeout=120, kernel_name="python3", kernel_manager_class=ThisInterpreter).execute()
    return notebook


def test_what_is_saved_is_complete_and_holds_no_widget(executed):
    saved = [output for cell in executed.cells for output in cell.outputs if MIME in output.get("data", {})]
    assert [output.data[MIME]["state"] for output in saved] == ["ok", "ok", "ok"]
    assert [output.data[MIME]["complete"] for output in saved] == [True, True, True]
    assert "jupyter.widget" not in nbformat.writes(executed)


def test_the_html_export_shows_the_picture_without_us(executed):
    html_exporter = pytest.importorskip("nbconvert.exporters").HTMLExporter
    page, _ = html_exporter().from_notebook_node(executed)
    assert '<img alt="Computation graph of step" src="data:image/svg+xml;base64,' in page
    assert "step was traced once" in page
    assert "x ● f32[]" in page  # the source with its marks


def test_a_converted_script_runs_and_says_what_was_traced(executed, tmp_path):
    script_exporter = pytest.importorskip("nbconvert.exporters").PythonExporter
    script, _ = script_exporter().from_notebook_node(executed)
    assert "run_cell_magic('jaxtrace'" in script
    path = tmp_path / "converted.ipy"
    path.write_text(script, encoding="utf-8")
    command = [sys.executable, "-m", "IPython", "--HistoryManager.enabled=False", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "step was traced once" in run.stdout
