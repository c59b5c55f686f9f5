"""Saving and loading session documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

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


def test_a_missing_file_stays_a_missing_file(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.json")
