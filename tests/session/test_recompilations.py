"""A program that one line has compiled again and again, though nothing is traced, is a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jax_trace_viz.contract.document import Finding, Place
from tests.session.events import Program, key, leaf

if TYPE_CHECKING:
    from jax_trace_viz.contract.key import Key

LINE = Place(file="main.py", line=7)


def moved(number: int) -> Key:
    """A call with its array on this device."""
    return key(leaf("x", 2, placement=f"cpu:{number}", committed=True))


def findings(program: Program, *keys: Key, function: int = 1, **more: object) -> list[Finding]:
    """Those after the function was traced and compiled, and compiled again for each of these."""
    program.compile(program.trace(moved(0), function), function)
    for each in keys:
        program.compile(None, function, key=each, **{"call_site": LINE, **more})
    return [finding for finding in program.session.findings if finding.kind == "too_many_compiles"]


def test_four_on_one_line_are_told_with_their_cost(program: Program) -> None:
    (finding,) = findings(program, *map(moved, (1, 2, 3, 4)))
    assert (finding.function, finding.trace, finding.place) == ("f1", None, LINE)
    assert finding.text == (
        "`f` was compiled 4 more times from line 7, though nothing was traced again: "
        "at last x changed sharding or device cpu:3, committed → cpu:4, committed."
    )
    assert finding.seconds == pytest.approx(4 * (0.25 + 2.0))
    assert "`jax.device_put`" in (finding.fix or "")


def test_three_may_be_meant(program: Program) -> None:
    assert findings(program, *map(moved, (1, 2, 3))) == []


def test_those_of_several_lines_are_several(program: Program) -> None:
    findings(program, *map(moved, (1, 2, 3)))
    assert findings(program, moved(4), call_site=Place(file="main.py", line=8)) == []


def test_those_of_a_library_are_none(program: Program) -> None:
    program.define(2, "g", origin="library")
    assert findings(program, *map(moved, (1, 2, 3, 4)), function=2) == []


def test_two_objects_are_enough(program: Program) -> None:
    made = [key(leaf("x", 2), callable=number, made_by="functools.partial") for number in (2, 3)]
    assert findings(program, made[0]) == []
    (finding,) = findings(program, made[1])
    assert finding.text.startswith("`f` was compiled 2 more times from line 7, though nothing was traced again: ")
    assert "Make the `functools.partial` of `f` once" in (finding.fix or "")
