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
