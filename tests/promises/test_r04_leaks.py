"""R4: nothing is left of a recording that nobody keeps.

Figure: over 10,000 retraces in 200 recordings a process grows by at most 10 MB more than one that records nothing; over
500, here, Python allocates at most 0.5 MB, what JAX keeps included.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="reads what Linux tells")


def grown(mode: str, number: int, timeout: float) -> dict[str, float]:
    """By how many megabytes a fresh process has grown."""
    command = [sys.executable, "-m", "tests.promises.retracing", mode, str(number)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_five_hundred_retraces_leave_nothing() -> None:
    assert grown("recorded", 500, timeout=280)["python"] <= 0.5


@pytest.mark.soak
@pytest.mark.timeout(1_800)
def test_ten_thousand_retraces_leave_at_most_ten_megabytes() -> None:
    plain, recorded = (grown(mode, 10_000, timeout=900) for mode in ("plain", "recorded"))
    assert recorded["python"] - plain["python"] <= 10
    assert recorded["process"] - plain["process"] <= 10
