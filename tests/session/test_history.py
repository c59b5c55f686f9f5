"""What is remembered of earlier traces, and how much of it."""

from __future__ import annotations

from jax_trace_viz.session import History
from jax_trace_viz.session.reasons.history import GONE_REMEMBERED


def test_the_first_that_went_are_forgotten_first() -> None:
    history = History()
    for number in range(GONE_REMEMBERED):
        history.end(number, calls=number)
    assert history.calls_before_end(0) == 0
    history.end(GONE_REMEMBERED, calls=5)
    assert history.calls_before_end(0) is None
    assert (history.calls_before_end(1), history.calls_before_end(GONE_REMEMBERED)) == (1, 5)
