"""Events of real programs give what is known to be true of them; see `recordings/README.md`."""

from __future__ import annotations

import functools
import json
import pathlib
import random
from typing import TYPE_CHECKING

import msgspec
import pytest

from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.contract.events import AnyEvent
from jax_trace_viz.exports.references import broken_reference
from jax_trace_viz.session import Session
from jax_trace_viz.session.front_end.view import update

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document, Trace

HERE = pathlib.Path(__file__).parent
RECORDINGS = sorted(path.stem for path in (HERE / "recordings").glob("*.jsonl"))


@functools.cache
def replay(name: str) -> Session:
    """A session that was told what the program did."""
    outcome, *lines = (HERE / "recordings" / f"{name}.jsonl").read_bytes().splitlines()
    session = Session()
    for line in lines:
        session.apply(msgspec.json.decode(line, type=AnyEvent))
    session.finish(msgspec.json.decode(outcome, type=Outcome))
    return session


@pytest.mark.parametrize("name", RECORDINGS)
def test_whatever_is_lost_of_a_recording_the_rest_names_nothing_that_is_not_there(name: str) -> None:
    outcome, *lines = (HERE / "recordings" / f"{name}.jsonl").read_bytes().splitlines()
    events = [msgspec.json.decode(line, type=AnyEvent) for line in lines]
    for seed in range(10):
        draw = random.Random(seed)
        session = Session(memory_mb=draw.choice([64, 0.02, 0.005]))
        for event in events:
            if draw.random() < 0.8:
                session.apply(event)
        session.finish(msgspec.json.decode(outcome, type=Outcome))
        assert broken_reference(session.document()) is None


def truth_of(name: str) -> dict[str, dict[str, list[dict[str, object]]]]:
    return json.loads((HERE.parent / "cases" / name / "truth.json").read_text(encoding="utf-8"))


def runs_of(document: Document, qualname: str) -> list[Trace]:
    ids = {f.id for f in document.functions if f.qualname.replace("<locals>.", "") == qualname}
    return [trace for trace in document.traces if trace.function in ids and trace.kind != "call"]


@pytest.mark.parametrize("name", RECORDINGS)
def test_reasons_are_the_known_ones(name: str) -> None:
    document = replay(name).document()
    for qualname, known in truth_of(name)["trace_reasons"].items():
        expected = [
            {entry["reason"], *entry.get("accept", ())} for entry in known for _ in range(entry.get("times", 1))
        ]
        told = [trace.reasons[0].kind for trace in runs_of(document, qualname)]
        assert len(told) == len(expected), (qualname, told)
        assert all(kind in kinds for kind, kinds in zip(told, expected, strict=True)), (qualname, told)


@pytest.mark.parametrize("name", [name for name in RECORDINGS if "compile_reasons" in truth_of(name)])
def test_compile_reasons_are_the_known_ones(name: str) -> None:
    document = replay(name).document()
    for function, known in truth_of(name)["compile_reasons"].items():
        ids = {f.id for f in document.functions if f.name == function}
        told = [c.reasons[0].kind for c in document.compilations if c.function in ids]
        assert told == [entry["reason"] for entry in known]


@pytest.mark.parametrize("name", RECORDINGS)
def test_nothing_is_left_running_or_unnamed(name: str) -> None:
    document = replay(name).document()
    assert {trace.status for trace in document.traces} <= {"ok", "error"}
    assert document.faults == []
    ids = {trace.id for trace in document.traces}
    for trace in document.traces:
        assert trace.parent is None or trace.parent in ids
        assert trace.compared_with is None or trace.compared_with in ids


FINDINGS = {
    "02_weak_param_init": ["weak_type"],
    "07_growing_history": ["changing_shapes"],
    "10_static_lr": ["varying_static"],
    "13_static_eq_identity": ["varying_static"],
    "17_kwarg_vs_positional": ["kwargs_spelling"],
    "20_lambda_each_call": ["new_function_object"],
    "25_regrad_each_step": ["new_function_object"],
    "40_bool_branch": ["tracing_error"],
    "56_aux_data_counter": ["growing_pytree"],
    "59_x64_context": ["context_toggle"],
    "64_other_device": [],
    "65_named_sharding_change": [],
    "82_clear_caches": [],
    "97_many_changes": ["changing_shapes"],
    "98_inner_many_shapes": [],
}


@pytest.mark.parametrize("name", RECORDINGS)
def test_findings_are_those_a_person_would_write(name: str) -> None:
    assert [finding.kind for finding in replay(name).findings] == FINDINGS[name]


VERDICTS = {
    "02_weak_param_init": "params['temp'] changed its weak type f32[]~ → f32[]",
    "07_growing_history": "traj changed shape f32[2] → f32[3] → f32[4] → … (1 more) → f32[6]",
    "17_kwarg_vs_positional": "the call was spelled differently",
    "20_lambda_each_call": "a new function object each time",
    "40_bool_branch": "Tracing relu_sum stopped at line",
    "64_other_device": "f was traced once, compiled twice",
    "82_clear_caches": "JAX's caches had been cleared",
    "98_inner_many_shapes": "Inside other traces, norm was traced 3×.",
}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_names_the_cause(name: str) -> None:
    assert VERDICTS[name] in update(replay(name)).verdict


@pytest.mark.parametrize("name", RECORDINGS)
def test_the_picture_is_complete_and_small(name: str) -> None:
    picture = update(replay(name))
    assert picture.selected in {trace.id for trace in picture.traces}
    assert picture.selected in {graph.trace for graph in picture.graphs}
    assert picture.selected in {listing.trace for listing in picture.listings}
    assert picture.note == ""
    assert picture.faults == []
    assert len(msgspec.json.encode(picture)) < 200_000
