"""What became of the lines of a traced function: branches not taken, loops unrolled, side effects."""

from __future__ import annotations

import inspect
import logging
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jax_trace_viz

EXACT = sys.version_info >= (3, 12)
"""Whether all lines that run are seen."""
log: list[int] = []
table: dict[str, int] = {}


def marks(function, *calls):
    """The marks of a jitted function's traces: trace number → (kind, text of the line, times, equations)."""
    parameters = inspect.signature(function).parameters
    jitted = jax.jit(function, static_argnames=[name for name in ("n", "flag") if name in parameters])
    with jax_trace_viz.trace() as session:
        for call in calls:
            jitted(**call)
    document = session.document()
    assert document.faults == []
    lines = inspect.getsource(function).splitlines()
    (told,) = [f for f in document.functions if f.name == function.__name__]
    assert told.line is not None
    found: dict[int, list[tuple[str, str, int, int]]] = {}
    for mark in document.line_marks:
        if mark.function == told.id:
            assert mark.at_least == (mark.kind == "unrolled" and not EXACT)
            text = lines[mark.line - told.line].strip()
            found.setdefault(int(mark.trace.partition("#")[2]), []).append(
                (mark.kind, text, mark.times, mark.equations)
            )
    return found


def branches(x, flag):
    if flag:
        x = x * 2
    elif x.ndim:
        x = x + 1
        x = x - 3
    else:
        x = -x
    return x


def test_a_branch_that_was_not_taken_is_told_for_each_trace():
    told = marks(branches, {"x": 1.0, "flag": True}, {"x": 1.0, "flag": False}, {"x": jnp.ones(2), "flag": False})
    assert told == {
        1: [("not_run", "elif x.ndim:", 0, 0)],
        2: [("not_run", "x = x * 2", 0, 0), ("not_run", "x = x + 1", 0, 0)],
        3: [("not_run", "x = x * 2", 0, 0), ("not_run", "x = -x", 0, 0)],
    }


def refuse():
    raise ValueError


def stretches(x, n):
    match n:
        case 0:
            x = x * 3
        case 1 | 2:
            x = x + 1
    try:
        x = x * 2
        if n == 2:
            refuse()
        x = x - 1
    except ValueError:
        x = x + 7
    else:
        x = x + 8
    for i in range(n):
        x = x + i
        if i == 0:
            continue
    else:  # noqa: PLW0120
        x = -x
    if n == 1:
        return x
    return jnp.sin(x)


@pytest.mark.skipif(not EXACT, reason="before Python 3.12 lines are not seen to run")
def test_what_did_not_run_is_told_by_stretches_of_statements():
    told = marks(stretches, {"x": 1.0, "n": 0}, {"x": 1.0, "n": 1}, {"x": 1.0, "n": 2})
    texts = {number: [text for kind, text, *_ in found if kind == "not_run"] for number, found in told.items()}
    assert texts == {
        1: ["x = x + 1", "refuse()", "x = x + 7", "x = x + i", "return x"],
        2: ["x = x * 3", "refuse()", "x = x + 7", "return jnp.sin(x)"],
        3: ["x = x * 3", "x = x - 1", "x = x + 8", "return x"],
    }


def either(x, n, flag):
    if flag and n > 2:
        x = x * 2
    for _ in range(n):
        if n < 9:  # noqa: SIM108
            x = x + 1
        else:
            x = x - 1
    while flag:
        flag = False
    if flag:
        x = x * 4
    return x


def test_a_branch_is_judged_by_names_that_stay_what_they_were():
    told = marks(either, {"x": 1.0, "n": 3, "flag": False})[1]
    missed = [text for kind, text, *_ in told if kind == "not_run"]
    always = ["x = x - 1"]
    # `flag` is bound anew, so that it may be another one by then: Python 3.12 sees the lines themselves.
    assert missed == (["x = x * 2", *always, "flag = False", "x = x * 4"] if EXACT else always)


def ending(x, n):
    for i in range(n):
        x = x + i
    else:  # noqa: PLW0120
        x = x * 2
    return x + 1


def test_what_comes_after_a_loop_is_no_part_of_it():
    assert marks(ending, {"x": 1.0, "n": 2})[1] == [("unrolled", "for i in range(n):", 2, 2)]


def loops(x, n):
    for i in range(n):
        y = jnp.sin(x)
        x = x + y * i
    for i in range(3):
        if i == 1:
            x = jnp.tanh(x)
    while n < 6:
        n += 1
        x = jnp.cos(x)
    return x


