"""Findings about compilations without a trace, on streams written by hand."""

from __future__ import annotations

from jax_trace_viz.contract.document import Place
from tests.session.events import Program, key, leaf


def placed(device: int) -> Program:
    """A program that calls one traced function on this many devices in turn, from one line."""
    program = Program()
    program.define()
    program.compile(program.trace(key(leaf("x", 2, placement="cpu:0", committed=True))))
    for number in range(1, device):
        program.compile(
            None,
            key=key(leaf("x", 2, placement=f"cpu:{number}", committed=True)),
            call_site=Place(file="main.py", line=7),
        )
    return program


def test_many_programs_of_one_line_are_a_finding() -> None:
    (finding,) = placed(5).session.findings
    assert (finding.kind, finding.function, finding.trace) == ("too_many_compiles", "f1", None)
    assert finding.place == Place(file="main.py", line=7)
    assert finding.text == (
        "`f` was compiled 4 more times from line 7, though nothing was traced again: "
        "at last x changed sharding or device cpu:3, committed → cpu:4, committed."
    )
    assert "jax.device_put" in (finding.fix or "")


def test_a_few_devices_are_none() -> None:
    assert placed(4).session.findings == []


def test_a_gradient_that_is_jitted_anew_each_time_is_a_finding_though_nothing_is_traced() -> None:
    program = Program()
    program.define()
    program.compile(program.trace(key(leaf("x", 3))))

    def compile_gradient(callable: int) -> None:
        this = key(leaf("x", 3), callable=callable, made_by="grad", wrappers=("grad",))
        program.compile(None, key=this, call_site=Place(file="main.py", line=9))

    for callable in (2, 3):
        compile_gradient(callable)
    assert not program.session.findings, "the first is another program, and the second may be meant"
    compile_gradient(4)
    (finding,) = program.session.findings
    assert finding.kind == "too_many_compiles"
    assert finding.text == (
        "`f` was compiled 2 more times from line 9, though nothing was traced again: "
        "a new `grad` of `f` was made each time, and JAX keeps its programs by function object."
    )
    assert finding.fix == "Make the `grad` of `f` once, and keep it in a variable, jitted if it is."
