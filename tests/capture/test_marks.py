"""What the names of a traced function are told to be, beside what `tests/cases` holds."""

from __future__ import annotations

import dataclasses
import html
import sys
from typing import NamedTuple

import jax
import jax.numpy as jnp
import pytest

from jax_trace_viz.exports.html import page
from tests.capture.told import recorded

EXACT = sys.version_info >= (3, 12)
"""Whether all lines that run are seen."""


def names(told, function, binding="local"):
    """Name → its mark in the only trace of a function."""
    trace = told.trace(function)
    marks = [a for a in told.document.annotations if a.trace == trace.id and a.binding == binding]
    return {mark.name: mark for mark in marks}


def mixture(p):
    held = {"w": p["w"], "n": 3, "deep": [p["w"], "text"]}
    pair = (p["w"], p["w"])
    return held["w"] * held["n"] + pair[0]


def test_of_a_mixed_container_each_leaf_is_told():
    with recorded() as told:
        jax.jit(mixture)({"w": jnp.ones(3)})
    held = names(told, "mixture")["held"]
    assert (held.status, held.leaves) == ("mixed", 4)
    assert [(part.path, part.status, part.type, part.value) for part in held.parts] == [
        ("['deep'][0]", "traced", "f32[3]", None),
        ("['deep'][1]", "static", "str", "'text'"),
        ("['n']", "static", "int", "3"),
        ("['w']", "traced", "f32[3]", None),
    ]
    pair = names(told, "mixture")["pair"]
    assert (pair.status, [part.type for part in pair.parts]) == ("traced", ["f32[3]", "f32[3]"])
    assert names(told, "mixture", "parameter")["p"].parts[0].path == "['w']"


class Weights(NamedTuple):
    w: jax.Array
    b: jax.Array


def stacked(params, module):
    together = {"w": [p["w"] for p in params], "b": module.w}
    return sum(together["w"])


def test_elements_and_leaves_are_counted_apart():
    with recorded() as told:
        jax.jit(stacked)([{"w": jnp.ones(3), "b": jnp.ones(3)}] * 3, Weights(jnp.ones(3), jnp.ones(3)))
    marks = names(told, "stacked")
    assert {name: (mark.length, mark.leaves) for name, mark in marks.items()} == {
        "params": (3, 6),
        "module": (None, 2),  # a class of the user's: its `__len__` is not asked
        "together": (2, 4),
    }
    written = html.unescape(page(told.document))
    for text in ("params ● list of 3 · 6 arrays", "module ● Weights · 2 arrays", "together ● dict of 2 · 4 arrays"):
        assert text in written


def wide(p):
    first = {"n": 1, **p}
    return first["k0"]


def test_of_many_leaves_the_first_are_told_and_all_are_counted():
    with recorded() as told:
        jax.jit(wide)({f"k{i}": 1.0 for i in range(40)})
    marks = names(told, "wide")
    assert (len(marks["first"].parts), marks["first"].leaves) == (12, 41)
    assert (marks["p"].parts, marks["p"].leaves) == ([], 0)


def loss(w, x):
    h = jnp.tanh(x @ w)
    return jnp.sum(h**2)


def test_a_value_says_which_transformations_hold_it():
    with recorded() as told:
        jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 1)))(jnp.ones(3), jnp.ones((3, 5)))
    parameters, local = names(told, "loss", "parameter"), names(told, "loss")
    (differentiated,) = parameters["w"].tracers
    assert differentiated in ("linearize", "jvp")  # by the version of JAX
    assert parameters["x"].tracers == ["vmap, axis 1 of 5"]
    assert local["h"].tracers == [differentiated, "vmap, axis 0 of 5"]
    assert local["h"].type == "f32[]"


def plain(x):
    y = x * 2
    return jnp.sum(y)


def test_whether_the_value_is_known_is_told():
    with recorded() as told:
        jax.vmap(plain)(jnp.ones((4, 3)))
        jax.jit(plain)(jnp.ones(3))
    eager, staged = told.traces("plain")
    held = {a.trace: a.tracers for a in told.document.annotations if (a.name, a.binding) == ("y", "local")}
    assert held == {eager.id: ["vmap, axis 0 of 4", "known"], staged.id: []}


def keys(new, old):
    a, b = jax.random.split(new)
    c, d = jax.random.split(old)
    return jax.random.bits(a) + jax.random.bits(c), b, d


def test_a_typed_key_is_told_as_a_key_and_a_raw_one_as_the_array_it_is():
    with recorded() as told:
        jax.jit(keys)(jax.random.key(0), jax.random.PRNGKey(0))
    assert {name: mark.type for name, mark in names(told, "keys").items()} == {
        **dict.fromkeys(("new", "a", "b"), "key<fry>[]"),
        **dict.fromkeys(("old", "c", "d"), "u32[2]"),
    }


def repeated(x, path):
    y = jnp.where(
        x > 0,
        x,
        0,
    )
    for i in range(3):
        y = y + i
    with open(path) as stream:  # noqa: PTH123
        y = y + len(stream.read())
    parts = [y * k for k in range(4)]
    return parts[0]  # fmt: skip


@pytest.mark.skipif(not EXACT, reason="before Python 3.12 lines are not counted")
def test_a_line_counts_its_statement_and_not_the_parts_of_it(tmp_path):
    (tmp_path / "text").write_text("abc")
    with recorded() as told:
        jax.jit(repeated, static_argnums=1)(1.0, str(tmp_path / "text"))
    found = names(told, "repeated")
    assert {name: found[name].runs for name in ("i", "stream", "parts", "y")} == {
        "i": 3,
        "stream": 1,
        "parts": 1,
        "y": 1,
    }


def test_what_exec_defines_is_the_users_own():
    namespace = {"jnp": jnp}
    exec("def made(x):\n    y = jnp.sin(x)\n    return y\n", namespace)
    with recorded() as told:
        jax.jit(namespace["made"])(1.0)
        jax.jit(eval("lambda v: v * 2"))(1.0)
    assert told.runs() == {"made": 1, "<lambda>": 1}
    assert (told.function("made").file, told.function("made").source) == ("<string>", None)
    assert names(told, "made")["y"].line == 2


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Held:
    """A pytree with an `__init__` that the standard library writes, like code of `exec`."""

    a: jax.Array

    def __post_init__(self) -> None:
        self.seen = 1


def takes_apart(held):
    return Held(held.a * 2)


def test_what_the_standard_library_writes_is_not():
    with recorded() as told:
        jax.jit(takes_apart)(Held(jnp.ones(2)))
    assert told.runs() == {"takes_apart": 1}
    places = {trace.call_site.file for trace in told.document.traces if trace.call_site}
    assert places == {__file__}


def inner(z):
    return jnp.sin(z) * 2


def outer(x):
    return inner(x) + 1


def test_a_helper_that_staged_equations_is_told_with_its_source():
    with recorded() as told:
        jax.jit(outer)(jnp.ones(3))
    helper = told.function("inner")
    assert (helper.traces, helper.calls) == (0, 0)
    assert helper.source == "def inner(z):\n    return jnp.sin(z) * 2\n"
    assert told.runs() == {"outer": 1}
