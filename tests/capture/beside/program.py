"""A program with other tools at work, in a process of its own: `python program.py TOOL [record]`.

Prints as JSON what the other tool saw of this program, and what the recording has.
"""

from __future__ import annotations

import contextlib
import cProfile
import json
import pstats
import sys
import threading
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

import jax_trace_viz

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = __file__


def helper(x):
    y = x * 2
    return y + 1


@jax.jit
def step(x):
    if x.ndim:  # noqa: SIM108
        z = helper(x)
    else:
        z = x
    for i in range(2):
        z = z + i
    return z


def program():
    step(jnp.ones(3))
    step(jnp.ones(3))
    step(jnp.ones(4))


def calls(seen: list[Any]) -> Callable[..., Any]:
    """A trace or profile function that notes the lines and calls of this file."""

    def note(frame: Any, event: str, _: object) -> Any:
        if frame.f_code.co_filename == HERE and frame.f_code.co_name in ("helper", "step", "program"):
            seen.append((event, frame.f_code.co_name, frame.f_lineno))
            return note
        return None

    return note


@contextlib.contextmanager
def tool(name: str, seen: list[Any]) -> Iterator[None]:
    """Runs the block with another tool at work, and tells what that tool saw."""
    if name == "settrace":
        sys.settrace(calls(seen))
        yield
        sys.settrace(None)
    elif name in ("setprofile", "threading"):
        (sys if name == "setprofile" else threading).setprofile(calls(seen))
        yield
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    elif name == "cprofile":
        profile = cProfile.Profile()
        profile.enable()
        yield
        profile.disable()
        counts: Any = pstats.Stats(profile).stats  # type: ignore[attr-defined]
        seen += sorted((where[2], entry[0]) for where, entry in counts.items() if where[0] == HERE)
    elif name == "ids":
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined]
        free = [one for one in range(6) if monitoring.get_tool(one) is None]
        for one in free:
            monitoring.use_tool_id(one, "somebody")
        yield
        seen += ([monitoring.get_tool(one) for one in free] == ["somebody"] * len(free),)
    elif name == "debugpy":
        import debugpy

        debugpy.listen(("127.0.0.1", 0))
        debugpy.trace_this_thread(True)
        yield
        seen.append(debugpy.is_client_connected())
    else:
        yield


def main(name: str, when: str, *, record: bool) -> dict[str, Any]:
    """Runs the program beside a tool that begins before the recording or inside it."""
    seen: list[Any] = []
    document = None
    with contextlib.ExitStack() as stack:
        if when == "before":
            stack.enter_context(tool(name, seen))
        session = stack.enter_context(jax_trace_viz.trace()) if record else None
        if when == "during":
            stack.enter_context(tool(name, seen))
        if name == "threading":
            thread = threading.Thread(target=program)
            thread.start()
            thread.join()
        else:
            program()
        current = sys.getprofile(), sys.gettrace()
    if session is not None:
        document = session.document()
    return {"seen": seen, "hooks": [type(one).__name__ for one in current], **(told(document) if document else {})}


def told(document: Any) -> dict[str, Any]:
    """The marks, by the name of the function."""
    names = {function.id: function.name for function in document.functions}
    return {
        "traces": [names[trace.function] for trace in document.traces if trace.kind != "call"],
        "marks": sorted({(names[a.function], a.name, a.type) for a in document.annotations if a.binding == "local"}),
        "lines": sorted({(mark.kind, mark.times) for mark in document.line_marks}),
        "limited": document.environment.limited,
        "faults": document.faults,
    }


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], record="record" in sys.argv)))
