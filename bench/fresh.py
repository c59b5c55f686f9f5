"""Measures in fresh processes: what the mere presence of the package costs, and its import.

`python -m bench.fresh never|imported|import` measures in its own process and prints seconds.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROUNDS = 3


def seconds(what: str) -> float:
    """The measure of a fresh process."""
    command = [sys.executable, "-m", "bench.fresh", what]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=_environment()).stdout)


@functools.cache
def _environment() -> dict[str, str]:
    """That of this process, with the package compiled, as it is where it was installed."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-c", "import jax_trace_viz"], check=True, env=environment)
    return environment


def _import_seconds() -> float:
    began = time.process_time()
    importlib.import_module("jax_trace_viz")

    taken = time.process_time() - began
    assert "jax" not in sys.modules
    return taken


def _trace_seconds(*, imported: bool) -> float:
    if imported:
        importlib.import_module("jax_trace_viz")
    from bench.measures import trace_seconds

    assert ("jax_trace_viz" in sys.modules) == imported
    trace_seconds()
    return min(trace_seconds() for _ in range(ROUNDS))


def main(what: str) -> None:
    """Prints one measure."""
    print(_import_seconds() if what == "import" else _trace_seconds(imported=what == "imported"))


if __name__ == "__main__":
    main(*sys.argv[1:])
