"""For users' own tests: a function that is traced too often fails the test, and the failure says why."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from jax_trace_viz.api import trace
from jax_trace_viz.exports import why_text
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Generator

    from jax_trace_viz.api import Session
    from jax_trace_viz.contract.document import Function


@contextmanager
def assert_max_traces(most: int, function: str | None = None) -> Generator[Session]:
    """Fails if a function of yours is traced more than `most` times inside the block.

    It may stand in a `with` statement or before a test function. Only runs of a body that JAX caused count, not plain
    calls.

    Args:
        most: How many traces of one function are fine; 0 where everything should be cached already.
        function: Name or qualified name of the function that counts; each by itself if not given.

    Yields:
        The session.

    Raises:
        AssertionError: A function was traced more often. The message gives the reason of each trace.
        LookupError: `function` was not called or traced at all, so nothing was checked.
        ValueError: `most` is negative.
    """
    if most < 0:
        raise ValueError(f"most must be 0 or more, not {most}")
    with trace() as session:
        yield session
    counted = [f for f in session.functions if f.origin == "user" and function in (None, f.name, f.qualname)]
    if function is not None and not counted:
        raise LookupError(f"{function} was neither called nor traced in this block, so its traces were not counted.")
    too_many = [each for each in counted if each.traces > most]
    if too_many:
        raise AssertionError("\n\n".join(_message(session, each, most) for each in too_many))


def _message(session: Session, function: Function, most: int) -> str:
    limit = "not at all" if most == 0 else f"at most {count_text(most, 'time')}"
    counted = f"{function.qualname} was traced {count_text(function.traces, 'time')}, and should be {limit}."
    return f"{counted}\n\n{why_text.why(session.document(), function.id).rstrip()}"
