"""Programs that run on eight devices."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys


def test_runs_over_a_mesh_of_eight_devices_are_told_once() -> None:
    program = pathlib.Path(__file__).with_name("on_eight_devices.py")
    flags = "--xla_force_host_platform_device_count=8"
    done = subprocess.run(
        [sys.executable, "-m", f"tests.capture.{program.stem}"],
        env={**os.environ, "XLA_FLAGS": flags},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.removesuffix("mesh_of_the_program\n"), done.stderr, done.returncode) == (
        "sharded_map\nsharded_jit\nmapped_over_devices\n",
        "",
        0,
    )
