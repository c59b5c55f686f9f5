"""R15: a JAX that we do not know costs features, which are named, and nothing else.

Figures: each private name of JAX that the capture uses is another, one after the other: 0 programs raise or compute
something else; each recording names what it lacks, in `limited` or among its faults. A seeded sample runs here, all of
them in `make soak`.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest

EVERYTHING = [5, 2, 2]
"""Calls, traces and compilations of the program's function."""
ALWAYS = ("jax._src.pjit._infer_params", "jax._src.core.ensure_no_leaks", "jax._src.config.trace_context")
SEED = 20_261_129


def printed(*arguments: str) -> Any:
    """What `renaming` prints."""
    command = [sys.executable, "-m", "tests.promises.renaming", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1_000)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def holds(told: dict[str, Any]) -> None:
    """The promise, for one name."""
    assert "raised" not in told, told
    assert told["same"], told
    assert told["status"] == "ok", told
    assert len(told["faults"]) <= 50, told
    if told["step"] != EVERYTHING:
        assert told["limited"] or told["faults"], told


def test_names_are_found_and_their_absence_is_noticed() -> None:
    names = printed("list")
    assert {"jax._src.interpreters.pxla.MeshComputation.compile", *ALWAYS} <= set(names)
    assert len(names) > 15
    untouched, *told = printed("", *ALWAYS, *random.Random(SEED).sample(sorted({*names} - {*ALWAYS}), 5))
    assert (untouched["step"], untouched["limited"], untouched["faults"]) == (EVERYTHING, [], [])
    for one in told:
        holds(one)
    named = {one["name"]: one["limited"] for one in told}
    assert named["jax._src.pjit._infer_params"] == ["dispatch"]
    assert named["jax._src.core.ensure_no_leaks"] == ["staging"]


@pytest.mark.soak
@pytest.mark.timeout(1_200)
def test_no_name_is_needed() -> None:
    for told in printed(*printed("list")):
        holds(told)
