"""Everything in JAX and Python that a tool could have hooked, so that two moments can be compared by identity."""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Iterator

Snapshot = dict[tuple[str, ...], object]


def snapshot() -> Snapshot:
    """Path → what is there now: all callables of JAX's modules, classes and objects, and the interpreter's hooks."""
    return dict(_attributes()) | dict(_interpreter()) | dict(_hooks())


def changed(before: Snapshot, after: Snapshot) -> list[str]:
    """What is another object than before. What appeared meanwhile (a module that JAX loads late) is no change."""
    return sorted(".".join(path) for path, thing in before.items() if path not in after or after[path] is not thing)


def _attributes() -> Iterator[tuple[tuple[str, ...], object]]:
    for name, module in list(sys.modules.items()):
        if name != "jax" and not name.startswith("jax."):
            continue
        for attribute, value in list(vars(module).items()):
            if not callable(value) and not getattr(type(value), "__module__", "").startswith("jax."):
                continue
            yield (name, attribute), value
            inside = vars(value) if hasattr(value, "__dict__") and not inspect.ismodule(value) else {}
            for key, held in list(inside.items()):
                if isinstance(held, Callable | property | staticmethod | classmethod):
                    yield (name, attribute, key), held


def _interpreter() -> Iterator[tuple[tuple[str, ...], object]]:
    for function in (sys.getprofile, sys.gettrace, threading.getprofile, threading.gettrace):
        yield (function.__module__, function.__name__), function()
    for number, finder in enumerate(sys.meta_path):
        yield ("sys", "meta_path", str(number)), finder
    yield ("sys", "meta_path", "number"), len(sys.meta_path)
    if sys.version_info >= (3, 12):
        for tool in range(6):
            yield ("sys", "monitoring", str(tool)), sys.monitoring.get_tool(tool)


def _hooks() -> Iterator[tuple[tuple[str, ...], object]]:
    from jax._src import api, monitoring
    from jax._src.lib import jax_jit

    for name, listeners in vars(monitoring).items():
        if name.endswith("_listeners") and isinstance(listeners, list):
            yield ("jax.monitoring", name, "number"), len(listeners)
            for number, listener in enumerate(listeners):
                yield ("jax.monitoring", name, str(number)), listener
    slot = getattr(api, "_post_hook_state", None)
    yield ("post_hook", "global"), slot.get_global() if slot else jax_jit.global_state().post_hook
