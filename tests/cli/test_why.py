"""`jax-trace-viz why`: what a recording says of its retraces."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Folder

RETRACED = """
    import jax
    import numpy as np

    @jax.jit
    def step(x):
        return x * 2

    step(np.ones(2, np.float32))
    step(np.ones(3, np.float32))
"""


def test_a_recording_says_why(folder: Folder) -> None:
    folder.recorded(folder.write("retraced.py", RETRACED), "--session", "session.json")
    said = folder.plain("-m", "jax_trace_viz", "why", "session.json", "--diff")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith("Why was step traced again? (f1#2)\n  x changed shape f32[2] → f32[3].")
    assert "Called at retraced.py:10." in said.stdout
    assert "What changed in the jaxpr, f1#1 → f1#2: 1 with other types or sizes only." in said.stdout
    asked = folder.plain("-m", "jax_trace_viz", "why", "session.json", "step")
    assert asked.stdout.count("Why was step traced") == 2


def test_what_cannot_be_read_is_said_in_one_line(folder: Folder) -> None:
    folder.write("broken.json", "{")
    for arguments in (["missing.json"], ["broken.json"]):
        said = folder.plain("-m", "jax_trace_viz", "why", *arguments)
        assert (said.returncode, said.stdout, len(said.stderr.splitlines())) == (2, "", 1)
        assert said.stderr.startswith("jax-trace-viz: ")
