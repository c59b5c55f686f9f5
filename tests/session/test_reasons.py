"""Why a body ran: on streams written by hand."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.document import TraceError
from jax_trace_viz.contract.events import CachesCleared
from jax_trace_viz.contract.key import Key, Leaf
from jax_trace_viz.session.reasons import keys
from jax_trace_viz.session.reasons import nearest as nearest_key
from jax_trace_viz.session.reasons.why_traced import context_text
from jax_trace_viz.session.wording import reason_text
from tests.session.events import Program, key, leaf, static

A, B = key(leaf("x", 2)), key(leaf("x", 3))
AGAIN = key(leaf("x", 2), callable=2)


def test_nothing_stands_beside_a_first_call(program: Program) -> None:
    program.trace(A)
    assert program.reasons() == ["first_call"]
    assert program.session.traces[0].compared_with is None


def test_the_nearest_key_is_compared_not_the_last(program: Program) -> None:
    near = key(leaf("x", 2), leaf("y", 2))
    program.trace(near)
    program.trace(key(leaf("x", 9, dtype="i32"), leaf("y", 9)))
    program.trace(key(leaf("x", 2), leaf("y", 3)))
    trace = program.session.traces[-1]
    assert trace.compared_with == "f1#1"
    assert [(r.kind, r.path) for r in trace.reasons] == [("new_shape", "y")]


def test_a_rule_runs_each_time(program: Program) -> None:
    for _ in range(2):
        program.trace(A, kind="custom_vjp_bwd")
    (reason,) = program.session.traces[-1].reasons
    assert (reason.kind, reason.after) == ("uncached_transform", "custom_vjp_bwd")


def test_an_equal_key_of_a_known_object_is_not_explained_by_another(program: Program) -> None:
    for _ in range(2):
        program.trace(A, kind="scan")
    assert program.reasons() == ["unknown"]
    for _ in range(2):
        program.trace(key(leaf("x", 2), callable=0))
    assert program.reasons() == ["unknown"], "jit's cache is no such cache"


def test_transformations_are_told_from_the_outermost_on(program: Program) -> None:
    program.trace(key(leaf("x", 2), wrappers=("vmap", "grad")))
    program.trace(A)
    (reason,) = program.session.traces[-1].reasons
    assert (reason.before, reason.after) == ("vmap of grad under jit", "jit")


CALL = key(leaf("params", 2), leaf("args[0]", 3))


@pytest.mark.parametrize(
    ("sees", "outer", "told"),
    [
        (leaf("x", 3), key(leaf("params", 4), leaf("args[0]", 3)), [("new_shape", "params")]),
        (leaf("x", 5), key(leaf("params", 2), leaf("args[0]", 5)), [("new_shape", "x")]),
        (leaf("x", 5), key(leaf("params", 4), leaf("args[0]", 5)), [("new_shape", "params"), ("new_shape", "args[0]")]),
        (leaf("x", 3), CALL, [("unknown", None)]),
    ],
)
def test_what_a_librarys_callable_takes_is_the_cause(
    program: Program, sees: Leaf, outer: Key, told: list[tuple[str, str | None]]
) -> None:
    program.trace(key(leaf("x", 3), outer=CALL))
    program.trace(key(sees, outer=outer))
    assert [(reason.kind, reason.path) for reason in program.session.traces[-1].reasons] == told


@pytest.mark.parametrize(("size", "told"), [(3, ["kwargs_signature"]), (4, ["new_shape"])])
def test_how_a_wrapper_was_called_is_told_where_nothing_else_differs(
    program: Program, size: int, told: list[str]
) -> None:
    program.trace(key(leaf("x", 3), outer=Key(callable=0, positional=1)))
    program.trace(key(leaf("x", size), outer=Key(callable=0, positional=2)))
    assert program.reasons() == told


def test_other_wrappers_are_another_context(program: Program) -> None:
    program.trace(key(leaf("x", 2), wrappers=("vmap",)))
    program.trace(AGAIN)
    trace = program.session.traces[-1]
    assert [(r.kind, r.before, r.after) for r in trace.reasons] == [("new_transform_context", "vmap under jit", "jit")]


def test_scan_has_a_cache_of_its_own(program: Program) -> None:
    program.trace(A)
    program.trace(A, kind="scan")
    assert program.reasons() == ["new_transform_context"]


@pytest.mark.parametrize("function", [1, None])
def test_an_equal_key_after_clearing(program: Program, function: int | None) -> None:
    program.trace(A)
    program.session.apply(CachesCleared(function=function))
    program.trace(A)
    assert program.reasons() == ["cache_cleared"]
    program.trace(A)
    assert program.reasons() == ["unknown"], "the trace made since is not cleared"


def test_clearing_another_function_explains_nothing(program: Program) -> None:
    program.define(2, "g")
    program.trace(A)
    program.session.apply(CachesCleared(function=2))
    program.trace(A)
    assert program.reasons() == ["unknown"]


def test_clearing_is_no_reason_where_the_key_differs(program: Program) -> None:
    program.trace(A)
    program.session.apply(CachesCleared(function=None))
    program.trace(B)
    assert program.reasons() == ["new_shape"]


def test_an_equal_key_of_an_unseen_object_is_another_object(program: Program) -> None:
    for _ in range(2):
        program.trace(key(leaf("x", 2), callable=0), kind="scan")
    assert program.reasons() == ["new_function_object"]


def test_a_body_under_an_unjitted_transformation(program: Program) -> None:
    program.trace(A, kind="grad")
    assert program.reasons() == ["first_call"]
    program.trace(B, kind="grad")
    assert program.reasons() == ["uncached_transform"]
    program.trace(A, kind="vmap")
    assert program.reasons() == ["new_transform_context"]


@pytest.mark.parametrize("entry", ["make_jaxpr", "eval_shape", "aot_lower"])
def test_the_entry_comes_first(program: Program, entry: str) -> None:
    program.trace(A, entry=entry)
    assert program.reasons() == [entry]
    program.trace(B, entry=entry)
    assert program.reasons() == [entry, "new_shape"]


@pytest.mark.parametrize("kind", ["cond", "switch"])
def test_a_branch_is_a_branch_first(program: Program, kind: str) -> None:
    program.trace(A, kind=kind)
    assert program.reasons() == ["branch_trace"]


def test_a_helper_counts_in_no_total_and_is_compared_with_nothing(program: Program) -> None:
    program.trace(A, kind="call")
    program.trace(A)
    assert [trace.id for trace in program.session.traces] == ["f1/call1", "f1#1"]
    assert program.reasons(0) == ["called_by_traced_function"]
    assert program.reasons(1) == ["first_call"]
    assert program.session.functions[0].traces == 1


def test_what_failed_left_nothing_to_compare_with(program: Program) -> None:
    program.end(program.begin(A), error=TraceError(type="TypeError", message="no"))
    program.trace(B)
    assert program.reasons() == ["first_call"]
    assert program.session.traces[-1].reasons[0].before == "the trace before ended with TypeError"


def test_a_trace_that_is_going_on_is_compared_with(program: Program) -> None:
    program.begin(A)
    program.begin(B)
    assert program.reasons() == ["new_shape"]


def test_a_long_history_stays_bounded(program: Program) -> None:
    for size in range(500):
        program.trace(key(leaf("x", size)))
    past = program.session.history.of(1).traces
    assert len(past) <= 300
    program.trace(key(leaf("x", 499), leaf("y")))
    assert program.session.traces[-1].compared_with == "f1#500"


def test_a_caller_named_among_the_wrappers_is_not_told_twice(program: Program) -> None:
    program.trace(key(leaf("x", 2), wrappers=("scan",)), kind="scan")
    program.trace(key(leaf("x", 2), wrappers=("linearize",)), kind="linearize")
    (reason,) = program.session.traces[-1].reasons
    assert (reason.before, reason.after) == ("scan", "linearize")


UNDESCRIBED = Key(callable=0, described=False)


def test_a_call_that_could_not_be_looked_at_is_compared_with_nothing(program: Program) -> None:
    program.trace(A)
    program.trace(UNDESCRIBED)
    trace = program.session.traces[-1]
    assert ([reason.kind for reason in trace.reasons], trace.compared_with) == (["unknown"], None)
    program.trace(B)
    assert (program.reasons(), program.session.traces[-1].compared_with) == (["new_shape"], "f1#1")


def test_after_calls_that_could_not_be_looked_at_nothing_is_known(program: Program) -> None:
    program.compile(program.trace(UNDESCRIBED))
    program.compile(program.trace(A))
    assert program.reasons() == ["unknown"]
    program.compile(None, key=UNDESCRIBED)
    assert [reason.kind for reason in program.session.compilations[-1].reasons] == ["unknown"]


def test_an_equal_key_far_back_is_found(program: Program) -> None:
    for size in range(60):
        program.trace(key(leaf("x", size)))
    program.session.apply(CachesCleared(function=None))
    program.trace(key(leaf("x", 7)))
    assert (program.reasons(), program.session.traces[-1].compared_with) == (["cache_cleared"], "f1#8")


def test_many_traces_are_not_all_compared_with_each_other(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    diffs = 0
    original = keys.diff_trace_parts

    def counted(new: Key, old: Key) -> keys.Diff:
        nonlocal diffs
        diffs += 1
        return original(new, old)

    monkeypatch.setattr(nearest_key.nearest, "__defaults__", (counted, 0))
    for size in range(200):
        program.trace(key(leaf("x", size)))
    assert 0 < diffs < 2 * 200


def test_what_is_not_known_carries_both_keys(program: Program) -> None:
    first = key(leaf("x", 2), statics=(static("mode", "up"),), keywords=("mode",), context={"jax_enable_x64": "True"})
    program.trace(first)
    program.trace(first)
    (reason,) = program.session.traces[-1].reasons
    text = "x: f32[2], mode='up' (static), 1 positional and mode=, jax_enable_x64=True"
    assert (reason.kind, reason.before, reason.after) == ("unknown", text, text)
    assert reason_text(reason) == f"reason not known; all that is compared is as it was: {text}"


def test_what_was_traced_before_the_recording_is_no_first_call(program: Program) -> None:
    program.trace(A, held_before=True)
    (reason,) = program.session.traces[-1].reasons
    assert (reason.kind, reason.before, reason.after) == ("unknown", "traced before this recording", "x: f32[2]")
    assert reason_text(reason) == "reason not known; before: traced before this recording; now: x: f32[2]"


@pytest.mark.parametrize(
    ("context", "text"),
    [
        (("jit",), "jit"),
        (("jit", "vmap", "grad"), "vmap of grad under jit"),
        (("grad", "jvp", "custom_jvp_rule"), "grad of jvp"),
        (("custom_vjp_bwd",), "custom_vjp_bwd"),
    ],
)
def test_the_rule_of_a_derivative_is_told_by_what_is_around_it(context: tuple[str, ...], text: str) -> None:
    assert context_text(context) == text
