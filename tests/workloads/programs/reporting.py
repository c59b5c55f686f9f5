"""What every workload prints: its result, how often JAX traced, lowered and compiled, as JAX's own log tells, and how
often objects of the libraries were asked for their hash, for equality or for a text.

A workload is a script whose `main()` returns a number and notes; `report(main)` runs it and prints one line of JSON.
"""

from __future__ import annotations

import collections
import functools
import json
import logging
import math
import types
from typing import TYPE_CHECKING, Any

import jax

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MESSAGES = {
    "traces": "Finished tracing",
    "lowers": "Finished jaxpr to MLIR",
    "compiles": "Finished XLA compilation",
}


class Counter(logging.Handler):
    """Counts JAX's messages, and says nothing of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = dict.fromkeys(MESSAGES, 0)

    def emit(self, record: logging.LogRecord) -> None:
        """Counts one message."""
        for count, beginning in MESSAGES.items():
            self.counts[count] += record.getMessage().startswith(beginning)


LIBRARIES = ("blackjax", "diffrax", "equinox", "flax", "haiku", "jraph", "lineax", "numpyro", "optax", "optimistix")
asked: collections.Counter[str] = collections.Counter()


def classes(base: type = object) -> Iterator[type]:
    """All classes below one."""
    for one in type.__subclasses__(base):
        yield one
        yield from classes(one)


def count_questions() -> None:
    """Counts the calls of `__hash__`, `__eq__` and `__repr__` that the libraries' classes have in Python."""
    for one in set(classes()):
        for name in ("__hash__", "__eq__", "__repr__"):
            method = vars(one).get(name)
            if isinstance(method, types.FunctionType) and module_of(method).partition(".")[0] in LIBRARIES:
                type.__setattr__(one, name, counting(f"{one.__qualname__}.{name}", method))


def module_of(method: types.FunctionType) -> str:
    """The name of the module that defines it."""
    return method.__globals__.get("__name__", "")


def counting(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """The method, with its calls counted in `asked`."""

    @functools.wraps(method)
    def counted(*args: Any) -> Any:
        asked[name] += 1
        return method(*args)

    return counted


def report(main: Callable[[], tuple[object, dict[str, object]]]) -> None:
    """Runs a workload and prints its line."""
    jax.config.update("jax_log_compiles", True)
    counter = Counter()
    logger = logging.getLogger("jax")
    logger.handlers = [counter]
    logger.propagate = False
    count_questions()
    value, notes = main()
    assert math.isfinite(float(value))
    print(json.dumps({"value": float(value), "notes": notes, "asked": asked, **counter.counts}))
