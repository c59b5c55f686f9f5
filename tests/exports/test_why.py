"""Why cards as text and as HTML."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.contract.document import EquationCount
from jax_trace_viz.contract.events import JaxprSeen, RunStaged
from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
from jax_trace_viz.exports import html, why_text
from jax_trace_viz.exports.why_text import why
from jax_trace_viz.session.front_end.view import update
from tests.session.events import Program, key, leaf


def program(*primitives: str) -> Program:
    program = Program()
    program.define(1, "step")
    for place, primitive in enumerate(primitives):
        began = program.trace(key(leaf("x", 8 + place), *(leaf(f"w{i}") for i in range(10))))
        one = Equation(primitive=primitive, inputs=[0], outputs=[1])
        jaxpr = Jaxpr(id=f"j{place}", inputs=[0], outputs=[1], constants=[], types=["f32[8]"] * 2, equations=[one])
        program.session.apply(JaxprSeen(jaxpr=jaxpr, frames=[], first_frame=0))
        count = EquationCount(distinct=1, expanded=1)
        program.session.apply(RunStaged(run=began.run, jaxpr=jaxpr.id, equations=count, constants=[]))
        program.compile(began)
    return program


def test_a_card_as_text() -> None:
    lines = why(program("sin", "cos").session.document()).splitlines()
    assert lines[:2] == ["Why was step traced again? (step #2)", "  x changed shape f32[8] → f32[9]."]
    assert lines[3].split() == ["part", "before", "now", "same?"]
    assert lines[4].split() == ["↻", "x", "shape", "f32[8]", "f32[9]", "the", "cause"]
    assert "    and 4 more parts are the same" in lines
    assert "  Cost: 2.8 s: trace 0.5 s, lower 0.2 s, compile 2.0 s." in lines
    assert "  Called at main.py:100." in lines
    assert lines[-1].startswith("  What usually helps: Every shape")


def test_of_very_many_parts_a_card_tells_some_and_counts_the_rest() -> None:
    program = Program()
    program.define(1, "step")
    for size in (8, 9):
        program.trace(key(*(leaf(f"w{i}", size) for i in range(1_000)), *(leaf(f"b{i}") for i in range(1_000))))
    lines = why(program.session.document()).splitlines()
    assert lines[1].endswith("w5 changed shape f32[8] → f32[9]; and 994 more parts changed.")
    assert "    and 960 more parts are not the same, 994 more parts are the same" in lines
    assert len(lines) < 70


def test_the_changes_of_the_jaxpr_on_request() -> None:
    document = program("sin", "cos").session.document()
    assert "jaxpr" not in why(document)
    text = why(document, diff=True)
    assert "What changed in the jaxpr, step #1 → step #2: 1 added, 1 removed." in text
    assert "  -   b:f32[8] = sin a\n  +   c:f32[8] = cos a" in text


def test_all_traces_of_one_function() -> None:
    document = program("sin", "cos", "tan").session.document()
    assert why(document, "step").count("Why was step traced") == 3
    with pytest.raises(LookupError, match=r"^No function named stop was traced; step was\.$"):
        why(document, "stop")


def test_nothing_again_is_said() -> None:
    assert why(program("sin").session.document()) == "Nothing of yours was traced or compiled again.\n"


def test_more_cards_than_one_reads_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(why_text, "CARDS", 1)
    assert why(program("sin", "cos", "tan").session.document()).endswith("and 1 more retrace\n")


def test_a_card_in_a_notebook_opens_without_script() -> None:
    text = html.fallback(update(program("sin", "cos").session))
    assert "<details><summary>Why was step traced again? (step #2) x changed shape f32[8] → f32[9]." in text
    assert "<td>x shape</td><td>f32[8]</td><td>f32[9]</td><td><b>↻ the cause</b></td>" in text
    assert "and 4 more parts are the same" in text
    assert "What usually helps: Every shape is a program of its own. Pad <code>x</code>" in text


def test_the_verdict_shows_code_as_code() -> None:
    told = replace(update(program("sin").session), verdict="Stopped: use `jnp.where`")
    assert "Stopped: use <code>jnp.where</code>" in html.fallback(told)
    assert "Stopped: use <code>jnp.where</code>" in html.verdict(told)


def test_a_line_of_the_cell_itself_needs_no_file() -> None:
    session = program("sin", "cos").session
    assert "Called at main.py:100." in html.fallback(update(session))
    assert "Called at line 100." in html.fallback(update(session, Cell(file="main.py")))
