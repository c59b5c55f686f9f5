"""Importing the package changes nothing, and a recording may start before the program imports JAX."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import pathlib

Run = Callable[[str], object]


@pytest.fixture
def printed_by(tmp_path: pathlib.Path) -> Run:
    """Runs a script in a fresh interpreter and reads what it prints as JSON."""

    def run(program: str) -> object:
        script = tmp_path / "program.py"
        script.write_text(textwrap.dedent(program), encoding="utf-8")
        command = [sys.executable, "-W", "error", str(script)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_the_import_brings_in_neither_jax_nor_numpy(printed_by: Run) -> None:
    modules = printed_by("""
        import json, sys
        import jax_trace_viz
        print(json.dumps([name for name in ("jax", "jaxlib", "numpy", "IPython") if name in sys.modules]))
    """)
    assert modules == []


def test_the_import_patches_nothing(printed_by: Run) -> None:
    patched = printed_by("""
        import json
        import jax, jax.numpy as jnp
        from tests.capture.patches import changed, snapshot
        jax.jit(lambda x: x * 2)(jnp.ones(2))
        before = snapshot()
        import jax_trace_viz
        print(json.dumps(changed(before, snapshot())))
    """)
    assert patched == []


def test_a_recording_around_a_program_without_jax_does_not_import_it(printed_by: Run) -> None:
    loaded, environment = printed_by("""
        import json, sys
        import jax_trace_viz
        finders = list(sys.meta_path)
        with jax_trace_viz.trace() as session:
            import colorsys
        assert sys.meta_path == finders
        environment = session.document().environment
        print(json.dumps(["jax" in sys.modules, [environment.jax, environment.platform]]))
    """)
    assert (loaded, environment) == (False, [None, None])


def test_a_recording_started_before_jax_is_imported_tells_everything(printed_by: Run) -> None:
    told = printed_by("""
        import json, sys
        import jax_trace_viz
        ran = 0
        with jax_trace_viz.trace() as session:
            import jax
            @jax.jit
            def step(x):
                global ran
                ran += 1
                return x * 2
            step(1.0)
            step(2.0)
        document = session.document()
        (step,) = [f for f in document.functions if f.name == "step"]
        print(json.dumps([ran, step.traces, step.calls, step.compiles, document.environment.limited]))
    """)
    assert told == [1, 1, 2, 1, []]


def test_what_the_program_sets_before_it_imports_jax_still_counts(printed_by: Run) -> None:
    told = printed_by("""
        import json, os
        import jax_trace_viz
        with jax_trace_viz.trace() as session:
            os.environ["JAX_ENABLE_X64"] = "1"
            os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=3"
            import jax
            @jax.jit
            def step(x):
                return x * 2
            step(1.0)
        document = session.document()
        print(json.dumps([len(document.environment.devices), document.traces[0].arguments[0].type]))
    """)
    assert told == [3, "f64[]~"]


def test_a_recording_starts_no_backend(printed_by: Run) -> None:
    told = printed_by("""
        import json
        import jax
        import jax_trace_viz
        with jax_trace_viz.trace() as session:
            pass
        jax.config.update("jax_num_cpu_devices", 2)  # raises once a backend has started
        print(json.dumps([session.document().environment.platform, len(jax.devices())]))
    """)
    assert told == [None, 2]


def test_the_first_recording_of_a_process_makes_jax_trace_nothing_again(printed_by: Run) -> None:
    told = printed_by("""
        import json
        import jax, jax.numpy as jnp
        events = []
        jax.monitoring.register_event_duration_secs_listener(lambda event, _s, **about: events.append(event))
        @jax.jit
        def step(x):
            return jnp.sin(x) * 2
        step(jnp.arange(3.0))
        before = len(events)
        import jax_trace_viz
        with jax_trace_viz.trace():
            step(jnp.arange(3.0))
        print(json.dumps([before > 0, len(events) - before]))
    """)
    assert told == [True, 0]
