"""`python -m tests.promises.locking` records a program that is interrupted whenever one of our locks is held.

A handler of a signal, a `__del__` or a callback of the garbage collector may run at any such moment, on the thread
that holds the lock, and trace new functions. Each of our locks is made to call such a handler as soon as it is taken.
Prints one line of JSON: which locks were taken, where a thread would have waited for itself, and in which rings
threads could wait for each other.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

HELD: dict[int, list[Watched]] = {}
"""Thread → the locks that it holds, the newest last."""
ORDER: set[tuple[str, str]] = set()
"""A lock that was held, and one that the same thread waited for meanwhile, however long that may last."""
TAKEN: set[str] = set()
SELF: set[str] = set()
INTERRUPTED: set[str] = set()
RUNNING = threading.local()


class Watched:
    """A lock of ours, real, that interrupts who takes it."""

    def __init__(self, real: Any, name: str, *, again: bool) -> None:
        self._real = real
        self._again = again
        self.name = name

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        held = HELD.setdefault(threading.get_ident(), [])
        mine = self in held
        if blocking and timeout < 0:
            ORDER.update((one.name, self.name) for one in held if one is not self and not mine)
            if mine and not self._again:
                SELF.add(self.name)
                raise RuntimeError(f"{self.name} waits for itself")
        if not self._real.acquire(blocking, timeout):
            return False
        held.append(self)
        TAKEN.add(self.name)
        try:
            interrupt(self.name)
        except BaseException:
            self.release()
            raise
        return True

    def release(self) -> None:
        HELD[threading.get_ident()].remove(self)
        self._real.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


def _watch(kind: str, *, again: bool) -> None:
    make = getattr(threading, kind)

    def made() -> Any:
        caller = sys._getframe(1)
        module = str(caller.f_globals.get("__name__"))
        if not module.startswith("jax_trace_viz"):
            return make()
        return Watched(make(), f"{module.removeprefix('jax_trace_viz.')}:{caller.f_lineno}", again=again)

    setattr(threading, kind, made)


def interrupt(name: str) -> None:
    """What the handler does: traces and compiles a new function, and one that fails."""
    if not getattr(RUNNING, "on", False) or getattr(RUNNING, "inside", False) or name in INTERRUPTED:
        return
    RUNNING.inside = True
    try:
        work()
        INTERRUPTED.add(name)
    finally:
        RUNNING.inside = False


def work() -> None:
    """Traces and compiles a new function, and one that fails."""
    import jax
    import numpy as np

    def new(x: Any) -> Any:
        return jax.lax.sin(x) * 2

    def fails(x: Any) -> Any:
        return jax.lax.sin(x) if bool(x > 1) else x

    x = np.arange(3, dtype="float32")
    with jax.ensure_compile_time_eval():  # compiled also in the middle of a trace
        jax.jit(new)(x)
    try:
        jax.jit(fails)(x[0])
    except jax.errors.TracerBoolConversionError:
        return
    raise AssertionError("it must fail")


def rings() -> list[list[str]]:
    """The locks that can be waited for in a ring."""
    reach = {first: {second for one, second in ORDER if one == first} for first, _ in ORDER}
    grown = True
    while grown:
        grown = False
        for ends in reach.values():
            more = set[str]().union(*(reach.get(end, set()) for end in ends)) - ends
            ends.update(more)
            grown |= bool(more)
    return sorted(sorted(ends) for one, ends in reach.items() if one in ends)


def main() -> None:
    """See the module's docstring."""
    import jax
    import jax.numpy as jnp

    _watch("Lock", again=False)
    _watch("RLock", again=True)
    import jax_trace_viz

    with jax_trace_viz.trace() as session:
        RUNNING.on = True

        def looked_at(x: Any) -> Any:
            y = jnp.sin(x)
            session.document()  # a flush in the middle of a trace
            return y

        work()
        jax.jit(looked_at)(1.0)
        for _ in range(3):
            work()
            session.document()
        with jax_trace_viz.trace():
            work()
        RUNNING.on = False
    document = session.document()
    told = {"taken": sorted(TAKEN), "interrupted": sorted(INTERRUPTED), "self": sorted(SELF), "rings": rings()}
    print(json.dumps(told | {"faults": document.faults, "limited": document.environment.limited}, default=repr))


if __name__ == "__main__":
    main()
