"""Searching a whole trace, with all that is hidden: what is found is there, and opening the path shows it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jax_trace_viz.session.graph import GraphOptions, build_graph
from jax_trace_viz.session.graph.search import search
from tests.capture.written import primitives
from tests.session.graph.random_programs import Step, programs, run
from tests.session.graph.support import TRACE, Tape, jaxpr, tape, traced

if TYPE_CHECKING:
    from jax_trace_viz.contract.view import Found

X = np.ones((4, 4), np.float32)


def attention(p: dict[str, Any], x: Any) -> Any:
    scores = jax.nn.softmax(x @ p["query"])
    return scores @ p["value"]


def model(params: list[dict[str, Any]], x: Any) -> Any:
    for number, p in enumerate(params):
        with jax.named_scope(f"block{number}"):
            x = x + attention(p, x)
            x = jnp.tanh(x) * 0.5
    return x.sum()


@pytest.fixture(scope="module")
def recording() -> Tape:
    return traced(jax.grad(model), [{"query": X, "value": X} for _ in range(6)], X)


def labels(found: Found) -> list[str]:
    return [match.label for match in found.matches]


def test_copies_are_told_once_and_named(recording: Tape) -> None:
    found = search(recording, TRACE, "reduce_max")
    every = list(primitives(recording.jaxprs, recording.traces[0].jaxpr or ""))
    assert found.equations == every.count("reduce_max") > 1
    assert len(found.matches) == 1
    assert "block0…5 ×6, block0" in found.matches[0].where


def test_one_copy_is_found_by_its_own_name(recording: Tape) -> None:
    found = search(recording, TRACE, "block3")
    assert labels(found) == ["block0…5 ×6, block3", "block5…1 ×5, block3"]
    assert [match.open_boxes[0].partition("#")[2] for match in found.matches] == ["3", "2"]
    graph = build_graph(recording, TRACE, GraphOptions(open_boxes=found.matches[1].open_boxes))
    shown = next(one for one in graph.boxes if one.id == found.matches[1].box)
    assert (shown.shown, shown.copies[shown.shown], shown.phase) == (2, "block3", "backward")


def test_a_key_path_leads_to_its_argument_and_its_uses(recording: Tape) -> None:
    found = search(recording, TRACE, "params[2]['query']")
    assert found.matches[0].label == "params"
    assert found.matches[0].equations == 0
    assert found.equations >= 1
    assert all("block2" in " ".join([*match.where, match.label]) for match in found.matches[1:])


def test_what_the_source_calls_it(recording: Tape) -> None:
    found = search(recording, TRACE, "softmax block1")
    assert found.matches[0].label.endswith("jax.nn.softmax")
    assert search(recording, TRACE, "scores").equations > 0
    assert search(recording, TRACE, "no_such_thing").matches == []
    assert search(recording, TRACE, "  ").matches == []


def test_a_line(recording: Tape) -> None:
    line = attention.__code__.co_firstlineno + 2
    found = search(recording, TRACE, f"line {line}")
    assert found.equations > 0
    assert {match.place.line for match in found.matches if match.place} == {line}
    file = attention.__code__.co_filename.rpartition("/")[2]
    assert search(recording, TRACE, f"{file}:{line}") == found
    assert search(recording, TRACE, f"{file.upper()}:{line} dot") == search(recording, TRACE, f"line {line} dot")
    for other in (f"{file[1:]}:{line}", f"{file}:{line + 1000}", f"[2]:{line}"):
        assert search(recording, TRACE, other).matches == []
    assert search(recording, TRACE, f":{line} dot_general").equations > 0
    assert search(recording, TRACE, ":999999").matches == []


@jax.jit
def nested_model(p: dict[str, Any], x: Any) -> Any:
    return jnp.tanh(attention(p, x))


def nested_loss(p: dict[str, Any], x: Any) -> Any:
    return (nested_model(p, x) ** 2).sum()


def test_a_call_inside_a_pass_belongs_to_it() -> None:
    recording = traced(jax.value_and_grad(nested_loss), {"query": X, "value": X}, X)
    every = search(recording, TRACE, "attention")
    for phase in ("forward", "backward"):
        found = search(recording, TRACE, f"{phase} attention")
        assert found.matches == [match for match in every.matches if match.where[0] == f"{phase} pass"]
        match = next(match for match in found.matches if match.label == "attention")
        shown = build_graph(recording, TRACE, GraphOptions(open_boxes=match.open_boxes)).boxes
        assert [one.phase for one in shown if one.id == match.box] == [phase]
    assert every.equations == sum(search(recording, TRACE, f"{p} attention").equations for p in ("forward", "backward"))


def test_types_and_calls_inside_calls() -> None:
    inner = jaxpr("j1", 1, ["1 = sin 0", "2 = cos 1"], [2])
    recording = tape(inner, jaxpr("j2", 1, ["1 = jit:j1 0 name=layer", "2 = exp 1"], [2], input_names=["x"]))
    found = search(recording, TRACE, "cos f32[2]")
    assert (labels(found), found.matches[0].where) == (["cos"], ["layer"])
    opened = build_graph(recording, TRACE, GraphOptions(open_boxes=found.matches[0].open_boxes))
    assert found.matches[0].box in {one.id for one in opened.boxes}
    assert labels(search(recording, TRACE, "layer")) == ["layer"]


def test_calls_that_multiply_are_counted_and_not_walked() -> None:
    jaxprs = [jaxpr("j0", 1, ["1 = sin 0"], [1])]
    for depth in range(1, 41):
        inner = f"jit:j{depth - 1}"
        jaxprs.append(jaxpr(f"j{depth}", 1, [f"1 = {inner} 0", f"2 = {inner} 1"], [2]))
    started = time.process_time()
    found = search(tape(*jaxprs), TRACE, "sin")
    assert time.process_time() - started < 2
    assert found.equations == 2**40
    assert found.more


# The same programs in every run; search for others with more examples and without `derandomize`.
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(steps=programs, word=st.sampled_from(["sin", "mul", "add", "jit", "scan", "cond", "f32[3]"]))
def test_whatever_is_found_can_be_shown(steps: list[Step], word: str) -> None:
    x = np.arange(3, dtype=np.float32)
    recording = traced(lambda x, y: run(steps, x, y), x, x)
    found = search(recording, TRACE, word)
    every = list(primitives(recording.jaxprs, recording.traces[0].jaxpr or ""))
    assert found.equations >= every.count(word)
    assert bool(found.matches) == bool(found.equations)
    for match in found.matches[:6]:
        graph = build_graph(recording, TRACE, GraphOptions(open_boxes=match.open_boxes))
        shown = {one.id for one in graph.boxes}
        assert any(id_ == match.box or id_.startswith(match.box + "/") for id_ in shown), (match, shown)


def test_a_copy_is_named_by_the_argument_that_it_alone_uses() -> None:
    def updated(params: dict[str, Any], rate: Any) -> Any:
        scale = jnp.sin(rate) * 2.0
        return jax.tree.map(lambda leaf: jnp.tanh(leaf * scale) - leaf, params)

    params = {name: np.ones(3, np.float32) for name in "abcdef"}
    found = search(traced(updated, params, np.float32(1.0)), TRACE, "params['c'] mul")
    texts = [text for match in found.matches for text in (*match.where, match.label)]
    assert any(text.endswith("copy 3: params['c']") for text in texts)


def test_a_path_as_the_boxes_say_it_leads_to_the_update_and_backward_is_a_word() -> None:
    def step(params: Any, x: Any) -> Any:
        def loss(params: Any) -> Any:
            inner = params["params"]
            h = jnp.tanh(x @ inner["Block_0"]["Dense_0"]["kernel"])
            return jnp.mean((h @ inner["Dense_0"]["kernel"] + inner["Dense_0"]["bias"]) ** 2)

        return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params))

    kernel, bias = np.ones((3, 3), np.float32), np.ones(3, np.float32)
    dense = {"kernel": kernel, "bias": bias}
    recording = traced(step, {"params": {"Block_0": {"Dense_0": dense}, "Dense_0": dense}}, kernel)
    found = search(recording, TRACE, "params['Dense_0']['kernel'] sub")
    texts = [text for match in found.matches for text in (*match.where, match.label)]
    assert any("copy 4: params['params']['Dense_0']['kernel']" in text for text in texts), texts
    assert not any("Block_0" in text for text in texts)
    backward = search(recording, TRACE, "backward dot_general")
    graph = build_graph(recording, TRACE, GraphOptions(open_boxes=[i for m in backward.matches for i in m.open_boxes]))
    phases = {box.phase for box in graph.boxes for m in backward.matches if box.id == m.box}
    assert phases == {"backward"}
