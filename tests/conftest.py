"""JAX runs on the CPU in all tests, in this process and in those that tests start."""

from __future__ import annotations

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")
