"""Answers requests one after another, on a thread of its own: whoever brings them can cancel one meanwhile."""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from jax_trace_viz.cancelling import CancelledError, cancelled_by
from jax_trace_viz.contract.view import Answer, Request

if TYPE_CHECKING:
    from collections.abc import Callable


class Clerk:
    """Its thread lives as long as requests wait.

    Args:
        answer: answers one request.
        send: sends an answer to a client, by name.
    """

    def __init__(self, answer: Callable[[object], Answer], send: Callable[[Answer, str], None]) -> None:
        self._answer = answer
        self._send = send
        self._waiting: deque[_Waiting] = deque()
        """The first is the one that is being answered."""
        self._lock = threading.Lock()

    def take(self, client: str, asked: object) -> None:
        """Takes a request, or the word that an earlier one of this client is cancelled; returns at once."""
        request = _read(asked)
        if request is not None and request.method == "cancel":
            self._cancel(client, request.cancelled)
            return
        with self._lock:
            if not self._waiting:
                threading.Thread(target=self._run, name="jax_trace_viz-answers", daemon=True).start()
            self._waiting.append(_Waiting(client, asked, -1 if request is None else request.id))

    def forget(self, client: str | None = None) -> None:
        """A client, or everybody, waits for nothing any more."""
        with self._lock:
            for one in self._waiting:
                one.cancelled |= client in (None, one.client)

    def _cancel(self, client: str, number: int | None) -> None:
        with self._lock:
            for one in self._waiting:
                one.cancelled |= (one.client, one.number) == (client, number)

    def _run(self) -> None:
        with self._lock:
            one = self._waiting[0]
        while one is not None:
            one.context.run(self._serve, one)
            with self._lock:  # the thread has ended for `take` when nothing waits
                self._waiting.popleft()
                one = self._waiting[0] if self._waiting else None

    def _serve(self, one: _Waiting) -> None:
        try:
            with cancelled_by(lambda: one.cancelled):
                answer = one.said("This was cancelled.") if one.cancelled else self._answer(one.asked)
        except CancelledError:
            answer = one.said("This was cancelled.")
        try:
            self._send(answer, one.client)
        except Exception as error:  # noqa: BLE001 (the client waits, and so do the requests behind this one)
            with contextlib.suppress(Exception):
                self._send(one.said(f"The answer cannot be sent ({type(error).__name__}: {error})."), one.client)


class _Waiting:
    """A request that is not answered yet."""

    def __init__(self, client: str, asked: object, number: int) -> None:
        self.client = client
        self.asked = asked
        self.number = number
        self.context = contextvars.copy_context()
        """That of the message, so that the answer belongs to it."""
        self.cancelled = False

    def said(self, error: str) -> Answer:
        return Answer(id=self.number, error=error)


def _read(asked: object) -> Request | None:
    """The request; None for nonsense, of which the answer says what is wrong."""
    try:
        return msgspec.convert(asked, Request)
    except msgspec.ValidationError:
        return None
