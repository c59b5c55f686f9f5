"""Comparisons as a reader meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from msgspec.structs import replace

from jax_trace_viz.session.jaxpr_diff import compare
from jax_trace_viz.session.jaxpr_diff import lines as lines_module
from jax_trace_viz.session.jaxpr_diff.compare import EQUATIONS, fates
from tests.session.graph.support import jaxpr, trace, traced

if TYPE_CHECKING:
    import pytest

    from jax_trace_viz.contract.jaxpr import Jaxpr

SIGNS = {"same": " ", "removed": "-", "added": "+", "before": "<", "after": ">", "skipped": "…"}


def compared(old: list[Jaxpr], new: list[Jaxpr]) -> tuple[tuple[int, int, int, int, int], list[str]]:
    """The counts, and the lines with their signs, of the last jaxpr of each."""
    jaxprs = {one.id: one for one in (*old, *new)}
    diff = compare(trace(old[-1].id), trace(new[-1].id), jaxprs, [])
    assert diff is not None
    lines = [f"{SIGNS[line.sign]} {'  ' * line.depth}{line.text}" for line in diff.lines]
    return (diff.added, diff.removed, diff.changed, diff.resized, diff.same), lines


def test_a_changed_parameter_is_one_change() -> None:
    old = jaxpr("a", 1, ["1 = sin 0", "2 = sum 1 axes=(0,)", "3 = cos 2"], [3])
    new = jaxpr("b", 1, ["1 = sin 0", "2 = sum 1 axes=(1,)", "3 = cos 2"], [3])
    counts, lines = compared([old], [new])
    assert counts == (0, 0, 1, 0, 2)
    assert lines == [
        "  lambda ; a:f32[2].",
        "    b:f32[2] = sin a",
        "<   c:f32[2] = sum[axes=(0,)] b",
        ">   c:f32[2] = sum[axes=(1,)] b",
        "    d:f32[2] = cos c",
    ]


def test_other_inputs_of_an_equation_are_a_change_of_it() -> None:
    old = jaxpr("a", 2, ["2 = sin 0", "3 = sub 2 1"], [3])
    new = jaxpr("b", 2, ["2 = sin 0", "3 = sub 1 2"], [3])
    counts, lines = compared([old], [new])
    assert counts == (0, 0, 1, 0, 1)
    assert [line for line in lines if line[0] in "<>"] == ["<   d:f32[2] = sub c b", ">   d:f32[2] = sub b c"]


def test_what_reads_an_added_equation_is_not_a_change_of_its_own() -> None:
    old = jaxpr("a", 1, ["1 = sin 0", "2 = cos 1"], [2])
    new = jaxpr("b", 1, ["1 = sin 0", "2 = neg 1", "3 = cos 2"], [3])
    assert compared([old], [new])[0] == (1, 0, 0, 0, 2)


def test_a_nested_jaxpr_used_twice_is_compared_once() -> None:
    old = [jaxpr("i", 1, ["1 = sin 0"], [1]), jaxpr("a", 1, ["1 = jit:i 0", "2 = jit:i 1"], [2])]
    new = [jaxpr("k", 1, ["1 = cos 0"], [1]), jaxpr("b", 1, ["1 = jit:k 0", "2 = jit:k 1"], [2])]
    counts, lines = compared(old, new)
    assert counts == (1, 1, 0, 0, 2)
    assert lines[-2:] == ["…     jaxpr[0]: as above", "  in (f)"]


def test_more_inputs_leave_the_others_what_they_are() -> None:
    old = jaxpr("a", 1, ["1 = sin 0"], [1], input_names=["x"])
    new = jaxpr("b", 2, ["2 = sin 1", "3 = add 2 0"], [3], input_names=["w", "x"])
    counts, lines = compared([old], [new])
    assert counts == (1, 0, 0, 0, 1)
    assert lines[:2] == ["< lambda ; a:f32[2].", "> lambda ; b:f32[2] a:f32[2]."]


def test_other_shapes_are_told_apart_from_other_operations() -> None:
    def program(x: jax.Array) -> jax.Array:
        return jnp.tanh(x @ x.T).reshape(-1).sum() * 2.0

    old, new = (traced(program, np.ones((n, 3), np.float32)) for n in (2, 5))
    renamed = {f"n{id_}": one for id_, one in new.jaxprs.items()}
    diff = compare(trace(old.traces[0].jaxpr), trace(f"n{new.traces[0].jaxpr}"), old.jaxprs | renamed, old.frames)
    assert diff is not None
    assert (diff.added, diff.removed) == (0, 0)
    assert diff.changed == diff.resized >= 4
    assert {line.sizes_only for line in diff.lines if line.sign in ("before", "after")} == {True}


def test_what_is_too_long_is_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "LINES", 5)
    old = jaxpr("a", 1, [f"{i + 1} = sin {i}" for i in range(9)], [9])
    new = jaxpr("b", 1, [f"{i + 1} = cos {i}" for i in range(9)], [9])
    diff = compare(trace("a"), trace("b"), {"a": old, "b": new}, [])
    assert diff is not None
    assert (diff.added, diff.removed, len(diff.lines)) == (9, 9, 5)
    assert diff.note == "15 further lines left out."


def test_long_jaxprs_are_aligned_too() -> None:
    count = 3000
    kinds = ["sin", "cos", "tan", "exp", "neg"]
    old = jaxpr("a", 1, [f"{i + 1} = {kinds[i % 7 % 5]} {i}" for i in range(count)], [count])
    types = [one.replace("2", "3") for one in old.types]
    left_out = [*old.equations[:1000], *old.equations[1003:]]
    new = replace(old, id="b", types=types, equations=left_out)
    counts, _ = compared([old], [new])
    assert counts == (0, 3, count - 3, count - 3, 0)


def test_a_trace_without_a_jaxpr_is_not_compared() -> None:
    assert compare(trace(None), trace("a"), {"a": jaxpr("a", 1, [], [0])}, []) is None


def test_what_is_there_because_of_sizes_only_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    old = jaxpr("a", 1, ["1 = sin 0", "2 = iota", "3 = neg 2", "4 = sum 3 axes=(0,)"], [1, 4])
    types = ["f32[9]", "f32[9]", *old.types[2:]]
    other = replace(old.equations[3], parameters={"axes": "(1,)"})
    new = replace(old, id="b", types=types, equations=[*old.equations[:3], other])
    diff = compare(trace("a"), trace("b"), {"a": old, "b": new}, [])
    assert diff is not None
    assert (diff.changed, diff.resized, diff.same) == (2, 1, 2)
    told = [(line.sign, line.sizes_only) for line in diff.lines]
    assert told == [
        ("before", True),  # lambda
        ("after", True),
        ("before", True),  # sin
        ("after", True),
        ("same", True),  # iota, beside sin
        ("same", False),  # neg, beside sum
        ("before", False),  # sum
        ("after", False),
        ("same", False),  # in
    ]
    monkeypatch.setattr(lines_module, "LINES", 6)
    short = compare(trace("a"), trace("b"), {"a": old, "b": new}, [])
    assert short is not None
    assert {line.sign for line in short.lines} == {"same", "before", "after", "skipped"}
    assert not any("sin" in line.text for line in short.lines)
    assert short.note == "What differs in types and sizes only is left out here."


def test_of_very_many_equations_the_first_ones_are_compared() -> None:
    compared_of_each = EQUATIONS // 2
    chain = [f"{i} = sin {i - 1}" for i in range(1, compared_of_each + 100)]
    old = jaxpr("a", 1, chain, [1])
    new = jaxpr("b", 1, ["1 = neg 0", *chain[1:-1], f"{len(chain)} = tan 1"], [1])
    jaxprs = {one.id: one for one in (old, new)}
    diff = compare(trace("a"), trace("b"), jaxprs, [])
    assert diff is not None
    assert (diff.added, diff.removed, diff.same) == (1, 1, compared_of_each - 1)
    assert "Only the first equations were compared, 20,000 of both together." in diff.note
    found = fates(trace("a"), trace("b"), jaxprs, [])
    assert found is not None
    assert found.before == {"a": ["only", *["same"] * (compared_of_each - 1)]}
