"""Loading, unloading, and what goes wrong, in shells of this process."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.error import UsageError
from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult
from IPython.terminal.interactiveshell import TerminalInteractiveShell
from traitlets.config import Config

import jax_trace_viz
from jax_trace_viz.jupyter import extension
from jax_trace_viz.jupyter.options import drop_line


@pytest.fixture
def loaded(shell):
    jax_trace_viz.load_ipython_extension(shell)
    yield shell
    jax_trace_viz.unload_ipython_extension(shell)


def state_of(shell) -> tuple:
    return (
        list(shell.input_transformers_cleanup),
        {event: list(callbacks) for event, callbacks in shell.events.callbacks.items()},
        {kind: sorted(known) for kind, known in shell.magics_manager.magics.items()},
    )


def test_unloading_leaves_the_shell_as_it_was(shell):
    before = state_of(shell)
    for _ in range(3):
        jax_trace_viz.load_ipython_extension(shell)
        jax_trace_viz.load_ipython_extension(shell)
        assert shell.input_transformers_cleanup.count(drop_line) == 1
        jax_trace_viz.unload_ipython_extension(shell)
        jax_trace_viz.unload_ipython_extension(shell)
        assert state_of(shell) == before


def test_the_magic_has_help_and_a_name_to_complete(loaded):
    for kind in ("line", "cell"):
        assert "--function NAME" in loaded.find_magic("jaxtrace", kind).__doc__
    with provisionalcompleter():
        for begun, whole in (("%%jaxt", "%%jaxtrace"), ("%jaxt", "%jaxtrace")):
            assert whole in [completion.text for completion in loaded.Completer.completions(begun, len(begun))]


def test_a_shell_without_a_kernel_shows_the_words_once_at_the_end(loaded, capsys):
    loaded.run_cell("%%jaxtrace\nimport jax\nprint(jax.jit(lambda x: x + 1)(1.0))")
    out = capsys.readouterr().out
    assert out.startswith("2.0\n<lambda> was traced once")
    assert out.count("was traced once") == 1


def test_a_terminal_records_too(capsys):
    shell = TerminalInteractiveShell(config=Config({"HistoryManager": {"enabled": False}}), simple_prompt=True)
    jax_trace_viz.load_ipython_extension(shell)
    shell.run_cell("%%jaxtrace\nimport jax\n_ = jax.jit(lambda x: x + 1)(1.0)")
    jax_trace_viz.unload_ipython_extension(shell)
    assert capsys.readouterr().out.startswith("<lambda> was traced once")


class Refusing:
    """What starts no recording, or one that cannot be shown."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __call__(self):
        raise self.error


@pytest.mark.parametrize("error", [RuntimeError("no\nhooks"), KeyboardInterrupt()])
def test_a_recording_that_does_not_start_is_one_sentence_and_the_cell_runs(error, shell, capsys):
    extension.load(shell, Refusing(error))
    result = shell.run_cell("%%jaxtrace\n6 * 7")
    extension.unload(shell)
    assert (result.success, result.result) == (True, 42)
    said = capsys.readouterr()
    assert said.err.startswith("jaxtrace: this cell is not recorded (")
    assert said.err.count("\n") == 1
    assert "Error in callback" not in said.out


def test_an_output_that_cannot_be_shown_is_one_sentence_and_jax_is_as_it_was(loaded, capsys, monkeypatch):
    def fail(**_):
        raise OSError("gone")

    monkeypatch.setattr(loaded.display_pub, "publish", fail)
    result = loaded.run_cell("%%jaxtrace\nimport jax\njax.jit(lambda x: x + 1)(1.0).shape")
    assert result.result == ()
    assert capsys.readouterr().err == "jaxtrace: what this cell traced cannot be shown (OSError: gone).\n"
    monkeypatch.undo()
    loaded.run_cell("%%jaxtrace\njax.jit(lambda x: x + 2)(1.0)")
    assert "was traced once" in capsys.readouterr().out


def test_a_cell_without_a_result_was_interrupted(loaded, capsys):
    info = ExecutionInfo("%%jaxtrace\n1", store_history=False, silent=False, shell_futures=True, cell_id=None)
    loaded.events.trigger("pre_run_cell", info)
    loaded.events.trigger("post_run_cell", None)
    assert "KeyboardInterrupt" in capsys.readouterr().out
    assert loaded.run_cell("%%jaxtrace\n1").result == 1


def test_what_ends_within_a_cell_does_not_end_its_recording(loaded, capsys):
    info = ExecutionInfo("%%jaxtrace\n1", store_history=False, silent=False, shell_futures=True, cell_id=None)
    loaded.events.trigger("pre_run_cell", info)
    loaded.run_cell("")
    loaded.run_cell("x = 1 + 1")
    # A cell of a subshell, on its own thread, begins and ends meanwhile.
    thread = threading.Thread(target=loaded.events.trigger, args=("post_run_cell", None))
    thread.start()
    thread.join()
    assert capsys.readouterr().out == ""
    loaded.events.trigger("post_run_cell", ExecutionResult(info))
    assert "No jitted function ran." in capsys.readouterr().out


def test_a_namespace_that_is_emptied_takes_nothing_of_ours_away(loaded, capsys):
    code = "import jax\njax.jit(lambda x: x + 3)(1.0)"
    loaded.run_cell("%jaxtrace on")
    loaded.run_cell(code)
    loaded.run_cell("%reset -f")
    assert loaded.run_cell(f"%%jaxtrace\n%reset -f\n{code}").success
    assert "was traced once" in capsys.readouterr().out
    loaded.run_cell("%jaxtrace status")
    told = capsys.readouterr().out
    assert "Every cell is recorded" in told
    assert "- 0 faults" in told
    loaded.run_cell("%jaxtrace off")


def test_the_cell_magic_by_name_serves_scripts(loaded, capsys):
    code = "import jax\nresult = jax.jit(lambda x: x + 1)(1.0)\nwhere = __name__"
    loaded.run_cell_magic("jaxtrace", "", code)
    assert float(loaded.user_ns["result"]) == 2.0
    assert "<lambda> was traced once" in capsys.readouterr().out
    with pytest.raises(ZeroDivisionError):
        loaded.run_cell_magic("jaxtrace", "", "1 / 0")
    with pytest.raises(UsageError):
        loaded.run_cell_magic("jaxtrace", "--nonsense", "result = None")
    assert loaded.user_ns["result"] is not None


def test_importing_the_extension_imports_neither_jax_nor_the_widget():
    code = "import sys, jax_trace_viz.jupyter.extension; print([m for m in ('jax', 'anywidget') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
