"""Real programs on libraries, recorded beside plain: most of what is traced there is the libraries' own code.

Each runs in a process of its own with a persistent compilation cache that is warm, so that XLA is hardly waited for and
what recording adds shows; JAX's caches in memory are cleared before each run, so that all is traced again.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import jax

from bench import measures
from bench.results import Result, ratio
from tests.workloads.needed import NEEDED

_ROOT = pathlib.Path(__file__).parents[1]
_PROGRAMS = _ROOT / "tests" / "workloads" / "programs"


def ratios(rounds: int, goal: float) -> list[Result]:
    """Of each program whose libraries are installed."""
    with tempfile.TemporaryDirectory() as cache:
        settings = {
            "JAX_COMPILATION_CACHE_DIR": cache,
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        }
        found = [name for name, packages in NEEDED.items() if all(map(importlib.util.find_spec, packages))]
        return [_measured(name, rounds, goal, settings) for name in found]


def _measured(name: str, rounds: int, goal: float, settings: dict[str, str]) -> Result:
    ran = subprocess.run(
        [sys.executable, "-m", "bench.real", name, str(rounds)],
        cwd=_ROOT,
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    plain, recorded = json.loads(ran.stdout.splitlines()[-1])
    return ratio(f"{name} recorded / plain, our threads counted", recorded, plain, goal)


def _main(name: str, rounds: int) -> None:
    """Prints the processor seconds of this process for each plain and each recorded run; they take turns."""
    sys.path.insert(0, str(_PROGRAMS))
    program = importlib.import_module(name)

    def seconds() -> float:
        jax.clear_caches()
        with measures.without_collector():
            began = time.process_time()
            program.main()
            return time.process_time() - began

    seconds()  # fills the cache
    print(json.dumps(measures.plain_and_recorded(rounds, seconds)))


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]))
