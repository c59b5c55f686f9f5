"""What Python collects in the middle of a hook."""

from __future__ import annotations

import subprocess
import sys
import textwrap

PROGRAM = """
    import gc
    import jax
    import jax_trace_viz

    def made(number):
        def f(x):
            return x + number
        f.me = f  # only a collection takes it away
        return f

    def first_call(number):
        code = f"def first{number}(x): return x"
        scope = {}
        exec(compile(code, f"<cell {number}>", "exec"), scope)
        return jax.jit(scope[f"first{number}"])

    x = jax.ShapeDtypeStruct((3,), "float32")
    with jax_trace_viz.trace() as session:
        for number in range(40):
            gc.collect()
            gc.disable()
            for other in range(50):
                jax.jit(made(other)).trace(x)
            # The next collection comes within the listing of the cache's keys, sooner or later.
            gc.set_threshold(gc.get_count()[0] + 10 * number, 10, 10)
            gc.enable()
            first_call(number).trace(x)
            gc.set_threshold(700, 10, 10)
    assert session.document().faults == []
    assert gc.isenabled()
"""


def test_a_collection_while_the_keys_of_a_cache_are_listed_crashes_nothing() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)], capture_output=True, check=False, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")
