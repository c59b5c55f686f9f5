"""Holds in this process and in those that tests start: JAX on the CPU, and this checkout is importable."""

from __future__ import annotations

import os
import pathlib

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.capture.told")

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
"""How long an example takes says more of the machine than of the code."""

ROOT = pathlib.Path(__file__).parent.parent

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
