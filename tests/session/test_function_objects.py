"""Function objects made anew: which are traced again for that, and what became of the earlier ones."""

from __future__ import annotations

import pytest

from tests.session.events import Program, key, leaf

A = key(leaf("x", 2))
AGAIN = key(leaf("x", 2), callable=2)


def test_a_new_object_comes_first_and_the_diff_after_it(program: Program) -> None:
    program.trace(A)
    program.trace(key(leaf("x", 3), callable=2))
    assert program.reasons() == ["new_function_object", "new_shape"]


@pytest.mark.parametrize(
    ("calls", "before", "discarded"),
    [
        (None, "one, still there", 0),
        (0, "one, gone by now", 1),
        (1, "one, gone after 1 call", 1),
        (9, "one, gone after 9 calls", 0),
    ],
)
def test_what_became_of_the_earlier_object(program: Program, calls: int | None, before: str, discarded: int) -> None:
    program.trace(A)
    if calls is not None:
        program.let_go(1, calls)
    program.trace(AGAIN)
    trace = program.session.traces[-1]
    assert (trace.reasons[0].before, trace.reasons[0].after, trace.discarded) == (before, "another one", discarded)


@pytest.mark.parametrize(
    ("callable", "user_callable", "reasons"),
    [
        (1, 7, ["new_shape"]),
        (1, 0, ["new_shape"]),
        (0, 7, ["new_shape"]),
        (1, 8, ["new_function_object", "new_shape"]),
        (2, 7, ["new_function_object", "new_shape"]),
    ],
)
def test_what_a_library_jits_and_what_that_runs(
    program: Program, callable: int, user_callable: int, reasons: list[str]
) -> None:
    program.trace(key(leaf("x", 2), user_callable=7))
    program.trace(key(leaf("x", 3), callable=callable, user_callable=user_callable))
    assert program.reasons() == reasons


def test_a_library_that_keeps_its_own_object_runs_another_of_the_users(program: Program) -> None:
    program.trace(key(leaf("x", 2), user_callable=7))
    program.trace(key(leaf("x", 2), user_callable=8))
    trace = program.session.traces[-1]
    assert [(r.kind, r.before, r.after) for r in trace.reasons] == [("new_function_object", "one", "another one")]
    assert (trace.compared_with, trace.discarded) == ("f1#1", 0)


@pytest.mark.parametrize(
    ("gone", "before"), [((), "one, still there"), ((7,), "one, gone by now"), ((7, 1), "one, gone after 3 calls")]
)
def test_what_became_of_what_a_library_jits(program: Program, gone: tuple[int, ...], before: str) -> None:
    program.trace(key(leaf("x", 2), user_callable=7))
    for callable in gone:
        program.let_go(callable, 3)
    program.trace(key(leaf("x", 2), callable=2, user_callable=8))
    assert program.session.traces[-1].reasons[0].before == before
    assert program.session.traces[-1].compared_with == "f1#1"


@pytest.mark.parametrize(("calls", "discarded"), [(2, 1), (3, 0)])
def test_an_object_that_was_called_a_few_times_was_hardly_worth_its_trace(
    program: Program, calls: int, discarded: int
) -> None:
    program.trace(A)
    program.let_go(1, calls)
    program.trace(AGAIN)
    assert program.session.traces[-1].discarded == discarded
