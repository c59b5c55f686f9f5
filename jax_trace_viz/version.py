"""The version of this package, for the command line and for clients that may be older or newer."""

from __future__ import annotations

import functools
from importlib.metadata import PackageNotFoundError, version


@functools.cache
def package_version() -> str:
    """The installed version; empty where the package runs from a folder that is not installed."""
    try:
        return version("jax-trace-viz")
    except PackageNotFoundError:
        return ""
