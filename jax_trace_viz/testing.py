"""For users' own tests: a function that is traced too often fails the test, and the failure says why."""

from __future__ import annotations

import inspect
import operator
from contextlib import ContextDecorator
from typing import TYPE_CHECKING, Any

from jax_trace_viz.api import Recording, start_recording
from jax_trace_viz.exports import why_text
from jax_trace_viz.outcome import outcome_of
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from jax_trace_viz.api import RecordedSession
    from jax_trace_viz.contract.document import Function


def assert_max_traces(most: int, function: str | None = None) -> MaxTraces:
    """Fails if a function of yours is traced more than `most` times inside the block.

    It may stand in a `with` statement, which yields the session, or before a test function. Only runs of a body that
    JAX caused count, not plain calls.

    Args:
        most: How many traces of one function are fine; 0 where everything should be cached already.
        function: Name or qualified name of the function that counts; each by itself if not given.

    Raises:
        AssertionError: A function was traced more often. The message gives the reason of each trace.
        LookupError: `function` was not called or traced at all, so nothing was checked.
        ValueError: `most` is negative.
        TypeError: `most` is no whole number, or this stands before a coroutine or generator function, whose body runs
            when nobody counts any more.
    """
    try:
        most = operator.index(most)
    except TypeError:
        raise TypeError(f"most must be a whole number of traces, not {most!r}: assert_max_traces(1)") from None
    if most < 0:
        raise ValueError(f"most must be 0 or more, not {most}")
    return MaxTraces(most, function)


class MaxTraces(ContextDecorator):
    """See `assert_max_traces`."""

    def __init__(self, most: int, function: str | None) -> None:
        self._most = most
        self._function = function
        self._recordings: list[Recording] = []

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Counts during each call of a test function."""
        kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
        if any(is_kind(func) for is_kind in kinds):
            name = getattr(func, "__qualname__", "this function")
            raise TypeError(f"{name} returns before its body runs: use `with assert_max_traces(…):` inside of it.")
        return super().__call__(func)

    def __enter__(self) -> RecordedSession:
        """Starts to count."""
        self._recordings.append(start_recording())
        return self._recordings[-1].session

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Fails if there were too many; an exception of the block's own comes through instead."""
        recording = self._recordings.pop()
        try:
            recording.stop(outcome_of(error))
        finally:
            recording.stop()  # an interrupt may have come before the other began
        if error is None:
            self._check(recording.session)

    def _check(self, session: RecordedSession) -> None:
        users = [function for function in session.functions if function.origin == "user"]
        counted = [f for f in users if self._function in (None, f.name, f.qualname)]
        if self._function is not None and not counted:
            raise LookupError(_not_seen(session, self._function))
        too_many = [each for each in counted if each.traces > self._most]
        if too_many:
            raise AssertionError("\n\n".join(_message(session, each, self._most) for each in too_many))


def _not_seen(session: RecordedSession, function: str) -> str:
    if any(unseen.what == "disable_jit" for unseen in session.document().unseen):
        return f"{function} was not counted: with jax.disable_jit, calls of jitted functions cannot be seen."
    return f"{function} was neither called nor traced in this block, so its traces were not counted."


def _message(session: RecordedSession, function: Function, most: int) -> str:
    limit = "not at all" if most == 0 else f"at most {count_text(most, 'time')}"
    counted = f"{function.qualname} was traced {count_text(function.traces, 'time')}, and should be {limit}."
    return f"{counted}\n\n{why_text.why(session.document(), function.id).rstrip()}"
