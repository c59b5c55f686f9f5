"""Definitions that ran again: a cell that was edited or run once more, a module reloaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jax_trace_viz.session import History, Session
from tests.session.events import Program, key, leaf

if TYPE_CHECKING:
    from jax_trace_viz.contract.key import Key

A, B = key(leaf("x", 2)), key(leaf("x", 3))
AGAIN = key(leaf("x", 2), callable=2)


CELL = "/ipykernel_1/{}.py"


def cell(history: History, file: str, this: Key, number: int = 1, version: int = 1) -> Program:
    """Runs a cell that defines f and calls it, recorded in a session of its own."""
    program = Program(Session(history=history))
    program.define(number, file=file)
    program.trace(this, number, version=version)
    return program


def test_an_edited_cell_defines_a_function_anew() -> None:
    history = History()
    cell(history, CELL.format(1), A)
    second = cell(history, CELL.format(2), AGAIN, number=2)
    (reason,) = second.session.traces[0].reasons
    assert reason.kind == "function_redefined"
    assert (reason.before, reason.after) == (f"{CELL.format(1)}:10", f"{CELL.format(2)}:20")
    assert second.session.traces[0].compared_with is None, "ids hold in their own session only"


def test_a_cell_run_again_is_no_loop() -> None:
    history = History()
    cell(history, CELL.format(1), A)
    second = cell(history, CELL.format(1), AGAIN, version=2)
    assert second.reasons() == ["function_redefined"]
    second.trace(key(leaf("x", 2), callable=3), version=2)
    assert second.reasons() == ["new_function_object"], "made anew within one run of the cell"


def test_a_partial_of_an_earlier_cells_function_is_a_new_object() -> None:
    history = History()
    cell(history, CELL.format(1), A)
    second = Program(Session(history=history))
    second.define(file=CELL.format(1))
    second.trace(AGAIN)
    assert second.reasons() == ["new_function_object"]


def test_the_next_cell_is_compared_with_the_one_before() -> None:
    history = History()
    cell(history, CELL.format(1), A)
    second = Program(Session(history=history))
    second.define(file=CELL.format(1))
    second.trace(B)
    assert second.reasons() == ["new_shape"]


def test_other_code_put_into_the_same_object_leaves_its_traces(program: Program) -> None:
    program.trace(A)
    program.trace(B, version=2)
    assert program.reasons() == ["new_shape"], "as autoreload does it: the object is JAX's key"


def test_a_module_executed_again_defines_its_functions_anew(program: Program) -> None:
    program.trace(A)
    program.trace(AGAIN, version=2)
    (reason,) = program.session.traces[-1].reasons
    assert (reason.kind, reason.before, reason.after) == ("function_redefined", None, None), "the text is the same"
    program.trace(key(leaf("x", 3), callable=2), version=2)
    assert program.reasons() == ["new_shape"]


def test_a_reloaded_module_defines_a_function_anew(program: Program) -> None:
    program.trace(A)
    program.define(2, line=12, end_line=18)
    program.trace(AGAIN, 2)
    assert program.reasons() == ["function_redefined"]
    assert program.session.traces[-1].compared_with == "f1#1"


@pytest.mark.parametrize(
    "other",
    [
        {"line": 50, "end_line": 60},
        {"line": 12, "end_line": 18, "qualname": "g.<locals>.<lambda>"},
        {"line": 12, "end_line": 18, "file": "other.py"},
    ],
)
def test_another_function_of_the_same_name_is_a_first_call(program: Program, other: dict[str, object]) -> None:
    program.define(3, qualname="g.<locals>.<lambda>", line=10, end_line=15)
    program.trace(A)
    program.trace(A, 3)
    program.define(2, **other)
    program.trace(AGAIN, 2)
    assert program.reasons() == ["first_call"]