def test_a_python_loop_is_told_with_its_rounds_and_equations():
    told = marks(loops, {"x": 1.0, "n": 4}, {"x": 1.0, "n": 2})
    second = [("unrolled", "for i in range(3):", 3, 1)] if EXACT else []
    assert told == {
        1: [("unrolled", "for i in range(n):", 4, 12), *second, ("unrolled", "while n < 6:", 2, 2)],
        2: [("unrolled", "for i in range(n):", 2, 6), *second, ("unrolled", "while n < 6:", 4, 4)],
    }


def short(x, n):
    for i in range(n): x = x + i  # fmt: skip  # noqa: E701
    return [x * k for k in range(4)]


def test_a_loop_on_one_line_is_counted_and_a_comprehension_is_no_loop():
    ((kind, text, times, equations),) = marks(short, {"x": 1.0, "n": 3})[1]
    assert (kind, text.partition(":")[0], times, equations) == ("unrolled", "for i in range(n)", 3, 3)


@pytest.mark.skipif(not EXACT, reason="before Python 3.12 lines are not seen to run")
def test_a_line_with_its_own_loop_ran_as_often_as_there_were_rounds():
    jitted = jax.jit(short, static_argnames="n")
    with jax_trace_viz.trace() as session:
        jitted(1.0, n=3)
    (mark,) = [a for a in session.annotations if a.name == "i"]
    assert mark.runs == 3


def effects(x, n):
    print(
        "tracing",
        n,
    )
    log.append(n)
    own = []
    own.append(x)
    for _ in range(n):
        log.append(0)  # noqa: PERF401
    return x


def test_side_effects_are_told_and_what_stays_inside_is_none(capsys):
    told = marks(effects, {"x": 1.0, "n": 2}, {"x": 1.0, "n": 2}, {"x": 1.0, "n": 3})
    assert capsys.readouterr().out == "tracing 2\ntracing 3\n"
    always = [("side_effect", "print(", 1, 0), ("side_effect", "log.append(n)", 1, 0)]
    for trace, rounds in ((1, 2), (2, 3)):
        inside = [("side_effect", "log.append(0)  # noqa: PERF401", rounds, 0)] if EXACT else []
        assert told[trace] == [*always, *inside]


class Recorder:
    def __init__(self):
        self.seen, self._log = [], logging.getLogger("told")


recorder = Recorder()


def outward(x, n):
    with open(os.devnull, "w") as file:  # noqa: PTH123
        file.write("traced")
    recorder._log.info("traced")
    logging.getLogger("told").debug("traced")
    noise = np.random.normal(size=n)
    began = time.perf_counter()
    recorder.seen[:] = [n]
    first = table.pop("first", None)
    del table["second"]
    own = {"a": 1}
    own.pop("a")
    y = jnp.sum(x + noise)
    return y + (first or 0) + 0 * began


def test_files_logs_clocks_and_numpys_random_numbers_are_side_effects():
    table["second"] = 2
    texts = [text for kind, text, *_ in marks(outward, {"x": 1.0, "n": 2})[1] if kind == "side_effect"]
    assert texts == [
        *(['file.write("traced")'] if EXACT else []),
        'recorder._log.info("traced")',
        'logging.getLogger("told").debug("traced")',
        "noise = np.random.normal(size=n)",
        "began = time.perf_counter()",
        "recorder.seen[:] = [n]",
        'first = table.pop("first", None)',
        'del table["second"]',
    ]


def by_primitive(x, n):
    return jax.lax.fori_loop(0, n, lambda i, c: c * 2, x)


def test_a_loop_primitive_is_no_unrolled_loop():
    assert marks(by_primitive, {"x": 1.0, "n": 50}) == {}


def clipped(x, limit):
    norm = jnp.sqrt(jnp.sum(x**2))
    if norm > limit:
        x = x * limit / norm
    return x


def test_a_line_that_was_not_reached_binds_nothing():
    with jax_trace_viz.trace() as session, pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(clipped)(jnp.ones(3), 1.0)
    first = clipped.__code__.co_firstlineno
    found = {(each.name, each.line - first) for each in session.annotations if each.binding == "local"}
    assert found == {("x", 0), ("limit", 0), ("norm", 1)}


def one_liner(x, y):
    for _ in range(2): x = y * x  # fmt: skip  # noqa: E701
    return x


def test_a_name_that_is_only_read_is_bound_where_it_came_from():
    with jax_trace_viz.trace() as session:
        jax.jit(one_liner)(1.0, 2.0)
    first = one_liner.__code__.co_firstlineno
    found = {each.name: each.line - first for each in session.annotations if each.binding == "local"}
    assert (found["x"], found["y"]) == (1, 0)
