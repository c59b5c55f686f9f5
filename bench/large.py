"""A program of some 50 000 equations: traced plain and recorded, and its first pictures."""

from __future__ import annotations

import time

import jax

from bench import measures, pictures, programs
from bench.results import Result, ratio


def _seconds() -> float:
    function, arguments = programs.scopes()
    with measures.without_collector():
        began = time.process_time()
        jax.jit(function).trace(*arguments)
        return time.process_time() - began


def tracing(rounds: int) -> list[Result]:
    """Processor time of the process, our threads counted."""
    plain, recorded = measures.plain_and_recorded(rounds, _seconds)
    return [ratio("tracing 46,000 equations / plain, our threads counted", recorded, plain)]


def first_pictures() -> list[Result]:
    """From the jaxpr to its first SVG, each in a fresh process."""
    rows: list[Result] = []
    for name, goal in pictures.GOALS.items():
        figures = None if goal is None else pictures.in_fresh_process(name, None)
        if goal is not None and figures is not None:
            words = f"{figures.equations:,} equations, {figures.boxes} boxes, {figures.kilobytes:.0f} kB"
            seconds = figures.written + figures.drawn
            rows.append(Result(f"first picture: {name}", seconds, "s", goal.seconds, words))
    return rows
