"""What is said to help fits what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import pytest

import jax_trace_viz
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.findings.retraces import advice
from tests.session.events import Program, key, leaf

if TYPE_CHECKING:
    from collections.abc import Callable

X2 = key(leaf("x", 2))


@pytest.mark.parametrize(
    ("name", "qualname", "words"),
    [
        ("<lambda>", "<lambda>", "Make the lambda at line 10 once"),
        ("step", "train.<locals>.step", "Define `step` at line 10 outside of `train`"),
        ("step", "step", "functools.partial"),
    ],
)
def test_what_to_hoist_depends_on_where_the_object_is_made(name: str, qualname: str, words: str) -> None:
    program = Program()
    program.define(name=name, qualname=qualname)
    program.call(X2)
    program.let_go(1)
    program.call(key(leaf("x", 2), callable=2))
    finding = program.finding()
    assert finding.fix is not None
    assert words in finding.fix
    assert finding.place is not None
    assert finding.place.line == 10


def test_advice_on_a_structure_depends_on_whether_only_settings_changed(program: Program) -> None:
    for rate in (0.1, 0.2, 0.3):
        program.call(key(structures={"model": f"drop.rate={rate}"}, positional=1))
    fix = program.finding().fix or ""
    assert "Every setting of `model` is a program of its own." in fix
    assert "same containers" not in fix
    other = Program()
    other.define(2, "g")
    for depth in range(3):
        other.call(key(structures={"model": f"Net[depth={depth}]({'*, ' * depth})"}, positional=1), 2)
    assert "the same containers and keys" in (other.finding().fix or "")


def test_keys_made_in_different_ways_are_not_to_be_padded(program: Program) -> None:
    raw, new, rbg = leaf("key", 2, dtype="u32"), leaf("key", dtype="key<fry>"), leaf("key", 4, dtype="u32")
    for one in (raw, new, rbg):
        program.call(key(one))
    assert "make `key` in one way everywhere" in (program.finding().fix or "")


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ((1, ("a",)), (1, ("a", "b")), "Pass `b` in every call of `f`, or in none"),
        ((0, ("a",)), (0, ("a", "b")), "Pass `b` in every call of `f`, or in none"),
        ((0, ("a",)), (0, ("a", "b", "c")), "Pass the same keyword arguments in every call of `f`"),
        ((2, ()), (1, ("b",)), "what is positional once is positional always"),
        ((2, ()), (1, ()), "Every choice of arguments is a program of its own"),
    ],
)
def test_advice_on_spelling_fits_what_was_spelled(
    program: Program, first: tuple[int, tuple[str, ...]], second: tuple[int, tuple[str, ...]], words: str
) -> None:
    for positional, keywords in (first, second):
        program.call(key(leaf("a"), positional=positional, keywords=keywords))
    fix = program.finding().fix
    assert fix is not None
    assert words in fix


def test_parts_that_changed_along_are_named_and_padded_together(program: Program) -> None:
    paths = ["g.nodes", "g.edges", "g.senders", "g.receivers", "mask"]
    for size in (2, 3, 4):
        leaves = [leaf(path, size) for path in paths]
        program.call(key(*leaves, structures={"g": "G(*, *, *, *)", "mask": "*"}, positional=2))
    finding = program.finding()
    assert "(as did g.edges, g.senders, g.receivers and 1 more)" in finding.text
    assert finding.fix is not None
    assert "Pad `g` and `mask` to one shape" in finding.fix


def retraced(f: Callable[..., Any], *calls: dict[str, Any]) -> str:
    """What is said to help where the second call traced again."""
    with jax_trace_viz.trace() as session:
        for call in calls:
            f(**call)
    (one,) = advice(Evidence(session.document()))
    return one.text


def test_another_dtype_is_to_be_one_from_the_start() -> None:
    f = jax.jit(lambda x: x + 1)
    assert "pass `x` as one of them" in retraced(f, {"x": 1}, {"x": 1.0})
    g = jax.jit(lambda x: x + 1)
    calls = {"x": jnp.ones(3)}, {"x": jnp.ones(3, jnp.bfloat16)}
    assert "give `x` the same one in every call" in retraced(g, *calls)


def test_an_array_is_no_static_argument() -> None:
    """Hashing one fails: only where it is part of something may it be stored as one."""
    alone = retraced(jax.jit(lambda x, n: x, static_argnames="n"), {"x": 1, "n": 1}, {"x": 1, "n": 2})
    assert "take it out of the static arguments" in alone
    assert "array" not in alone
    part = retraced(jax.jit(lambda x, n: x, static_argnames="n"), {"x": 1, "n": (1, 1)}, {"x": 1, "n": (1, 2)})
    assert "pass it by itself" in part
