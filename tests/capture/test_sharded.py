"""Programs that run on eight devices."""

from __future__ import annotations

import os
import subprocess
import sys


def run(module: str) -> subprocess.CompletedProcess[str]:
    """A program with eight devices."""
    return subprocess.run(
        [sys.executable, "-m", f"tests.capture.{module}"],
        env={**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=8"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_arrays_on_the_wrong_devices_are_explained() -> None:
    done = run("misplaced_on_eight_devices")
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.splitlines()[:2] == ["uneven_pieces", "more_specs_than_arguments"]


def test_runs_over_a_mesh_of_eight_devices_are_told_once() -> None:
    done = run("on_eight_devices")
    assert (done.stdout.removesuffix("mesh_of_the_program\n"), done.stderr, done.returncode) == (
        "sharded_map\nsharded_jit\nmapped_over_devices\n",
        "",
        0,
    )
