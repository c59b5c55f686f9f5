"""The tests that take many minutes: all faults, restarts, leaks, and the oldest Jupyter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.compat import prepare_oldest_jupyter
from tools.distribution import build_distributions
from tools.suites import run_browser, run_python

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.environment import Environment
    from tools.suites import Suite

_SECONDS = 1800
"""What one Python test may take."""


def soak_python(environment: Environment, arguments: Sequence[str]) -> int:
    """Run the tests in `tests/` that are marked `soak`."""
    return run_python(environment, ["-m", "soak", f"--timeout={_SECONDS}", *arguments])


def soak_browser(environment: Environment, arguments: Sequence[str]) -> int:
    """Run Playwright on `ui-tests/soak/`."""
    wheel = next(path for path in build_distributions(environment) if path.suffix == ".whl")
    oldest = prepare_oldest_jupyter(environment, wheel).scripts / "jupyter"
    return run_browser(environment, arguments, "soak", {"JAX_TRACE_VIZ_OLDEST": str(oldest)})


SOAK_SUITES: dict[str, Suite] = {"python": soak_python, "browser": soak_browser}
