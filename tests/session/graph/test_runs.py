"""Repetitions."""

from __future__ import annotations

import time

import pytest

from jax_trace_viz.session.graph.records import Program
from jax_trace_viz.session.graph.runs import Stretch, cut, repeats
from jax_trace_viz.session.graph.tree import Level
from tests.session.graph.support import jaxpr, tape


def stretches(word: str) -> list[tuple[int, int, int]]:
    """Repetitions in a sequence of equations, one letter for each primitive."""
    made = jaxpr("j1", 1, [f"{k + 1} = {letter} {k}" for k, letter in enumerate(word)], [len(word)])
    level = Level(Program(tape(made)), made)
    found: list[Stretch] = repeats(level, cut(level, 0, len(word), 0))
    assert sum(one.period * one.copies for one in found) == len(word)
    return [(one.first, one.period, one.copies) for one in found if one.copies > 1]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("abcdef", []),
        ("aaaaaa", [(0, 1, 6)]),
        ("xabcabcabcy", [(1, 3, 3)]),
        ("abababxcdcdcd", [(0, 2, 3), (7, 2, 3)]),
        ("abcdabcd", [(0, 4, 2)]),
        ("aab", []),
        ("abab", []),
    ],
)
def test_repetitions(word: str, expected: list[tuple[int, int, int]]) -> None:
    assert stretches(word) == expected


def test_two_long_halves_that_differ_at_the_end_take_no_quadratic_time() -> None:
    half = "".join(chr(ord("a") + k * k * 7 % 26) for k in range(4000))
    started = time.process_time()
    stretches(f"{half}x{half}y")
    assert time.process_time() - started < 5
