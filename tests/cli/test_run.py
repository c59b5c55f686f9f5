"""`jax_trace_viz run script.py` behaves as `python script.py`: output, arguments, standard input, exit status."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Folder


def same(folder: Folder, *arguments: str, input: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a script both ways; what both do must be equal to the letter. Returns the recorded run."""
    plain = folder.plain(*arguments, input=input)
    recorded = folder.recorded(*arguments, input=input)
    assert recorded.stdout == plain.stdout
    assert recorded.stderr == plain.stderr
    assert recorded.returncode == plain.returncode
    return recorded


def test_the_output_passes_through(folder: Folder) -> None:
    script = folder.write("hello.py", "import sys\nprint('out')\nprint('err', file=sys.stderr)\n")
    assert same(folder, script).stdout == "out\n"


def test_the_arguments_are_the_scripts_own(folder: Folder) -> None:
    script = folder.write("arguments.py", "import sys\nprint(sys.argv)\n")
    done = same(folder, script, "input.csv", "--verbose", "--session-name=x", "-n", "3")
    assert done.stdout == "['arguments.py', 'input.csv', '--verbose', '--session-name=x', '-n', '3']\n"


def test_our_options_may_stand_before_and_after_the_script(folder: Folder) -> None:
    script = folder.write("arguments.py", "import sys\nprint(sys.argv)\n")
    before = folder.recorded("--session", "before.json", script, "a")
    after = folder.recorded(script, "a", "--session", "after.json")
    assert before.stdout == after.stdout == "['arguments.py', 'a']\n"
    assert folder.document("before.json")["outcome"] == folder.document("after.json")["outcome"]


def test_all_after_two_dashes_is_the_scripts_own(folder: Folder) -> None:
    script = folder.write("arguments.py", "import sys\nprint(sys.argv[1:])\n")
    done = folder.recorded(script, "--", "--session", "mine.json")
    assert done.stdout == "['--session', 'mine.json']\n"
    assert not (folder.path / "mine.json").exists()


def test_standard_input_is_the_scripts_own(folder: Folder) -> None:
    script = folder.write("echo.py", "print(input()[::-1])\n")
    assert same(folder, script, input="abc\n").stdout == "cba\n"


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        ("pass", 0),
        ("raise SystemExit", 0),
        ("sys.exit(0)", 0),
        ("sys.exit(3)", 3),
        ("sys.exit(True)", 1),
        ("sys.exit('in words')", 1),
        ("raise ValueError('wrong')", 1),
        ("1 / 0", 1),
    ],
)
def test_the_exit_status_is_the_scripts_own(folder: Folder, ending: str, status: int) -> None:
    script = folder.write("ending.py", f"import sys\nprint('before')\n{ending}\n")
    assert same(folder, script).returncode == status


def test_the_traceback_is_the_scripts_own(folder: Folder) -> None:
    folder.write("helper.py", "def fail():\n    raise KeyError('missing')\n")
    script = folder.write(
        "failing.py",
        """
        import helper
        try:
            helper.fail()
        except KeyError as error:
            raise RuntimeError("while helping") from error
        """,
    )
    assert "jax_trace_viz" not in same(folder, script).stderr


def test_a_syntax_error_is_told_as_python_tells_it(folder: Folder) -> None:
    script = folder.write("broken.py", "def f(:\n    pass\n")
    assert same(folder, script).returncode == 1


def test_the_hooks_of_the_script_are_called(folder: Folder) -> None:
    script = folder.write(
        "hooks.py",
        """
        import atexit, sys
        atexit.register(print, "at exit")
        sys.excepthook = lambda kind, error, traceback: print("hook:", error)
        raise ValueError("wrong")
        """,
    )
    assert same(folder, script).stdout == "hook: wrong\nat exit\n"


def test_threads_of_the_script_are_waited_for(folder: Folder) -> None:
    script = folder.write(
        "threads.py",
        """
        import threading, time
        def work():
            time.sleep(0.3)
            print("worked")
        threading.Thread(target=work).start()
        print("main is done")
        """,
    )
    assert same(folder, script).stdout == "main is done\nworked\n"


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_ends_the_script_and_the_document_is_written(folder: Folder) -> None:
    # Where a shell started the tests in the background, interrupts are ignored until somebody asks for them.
    heard = "import signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    script = folder.write("waiting.py", heard + "print('ready', flush=True)\ntime.sleep(60)\n")
    command = [sys.executable, "-m", "jax_trace_viz", "run", script, "--session", "session.json"]
    with subprocess.Popen(command, cwd=folder.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == -signal.SIGINT  # as Python ends, so that a shell's loop ends too
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert folder.document()["outcome"]["type"] == "KeyboardInterrupt"


def test_a_script_that_is_not_there_gets_one_sentence(folder: Folder) -> None:
    done = folder.recorded("missing.py", "--session", "session.json")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "missing.py" in done.stderr
    assert not (folder.path / "session.json").exists()


def test_no_script_at_all_gets_the_usage(folder: Folder) -> None:
    done = folder.recorded()
    assert done.returncode == 2
    assert "usage: " in done.stderr
    assert "Traceback" not in done.stderr


def test_an_option_that_is_not_ours_is_named(folder: Folder) -> None:
    done = folder.recorded("--bogus=3", folder.write("plain.py", "print('out')\n"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("error: unknown option --bogus: options of the script stand after its name\n")


def test_the_usage_names_each_command(folder: Folder) -> None:
    for arguments, file in ((["--help"], "stdout"), ([], "stderr")):
        said = getattr(folder.plain("-m", "jax_trace_viz", *arguments), file)
        usage = said.split("\n\n")[0]
        assert "jax-trace-viz --version" in usage
        assert "jax-trace-viz run [options] (script.py | -m module)" in usage
        assert "jax-trace-viz why [--diff] session.json" in usage


def test_the_version_is_told_and_that_of_the_script_is_its_own(folder: Folder) -> None:
    said = folder.plain("-m", "jax_trace_viz", "--version")
    assert (said.returncode, said.stdout) == (0, f"jax-trace-viz {version('jax-trace-viz')}\n")
    script = folder.write("tool.py", "import sys\nprint(sys.argv[1:])\n")
    assert folder.recorded(script, "--version").stdout == "['--version']\n"


def test_a_document_that_cannot_be_written_is_told_and_changes_no_exit_status(folder: Folder) -> None:
    script = folder.write("hello.py", "print('out')\nraise SystemExit(7)\n")
    done = folder.recorded(script, "--session", "no/such/folder/session.json")
    assert (done.stdout, done.returncode) == ("out\n", 7)
    assert "session.json" in done.stderr
    assert "Traceback" not in done.stderr
