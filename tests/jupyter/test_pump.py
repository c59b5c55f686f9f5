"""The thread that tells what is going on."""

from __future__ import annotations

import contextvars
import threading
import time

from jax_trace_viz.jupyter.stream import Pump

CELL = contextvars.ContextVar("cell", default="none")


def wait_for(condition) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_it_steps_in_the_context_of_its_cell_until_it_is_stopped():
    seen = []
    CELL.set("the cell")
    pump = Pump(lambda: seen.append(CELL.get()), seen.append)
    CELL.set("the next cell")
    wait_for(lambda: len(seen) > 2)
    pump.stop()
    count = len(seen)
    time.sleep(0.3)
    assert set(seen) == {"the cell"}
    assert len(seen) == count


def test_a_step_that_costs_much_is_followed_by_a_long_pause():
    begun = []

    def step() -> None:
        begun.append(time.monotonic())
        end = time.thread_time() + 0.05
        while time.thread_time() < end:
            pass

    pump = Pump(step, begun.append)
    wait_for(lambda: len(begun) > 1)
    pump.stop()
    assert begun[1] - begun[0] >= 1.0


def test_three_failures_end_it():
    failures = []

    def step() -> None:
        raise ValueError(len(failures))

    pump = Pump(step, failures.append)
    wait_for(lambda: "jax_trace_viz-live" not in {thread.name for thread in threading.enumerate()})
    pump.stop()
    assert [error.args for error in failures] == [(0,), (1,), (2,)]
