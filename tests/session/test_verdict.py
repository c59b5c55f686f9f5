"""The verdict answers first, in words."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.environment import Environment, Outcome
from jax_trace_viz.contract.events import CallsUnseen, EnvironmentSeen, RunAdvanced, StaleSeen
from jax_trace_viz.session import Session
from jax_trace_viz.session.front_end.view import update
from jax_trace_viz.session.verdict import is_notable, verdict
from tests.session.events import Program, key, leaf, static

X8, X9, X10 = (key(leaf("x", size)) for size in (8, 9, 10))


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define(name="train_step")
    return program


def said(program: Program) -> str:
    return verdict(program.session.document(Outcome()), "ok")


def test_retraces_with_cost_and_cause(program: Program) -> None:
    for each in (X8, X9, X10):
        program.call(each)
    assert said(program) == (
        "train_step was traced 3×: 2 retraces cost 5.5 s. Cause: x changed shape f32[8] → f32[9] → f32[10]."
    )


def test_the_costliest_function_is_named_and_the_others_counted(program: Program) -> None:
    program.define(2, "evaluate")
    for number, seconds in ((1, 1.0), (2, 9.0)):
        program.trace(X8, number)
        program.trace(X9, number, seconds=seconds)
    assert said(program).startswith("evaluate was traced twice: 1 retrace cost 9.0 s.")
    assert said(program).endswith("1 other function was retraced.")


def test_several_causes(program: Program) -> None:
    program.trace(X8)
    program.trace(X9, seconds=1.0)
    program.trace(key(leaf("x", 9, dtype="i32")), seconds=5.0)
    assert "Main cause: x changed dtype f32[9] → i32[9], and 1 more cause." in said(program)


def test_all_that_changed_in_each_retrace_is_the_cause(program: Program) -> None:
    for size, rate in ((8, 0.1), (9, 0.2), (10, 0.3)):
        program.call(key(leaf("x", size), leaf("y", size), statics=(static("lr", rate),)))
    assert said(program) == (
        "train_step was traced 3×: 2 retraces cost 5.5 s. Cause: x changed shape f32[8] → f32[9] → f32[10] "
        "(as did y) and static value lr changed 0.1 → 0.2 → 0.3."
    )
    (finding,) = program.session.findings
    assert finding.text.endswith("f32[10] (as did y) and static value lr changed 0.1 → 0.2 → 0.3.")
    assert "Pad `x` and `y` to one shape" in (finding.fix or "")
    assert "`lr` changed too. Every value of `lr` is a program of its own." in (finding.fix or "")


def test_one_type_that_changed_in_two_ways_is_told_once(program: Program) -> None:
    program.call(key(leaf("x", 8, weak=True)))
    program.call(key(leaf("x", 9, dtype="i32")))
    assert said(program).endswith("Cause: x changed shape f32[8]~ → i32[9].")


def test_the_main_cause_is_the_one_without_which_most_is_saved(program: Program) -> None:
    program.trace(key(leaf("x", 8), statics=(static("lr", 1), static("n", 1))))
    program.trace(key(leaf("x", 9), statics=(static("lr", 2), static("n", 1))), seconds=3.0)
    program.trace(key(leaf("x", 9), statics=(static("lr", 3), static("n", 1))), seconds=1.0)
    both = "Cause: x changed shape f32[8] → f32[9] and static value lr changed 1 → 2."
    assert said(program).endswith(both), "who sees to both sees to the second retrace as well"
    program.trace(key(leaf("x", 9), statics=(static("lr", 3), static("n", 2))), seconds=1.0)
    assert said(program).endswith(f"Main {both[0].lower()}{both[1:-1]}, and 1 more cause.")


def test_what_changed_along_in_some_of_the_retraces_is_told_as_such(program: Program) -> None:
    for size, rate in ((8, 1), (9, 2), (10, 2)):
        program.trace(key(leaf("x", size), statics=(static("lr", rate),)))
    assert said(program).endswith(
        "Cause: x changed shape f32[8] → f32[9] → f32[10] and at times static value lr changed 1 → 2."
    )


def test_one_trace(program: Program) -> None:
    program.call(X8)
    program.count(11)
    assert said(program) == "train_step was traced once, compiled once (2.8 s); 11 calls were cache hits."


def test_several_functions(program: Program) -> None:
    program.define(2, "evaluate")
    program.call(X8)
    program.call(X8, 2)
    assert said(program) == "2 functions were traced, none retraced (5.5 s); train_step cost most."


def test_what_was_only_compiled_costs_too(program: Program) -> None:
    """As a function that an earlier cell traced."""
    program.define(2, "evaluate")
    program.compile(function=2)
    program.call(X8)
    assert said(program) == "train_step was traced once, compiled once (2.8 s). evaluate was only compiled (2.2 s)."
    program.define(3, "loss")
    program.compile(function=3)
    assert said(program).endswith(" 2 more functions were only compiled (4.5 s).")
    program.define(4, "last")
    program.trace(X8, 4)
    assert said(program) == (
        "2 functions were traced, none retraced, 2 more only compiled (7.8 s); train_step cost most."
    )


def test_several_functions_that_cost_nothing(program: Program) -> None:
    program.define(2, "evaluate")
    for number in (1, 2):
        program.trace(X8, number, seconds=0.0)
    program.trace(X9, seconds=0.0, entry="eval_shape")
    assert said(program) == "2 functions were traced (0.0 ms); train_step first."


def test_only_hits(program: Program) -> None:
    program.count(1)
    assert said(program) == "The only call was a cache hit: nothing was traced."
    program.count(11)
    assert said(program) == "All 12 calls were cache hits: nothing was traced."


def test_compiled_again_without_a_trace(program: Program) -> None:
    def on(device: str) -> object:
        return key(leaf("x", 8, placement=device, committed=True))

    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=on("cpu:1"))
    assert said(program).endswith(
        "Compiled again without a trace: x changed sharding or device cpu:0, committed → cpu:1, committed."
    )


@pytest.mark.parametrize(("seconds", "is_first"), [(1.0, True), (9.0, False)])
def test_what_was_compiled_again_comes_first_where_it_cost_more_than_the_retraces(
    program: Program, seconds: float, is_first: bool
) -> None:
    def on(device: str) -> object:
        return key(leaf("x", 8, placement=device, committed=True))

    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=on("cpu:1"))
    program.trace(X9, seconds=seconds)
    again = (
        "train_step was compiled again without a trace (2.2 s): "
        "x changed sharding or device cpu:0, committed → cpu:1, committed. "
    )
    retraced = f"train_step was traced twice: 1 retrace cost {seconds:.1f} s."
    assert said(program).startswith((again if is_first else "") + retraced)


def test_traces_that_were_asked_for_are_no_retraces(program: Program) -> None:
    program.call(X8)
    program.trace(X9, entry="make_jaxpr")
    program.trace(X10, entry="aot_lower")
    assert said(program) == (
        "train_step was traced 3×, compiled once (3.8 s). "
        "train_step was traced again because x changed shape f32[9] → f32[10]."
    )
    assert not is_notable(program.session.document(Outcome()))
    program.define(2, "evaluate")
    program.call(X8, 2)
    assert said(program).startswith("2 functions were traced (6.5 s); train_step cost most. train_step was traced aga")


def test_nothing_jitted() -> None:
    program = Program()
    assert said(program) == "No jitted function ran."
    program.define(1, "add", origin="library")
    assert said(program) == "No jitted function ran."
    program.compile()
    assert (
        said(program)
        == "No jitted function of yours ran; JAX compiled 1 program for single operations or inside libraries (2.2 s)."
    )


def test_objects_that_are_all_kept_are_counted(program: Program) -> None:
    for number in (1, 2, 3):
        program.call(key(leaf("x", 8), callable=number))
    assert said(program).startswith("train_step was traced 3× for 3 function objects, compiled 3× (")


def test_a_body_without_jit(program: Program) -> None:
    for _ in range(4):
        program.trace(X8, kind="grad")
    assert said(program) == "train_step was traced 4×: outside jit nothing keeps a trace."


def test_a_body_that_ran_under_a_jit_as_well_is_not_called_outside_of_one(program: Program) -> None:
    program.trace(X8)
    for _ in range(3):
        program.trace(X8, kind="grad")
    assert said(program) == (
        "train_step was traced 4×, 3× under grad, which keeps no trace; a jit around the whole would."
    )


def test_a_body_under_a_library_s_jit_is_not_called_outside_of_one(program: Program) -> None:
    for _ in range(2):
        program.trace(X8, kind="value_and_grad")
    program.define(2, "train_step", origin="library")
    program.compile(function=2)
    assert said(program).startswith("train_step was traced twice (")


def test_thousands_stand_apart(program: Program) -> None:
    program.count(12_176)
    assert said(program) == "All 12,176 calls were cache hits: nothing was traced."


def test_while_it_runs(program: Program) -> None:
    program.call(X8)
    began = program.begin(X9)
    program.session.apply(RunAdvanced(run=began.run, equations=31, line=12))
    document = program.session.document()
    text = verdict(document, "running", 1.25)
    assert text == "Recording · 2 traces · 1 retrace · 1.2 s · tracing train_step: 31 equations"


def test_the_sum_of_a_functions_causes_decides_which_is_named(program: Program) -> None:
    for number, name, seconds in ((2, "evaluate", (3.0, 3.0)), (3, "predict", (4.0, 0.5))):
        program.define(number, name)
        program.trace(X8, number)
        program.trace(X9, number, seconds=seconds[0])
        program.trace(key(leaf("x", 9, dtype="i32")), number, seconds=seconds[1])
    program.trace(X8)
    program.trace(X9, seconds=1.0)
    assert said(program).startswith("evaluate was traced 3×: 2 retraces cost 6.0 s.")
    assert said(program).endswith("2 other functions were retraced.")


def test_a_compilation_without_any_trace(program: Program) -> None:
    earlier = Program(Session(history=program.session.history))
    earlier.define(name="train_step")

    def on(device: str) -> object:
        return key(leaf("x", 8, placement=device, committed=True))

    program.compile(program.trace(on("cpu:0")))
    for device in ("cpu:1", "cpu:2"):
        earlier.compile(None, key=on(device))
        earlier.count(1)
    assert said(earlier) == (
        "Nothing was traced, but 2 programs were compiled anew (4.5 s). Compiled again without a trace: "
        "x changed sharding or device cpu:0, committed → cpu:1, committed."
    )


def test_hits_with_values_that_had_changed(program: Program) -> None:
    began = program.trace(X8)
    program.count(2)
    line = Place(file="main.py", line=12)

    def change(name: str) -> None:
        seen = StaleSeen(function=1, run=began.run, name=name, kind="value", before="1", after="2", place=line)
        program.session.apply(seen)

    change("w")
    first = "But `w` changed 1 → 2 after `train_step` was traced; the cached program was made with 1."
    assert said(program).endswith(f"2 calls were cache hits. {first}")
    change("b")
    assert said(program).endswith(f"{first} 1 more value changed.")
    change("c")
    assert said(program).endswith(f"{first} 2 more values changed.")


def test_where_traces_cannot_be_watched_nobody_says_that_there_were_none(program: Program) -> None:
    old = Environment(python="3.12.0", jax="0.4.30", limited=["bodies", "staging", "dispatch"])
    program.session.apply(EnvironmentSeen(environment=old))
    program.compile()
    program.session.finish(Outcome())
    for text in (said(program), update(program.session).verdict):
        assert text == (
            "JAX 0.4.30 traces in a way that this version of jax_trace_viz does not know, so nothing can be said of "
            "what ran. It knows JAX 0.6.2 to 0.12: upgrade the older of the two."
        )


@pytest.mark.parametrize(("place", "since"), [(Place(file="main.py", line=3), " (line 3)"), (None, "")])
def test_calls_that_nobody_sees(program: Program, place: Place | None, since: str) -> None:
    program.session.apply(CallsUnseen(what="pmap", place=None))
    program.session.apply(CallsUnseen(what="disable_jit", place=place))
    assert said(program) == f"No jitted function ran. Calls under jax.disable_jit{since} are not seen."


def test_a_trace_that_was_not_compiled_and_one_hit(program: Program) -> None:
    program.trace(X8)
    program.count(1)
    assert said(program) == "train_step was traced once (0.5 s); 1 call was a cache hit."
