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
    assert said.stdout.startswith("Why was step traced again? (step #2)\n  x changed shape f32[2] → f32[3].")
    assert "Called at retraced.py:10." in said.stdout
    assert "What changed in the jaxpr, step #1 → step #2: 1 with other types or sizes only." in said.stdout
    asked = folder.plain("-m", "jax_trace_viz", "why", "session.json", "step")
    assert asked.stdout.count("Why was step traced") == 2


STALE = """
    import jax

    rate = 12.0

    @jax.jit
    def scaled(x):
        return x * rate

    scaled(1.0)
    rate = 3.0
    scaled(1.0)
"""


def test_a_change_that_no_trace_noticed_is_said(folder: Folder) -> None:
    folder.recorded(folder.write("stale.py", STALE), "--session", "session.json")
    said = folder.plain("-m", "jax_trace_viz", "why", "session.json")
    assert said.stdout == (
        "Why was scaled not traced again?\n"
        "  `rate` changed 12.0 → 3.0 after `scaled` was traced; the cached program still uses 12.0.\n"
        "  Read at stale.py:8.\n"
        "  What usually helps: Pass `rate` to `scaled` as an argument. What comes from outside is read once, while "
        "tracing.\n"
    )
    asked = folder.plain("-m", "jax_trace_viz", "why", "session.json", "scaled")
    assert asked.stdout.startswith("Why was scaled traced? (scaled #1)")
    assert asked.stdout.endswith(said.stdout)


def test_what_cannot_be_read_is_said_in_one_line(folder: Folder) -> None:
    folder.write("broken.json", "{")
    for arguments in (["missing.json"], ["broken.json"]):
        said = folder.plain("-m", "jax_trace_viz", "why", *arguments)
        assert (said.returncode, said.stdout, len(said.stderr.splitlines())) == (2, "", 1)
        assert said.stderr.startswith("jax-trace-viz: ")
