"""Kernel → front end: one message reaches all clients of the kernel.

Clients overhear the kernel's output channel and take what carries one of our keys. So we never open our comm: nobody
has to register it, nobody can close it for the others, and a page that was reloaded in the middle of a cell hears us
at once.
"""

from __future__ import annotations

import contextvars
import functools
import threading
from time import thread_time
from typing import TYPE_CHECKING, Final

import comm

from jax_trace_viz.jupyter import wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from comm.base_comm import BaseComm

    from jax_trace_viz.contract.view import Answer, Hello, Update

TARGET: Final = "jax_trace_viz"

_INTERVAL: Final = 0.1
"""Seconds between two messages. Many more would cost the user's own output (message limits, full queues)."""

_BUSY: Final = 20
"""An update that took 10 ms to make is followed by a pause of 200 ms: the user's program keeps the processor."""

_BESIDE: Final = "Reload the page: its jax_trace_viz is older than that of the kernel."
"""What an answer says to a page that does not look for a buffer beside it."""

_FAILURES: Final = 3
"""Steps that fail before we give up."""


@functools.cache
def _channel() -> BaseComm:
    """Our end of the comm. It lives as long as the kernel, because a comm that goes away tells its peer so."""
    return comm.create_comm(target_name=TARGET, primary=False)


def announce(hello: Hello) -> None:
    """Tells all clients that we are here, and those that come later: they ask the kernel which comms it has."""
    comm.get_comm_manager().register_comm(_channel())
    send_hello(hello)


def withdraw() -> None:
    """Tells all clients that the extension is unloaded."""
    comm.get_comm_manager().comms.pop(_channel().comm_id, None)  # a client may have closed it
    _channel().send({"jax_trace_viz_bye": {}})


def send_update(update: Update) -> None:
    """Tells all clients what changed in a session."""
    _channel().send({"jax_trace_viz": wire.plain(update)})


def send_hello(hello: Hello) -> None:
    """Tells all clients whether every cell is recorded."""
    _channel().send({"jax_trace_viz_hello": wire.plain(hello)})


def send_answer(answer: Answer, comm_id: str) -> None:
    """Answers a request.

    Not on the comm that asked: ipykernel sends the later messages of a comm to the (sub)shell that last sent on it, so
    that one request handled by a cell's shell would make all later ones wait for the end of the running cell.

    A graph is large. It comes as a buffer beside the message, which only the client takes apart: the message itself is
    written by the kernel and read by the server too.
    """
    if answer.graph is None:
        _channel().send({"jax_trace_viz_answer": wire.plain(answer), "to": comm_id})
    else:
        beside = {"id": answer.id, "error": _BESIDE}
        _channel().send({"jax_trace_viz_answer": beside, "to": comm_id}, buffers=[wire.encoded(answer)])


class Pump:
    """Calls `step` again and again on a thread of its own, seldom enough to leave the program and its output alone.

    The thread runs in a copy of the context in which the pump was made, the cell's: what it sends belongs to the cell.
    `failed` is told of each step that fails; the third is the last.
    """

    def __init__(self, step: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        self._step = step
        self._failed = failed
        self._stop = threading.Event()
        context = contextvars.copy_context()
        self._thread = threading.Thread(target=context.run, args=(self._run,), name="jax_trace_viz-live", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        pause = _INTERVAL
        failures = 0
        while failures < _FAILURES and not self._stop.wait(pause):
            begun = thread_time()
            try:
                self._step()
            except Exception as error:  # noqa: BLE001
                self._failed(error)
                failures += 1
            pause = max(_INTERVAL, _BUSY * (thread_time() - begun))

    def stop(self) -> None:
        """Returns when the last step is done."""
        self._stop.set()
        self._thread.join()
