"""Why XLA compiled."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.events import CachesCleared
from tests.session.events import Program, key, leaf


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define()
    return program


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
