"""When operations outside of any jit are worth a word, and what it says."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.document import Finding, Place
from jax_trace_viz.contract.events import CallsUnseen, OperationsRan
from jax_trace_viz.session import Session

KINDS = ("matmul", "tanh", "multiply", "add", "mean")


def findings(*events: OperationsRan | CallsUnseen) -> list[Finding]:
    session = Session()
    for event in events:
        session.apply(event)
    return session.findings


def ran(lines: dict[int, dict[str, int]], function: str = "step") -> OperationsRan:
    return OperationsRan(file="main.py", function=function, first_line=3, lines=lines)


def test_a_function_is_told_with_its_busiest_line() -> None:
    (finding,) = findings(ran({4: {"matmul": 30}, 5: dict.fromkeys(KINDS, 40)}))
    assert finding.kind == "eager_operations"
    assert finding.place == Place(file="main.py", line=5)
    assert "`step` ran 230 operations (matmul, tanh, multiply and 2 more)" in finding.text
    assert "200 of them from line 5" in finding.text
    assert finding.fix is not None
    assert "Put `step` under one `jax.jit`" in finding.fix


def test_counts_add_up_over_flushes() -> None:
    half = ran({4: dict.fromkeys(KINDS, 20)})
    assert findings(half) == []
    (finding,) = findings(half, half)
    assert "200 operations" in finding.text
    assert "all from line 4" in finding.text


def test_lines_of_a_cell_stand_for_themselves() -> None:
    event = ran({n: dict.fromkeys(KINDS, 20) for n in range(4, 9)}, "<module>")
    assert findings(event) == []
    (finding,) = findings(ran({4: dict.fromkeys(KINDS, 50)}, "<module>"))
    assert finding.text.startswith("Line 4 ran 250 operations")


def test_with_jit_disabled_nothing_is_held_against_a_function() -> None:
    event = ran({4: dict.fromkeys(KINDS, 50)})
    assert len(findings(event)) == 1
    assert findings(CallsUnseen(what="disable_jit", place=None), event) == []


@pytest.mark.parametrize("names", [("threefry_split", "unstack"), KINDS[:4]])
def test_few_kinds_of_operations_are_left_alone(names: tuple[str, ...]) -> None:
    assert findings(ran({4: dict.fromkeys(names, 1_000)})) == []
