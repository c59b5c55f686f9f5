"""Standard streams that cannot be written to cost a sentence at most, never the script's exit status."""

from __future__ import annotations

import os
import pathlib
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import JITTED

if TYPE_CHECKING:
    from tests.cli.conftest import Folder

FULL = pathlib.Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full, as Linux has it")


def in_shell(folder: Folder, arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`python -m jax_trace_viz arguments`, as a shell reads them."""
    command = f"{shlex.quote(sys.executable)} -m jax_trace_viz {arguments}"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder.path,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.parametrize("redirected", ["2>/dev/full", "2>&-"])
def test_a_summary_that_cannot_be_written_leaves_the_exit_status(folder: Folder, redirected: str) -> None:
    script = folder.write("script.py", JITTED)
    done = in_shell(folder, f"run {script} {redirected}")
    assert (done.returncode, done.stdout) == (0, "6.0\n")


OWN_STREAM = """
    import sys

    class Own:
        def write(self, text):
            raise RuntimeError(text)

        def flush(self):
            pass

    sys.stderr = Own()
"""


def test_a_stream_of_the_scripts_own_may_do_anything(folder: Folder) -> None:
    done = folder.recorded(folder.write("script.py", JITTED + OWN_STREAM))
    assert (done.returncode, done.stdout, done.stderr) == (0, "6.0\n", "")


def test_why_says_what_it_can(folder: Folder) -> None:
    folder.recorded(folder.write("script.py", JITTED), "--session", "session.json")
    full = in_shell(folder, "why session.json step >/dev/full")
    assert (full.returncode, full.stderr) == (2, "jax-trace-viz: cannot write: No space left on device\n")
    for unread in ("| true", ">&-"):
        done = in_shell(folder, f"why session.json step {unread}")
        assert (done.returncode, done.stderr) == (0, "")
    plain = in_shell(folder, "why session.json step", PYTHONIOENCODING="ascii")
    assert plain.returncode == 0
    assert r"Tracing cache: miss \xb7" in plain.stdout
