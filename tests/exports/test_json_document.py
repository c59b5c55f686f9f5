"""Saving and loading session documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from jax_trace_viz.contract import SCHEMA_VERSION
from jax_trace_viz.exports.json_document import UnreadableDocumentError, load, save, text
from tests.session.events import Program, key, leaf

if TYPE_CHECKING:
    import pathlib


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define(name="naïve ∂f <&>")
    program.call(key(leaf("x", 2)))
    return program


def test_what_is_saved_is_loaded(program: Program, tmp_path: pathlib.Path) -> None:
    document = program.session.document()
    save(document, tmp_path / "session.json")
    assert load(tmp_path / "session.json") == document


def test_other_programs_can_read_it(program: Program) -> None:
    plain = json.loads(text(program.session.document()))
    assert plain["schema_version"] == SCHEMA_VERSION
    assert plain["functions"][0]["name"] == "naïve ∂f <&>"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no session document"),
        (b"{", "is no session document"),
        (b"\xff\xfe", "is no session document"),
        (b"[1, 2]", "is no session document"),
        (b'{"cells": [], "nbformat": 4}', "is no session document"),
        (b'{"schema_version": "one"}', "is no session document"),
        (b'{"schema_version": 1}', "is a damaged session document"),
        (b'{"schema_version": 99, "future": true}', "upgrade jax-trace-viz"),
        (b'{"schema_version": 0}', "record the session again"),
        (b'{"schema_version": 1, "deep": ' + b"[" * 100_000, "is no session document"),
    ],
)
def test_other_files_are_refused_in_one_sentence(content: bytes, words: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableDocumentError) as caught:
        load(path)
    message = str(caught.value)
    assert words in message
    assert str(path) in message
    assert message.endswith(".")
    assert "\n" not in message


FRAME = {"file": "a.py", "function": "f", "line": 1, "end_line": 1, "column": 0, "end_column": 1, "origin": "user"}


def jaxpr(identifier: str, **fields: Any) -> dict[str, Any]:
    """A jaxpr with one variable and one equation, which these fields change."""
    equation = {"primitive": "sin", "inputs": [0], "outputs": [0]} | fields
    return {
        "id": identifier,
        "inputs": [0],
        "outputs": [0],
        "constants": [],
        "types": ["f32[]"],
        "equations": [equation],
    }


def inside(identifier: str) -> list[dict[str, str]]:
    """The jaxprs of an equation that has this one inside."""
    return [{"parameter": "jaxpr", "jaxpr": identifier}]


@pytest.mark.parametrize(
    ("table", "records", "words"),
    [
        ("functions", [], "f1#1 is of function f1, which is not there."),
        ("frames", [FRAME | {"parent": 7}], "frame 7 is not there."),
        ("frames", [FRAME | {"parent": -1}], "frame -1 is not there."),
        ("frames", [FRAME | {"parent": 1}, FRAME | {"parent": 0}], "frame 0 is inside itself."),
        ("jaxprs", [jaxpr("j1", inputs=[-1])], "jaxpr j1 has no variable -1."),
        ("jaxprs", [jaxpr("j1", outputs=[2**40])], f"jaxpr j1 has no variable {2**40}."),
        ("jaxprs", [jaxpr("j1", frame=0)], "jaxpr j1 has an equation of frame 0, which is not there."),
        ("jaxprs", [jaxpr("j1", jaxprs=inside("j2")), jaxpr("j2", jaxprs=inside("j1"))], "jaxpr j1 is inside itself."),
        ("programs", [{"compilation": "c1", "operations": [{"name": "", "opcode": "", "frame": 0}]}], "frame 0 is not"),
        ("programs", [{"compilation": "c1", "kernels": [{"name": "", "opcode": "", "operations": [3]}]}], "3 is not"),
    ],
)
def test_a_document_whose_records_name_what_is_not_there_is_damaged(
    table: str, records: list[dict[str, Any]], words: str, program: Program, tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(json.loads(text(program.session.document())) | {table: records}), encoding="utf-8")
    with pytest.raises(UnreadableDocumentError, match="is a damaged session document: ") as caught:
        load(path)
    assert words in str(caught.value)


def test_a_trace_without_a_reason_is_damaged(program: Program, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "session.json"
    plain = json.loads(text(program.session.document()))
    plain["traces"][0]["reasons"] = []
    path.write_text(json.dumps(plain), encoding="utf-8")
    with pytest.raises(UnreadableDocumentError, match="f1#1 has no reason"):
        load(path)


def test_a_chain_of_frames_as_long_as_a_program_is_no_circle(program: Program, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "session.json"
    deep = [FRAME | {"parent": at - 1 if at else None} for at in range(20_000)]
    path.write_text(json.dumps(json.loads(text(program.session.document())) | {"frames": deep}), encoding="utf-8")
    assert len(load(path).frames) == 20_000


def test_a_missing_file_stays_a_missing_file(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.json")
