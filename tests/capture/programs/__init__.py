"""Small programs on which every promise of the capture layer is tested.

Each public function of these modules is one program. It gets the counter, runs JAX, and returns what it computed; the
bodies that JAX runs under tracing count themselves, plain helpers and host callbacks do not.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from tests.capture.programs import (
    callables,
    classes,
    concurrent,
    control_flow,
    custom_rules,
    entry_points,
    failing,
    libraries,
    transformations,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.capture.counting import Ran

MODULES = (
    callables,
    classes,
    concurrent,
    control_flow,
    custom_rules,
    entry_points,
    failing,
    libraries,
    transformations,
)

PROGRAMS: dict[str, Callable[[Ran], object]] = {
    f"{module.__name__.rpartition('.')[2]}.{name}": function
    for module in MODULES
    for name, function in vars(module).items()
    if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
}
"""`module.program` → the program."""
