"""Why XLA compiled."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.events import CachesCleared
from jax_trace_viz.contract.key import Key, Leaf
from tests.session.events import Program, key, leaf, static


def reasons(program: Program) -> list[str]:
    return [reason.kind for reason in program.session.compilations[-1].reasons]


def on(device: str, **more: object) -> object:
    return key(leaf("x", 2, placement=device, committed=True), **more)


def test_a_compilation_repeats_the_reasons_of_its_trace(program: Program) -> None:
    program.call(key(leaf("x", 2)))
    assert reasons(program) == ["first_call"]
    program.call(key(leaf("x", 3)))
    compilation = program.session.compilations[-1]
    assert (compilation.id, compilation.trace, reasons(program)) == ("c2", "f1#2", ["new_shape"])


def test_how_a_trace_was_asked_for_is_no_reason_to_compile(program: Program) -> None:
    program.compile(program.trace(key(leaf("x", 2)), entry="aot_lower"))
    assert reasons(program) == ["first_call"]
    program.compile(program.trace(key(leaf("x", 3)), entry="eval_shape"))
    assert reasons(program) == ["new_shape"]


def test_another_device(program: Program) -> None:
    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=on("cpu:1"))
    compilation = program.session.compilations[-1]
    assert compilation.trace is None
    assert [(r.kind, r.path, r.before, r.after) for r in compilation.reasons] == [
        ("sharding_or_device", "x", "cpu:0, committed", "cpu:1, committed")
    ]


def test_other_shardings_of_the_jit(program: Program) -> None:
    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=on("cpu:0", shardings="P('a')"))
    assert reasons(program) == ["sharding_or_device"]


def told(program: Program) -> list[tuple[str, str | None, str | None]]:
    return [(reason.kind, reason.before, reason.after) for reason in program.session.compilations[-1].reasons]


def test_what_shardings_and_donation_were(program: Program) -> None:
    program.compile(program.trace(on("cpu:0", donated=("x", "a"))))
    program.compile(None, key=on("cpu:0", shardings="P('a')", donated=("x", "a")))
    assert told(program) == [("sharding_or_device", "unspecified", "P('a')")]
    program.compile(None, key=on("cpu:0"))
    assert told(program) == [("donation", "a, x", "nothing")], "that of the nearest, which has no shardings either"


def test_shardings_that_are_given_no_more(program: Program) -> None:
    program.compile(program.trace(on("cpu:0", shardings="P('a')")))
    program.compile(None, key=on("cpu:0"))
    assert told(program) == [("sharding_or_device", "P('a')", "unspecified")]


@pytest.mark.parametrize(
    ("this", "reasons"),
    [
        (key(leaf("x", 4)), [("new_shape", "f32[3]", "f32[4]")]),
        (key(leaf("x", 3), callable=2), [("new_function_object", "one", "another one")]),
        (
            key(leaf("x", 4), callable=2, made_by="functools.partial"),
            [("new_function_object", "one", "another functools.partial"), ("new_shape", "f32[3]", "f32[4]")],
        ),
        (key(leaf("x", 3), callable=2, wrappers=("vmap",)), [("new_transform_context", "jit", "vmap under jit")]),
    ],
)
def test_a_program_whose_trace_ran_no_body(program: Program, this: Key, reasons: list[tuple[str, str, str]]) -> None:
    program.compile(program.trace(key(leaf("x", 2, 2))))
    program.compile(program.trace(key(leaf("x", 3))))
    program.compile(None, key=this)
    assert told(program) == reasons


def test_a_program_after_calls_that_could_not_be_looked_at(program: Program) -> None:
    program.compile(program.trace(Key(callable=0, described=False)))
    program.compile(None, key=key(leaf("x", 4)))
    assert told(program) == [("unknown", "not recorded", "x: f32[4]")]


BACKWARD = "backward pass of grad"


def test_what_a_transformation_makes_of_a_program(program: Program) -> None:
    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=on("cpu:0", program=BACKWARD))
    assert told(program) == [("new_transform_context", "no transformation", BACKWARD)]
    program.compile(None, key=on("cpu:1", program=BACKWARD))
    assert told(program) == [("sharding_or_device", "cpu:0, committed", "cpu:1, committed")]
    program.compile(None, key=key(leaf("x", 3, placement="cpu:1", committed=True), program=BACKWARD))
    assert told(program) == [("new_shape", "f32[2]", "f32[3]")], "the trace's parts before the executable's"
    program.compile(None, key=on("cpu:1", program=BACKWARD, callable=2))
    assert told(program) == [("new_function_object", None, None)]


@pytest.mark.parametrize("cleared", [True, False])
def test_the_same_program_of_a_transformation_again(program: Program, *, cleared: bool) -> None:
    this = on("cpu:0", program=BACKWARD)
    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=this)
    if cleared:
        program.session.apply(CachesCleared(function=None))
    program.compile(None, key=this)
    text = f"{BACKWARD}, x: f32[2] on cpu:0"
    assert told(program) == ([("cache_cleared", None, None)] if cleared else [("unknown", text, text)])


def test_what_is_not_known_carries_both_keys(program: Program) -> None:
    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=on("cpu:0"))
    assert told(program) == [("unknown", "x: f32[2] on cpu:0", "x: f32[2] on cpu:0")]
    program.compile(None, key=key(leaf("y")))
    assert told(program) == [("unknown", "x: f32[2] on cpu:0", "y: f32[]")], "the newest, where none is alike"
    program.compile(None, key=None)
    assert told(program) == [("unknown", "y: f32[]", None)]


def test_other_donated_arguments(program: Program) -> None:
    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=on("cpu:0", donated=("x",)))
    assert reasons(program) == ["donation"]


def test_only_programs_of_the_same_jaxpr_are_compared(program: Program) -> None:
    program.compile(program.trace(on("cpu:0")))
    other = key(leaf("x", 3, placement="cpu:1", committed=True))
    program.compile(program.trace(other))
    program.compile(None, key=on("cpu:1"))
    assert [r.before for r in program.session.compilations[-1].reasons] == ["cpu:0, committed"]


def test_cleared_caches(program: Program) -> None:
    program.compile(program.trace(on("cpu:0")))
    program.session.apply(CachesCleared(function=1))
    program.compile(None, key=on("cpu:0"))
    assert reasons(program) == ["cache_cleared"]


def test_the_first_call_of_what_was_compiled_ahead_of_time(program: Program) -> None:
    program.compile(program.trace(on("cpu:0"), entry="aot_lower"), ahead_of_time=True)
    program.compile(None, key=on("cpu:0"))
    assert reasons(program) == ["first_call"]


def test_a_trace_compiled_late_is_compiled_first(program: Program) -> None:
    program.compile(program.trace(on("cpu:0")))
    program.trace(key(leaf("x", 3)), entry="eval_shape")
    program.compile(None, key=key(leaf("x", 3)))
    assert reasons(program) == ["first_call"]


@pytest.mark.parametrize("this", [None, on("cpu:0"), key(leaf("y"))])
def test_what_is_not_known_is_unknown(program: Program, this: object) -> None:
    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=this)
    assert reasons(program) == ["unknown"]


def test_lowering_belongs_to_the_compilation_after_it(program: Program) -> None:
    program.call(key(leaf("x", 2)))
    (compilation,) = program.session.compilations
    assert compilation.lower_seconds == 0.25
    assert program.session.functions[0].seconds.lower == 0.25


def of_call(device: str, rate: int) -> Key:
    outer = key(leaf("x", 2), statics=(static("rate", rate),))
    return on(device, program=BACKWARD, outer=outer)


def test_a_program_of_another_call(program: Program) -> None:
    program.compile(program.trace(key(leaf("x", 2))))
    program.compile(None, key=on("cpu:0", program=BACKWARD))
    program.compile(None, key=of_call("cpu:1", 1))
    program.compile(None, key=of_call("cpu:0", 2))
    program.compile(None, key=of_call("cpu:0", 1))
    assert told(program) == [("new_static_value", "2", "1")], "that of the same call ran elsewhere"


def test_what_changed_in_the_call_is_told_before_what_its_program_is_run_on(program: Program) -> None:
    program.compile(program.trace(key(leaf("x", 2))))
    program.compile(None, key=of_call("cpu:0", 1))
    program.compile(None, key=of_call("cpu:1", 2))
    assert told(program) == [("new_static_value", "1", "2")]


def test_a_call_placed_elsewhere_is_told_by_the_names_of_its_arguments(program: Program) -> None:
    program.compile(program.trace(on("cpu:0")))
    for device in ("cpu:0", "cpu:1"):
        saved = leaf("input[0]", 2, placement=device, committed=True)
        program.compile(None, key=key(saved, program=BACKWARD, outer=on(device)))
    (reason,) = program.session.compilations[-1].reasons
    assert (reason.path, reason.before, reason.after) == ("x", "cpu:0, committed", "cpu:1, committed")


def test_a_program_whose_call_is_not_known_is_not_compared_by_calls(program: Program) -> None:
    program.compile(program.trace(key(leaf("x", 2))))
    program.compile(None, key=of_call("cpu:0", 1))
    program.compile(None, key=on("cpu:0", program=BACKWARD))
    assert [kind for kind, *_ in told(program)] == ["unknown"]
    program.compile(None, key=on("cpu:1", program=BACKWARD))
    program.compile(None, key=of_call("cpu:1", 2))
    assert told(program) == [("new_static_value", "1", "2")], "of those that are known"


def over(axes: str, *leaves: Leaf) -> Key:
    return key(*leaves, program="vmap", program_detail=f"over {axes}")


def test_a_program_mapped_over_other_axes(program: Program) -> None:
    program.compile(program.trace(key(leaf("x", 2))))
    program.compile(None, key=over("axis 0", leaf("x", 2), leaf("input[1]", 2)))
    program.compile(None, key=over("axes 1, 0", leaf("x", 2), leaf("input[1]", 3)))
    assert told(program) == [("new_transform_context", "vmap over axis 0", "vmap over axes 1, 0")]
    program.compile(None, key=over("axis 2", leaf("x", 4), leaf("input[1]", 3)))
    assert told(program) == [
        ("new_transform_context", "vmap over axes 1, 0", "vmap over axis 2"),
        ("new_shape", "f32[2]", "f32[4]"),
    ]
    program.compile(None, key=over("axis 0", leaf("x", 4), leaf("input[1]", 2)))
    assert told(program) == [("new_shape", "f32[2]", "f32[4]")], "that over the same axis"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (None, "no transformation"),
        (key(leaf("x", 2), wrappers=("vmap",)), "vmap under jit"),
        (over("axis 0", leaf("x", 2)), "vmap"),
    ],
)
def test_a_program_made_for_another_transformation(program: Program, before: Key | None, said: str) -> None:
    program.compile(None, key=before)
    program.compile(None, key=on("cpu:0", program=BACKWARD, program_detail="with respect to w"))
    assert told(program) == [("new_transform_context", said, BACKWARD)]


def test_the_newest_program_is_the_one_before(program: Program) -> None:
    for wrapper in ("hessian", "vmap"):
        program.compile(program.trace(key(leaf("x", 2), wrappers=(wrapper,))))
    program.compile(program.trace(key(leaf("x", 2), wrappers=("grad",))))
    program.compile(None, key=key(leaf("x", 3), callable=2))
    assert told(program) == [("new_transform_context", "grad under jit", "jit")]
