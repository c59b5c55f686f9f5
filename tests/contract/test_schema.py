"""The generated files say what the contract says."""

from __future__ import annotations

import json
import pathlib

import jsonschema
import msgspec
import pytest

from jax_trace_viz.contract import SCHEMA_VERSION, view
from jax_trace_viz.contract.__main__ import main
from jax_trace_viz.contract.document import Document
from jax_trace_viz.contract.environment import Environment, Outcome
from jax_trace_viz.contract.events import AnyEvent, CallsLeftOut, EventsDropped, RunBegan
from jax_trace_viz.contract.key import Key
from jax_trace_viz.contract.schema import document_schema, files, messages_schema

ROOT = pathlib.Path(__file__).parents[2]


def test_the_files_in_the_repository_are_up_to_date() -> None:
    assert main(["--check"], ROOT) == 0


def test_a_stale_file_is_found_and_written_anew(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0
    stale = tmp_path / "src/protocol/schema.json"
    stale.write_text("{}", encoding="utf-8")
    assert main(["--check"], tmp_path) == 1
    assert capsys.readouterr().err == (
        "Not what the contract says: src/protocol/schema.json. Run `python -m jax_trace_viz.contract`.\n"
    )
    assert stale.read_text(encoding="utf-8") == "{}", "a check changes nothing"
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0


@pytest.mark.parametrize("text", files().values())
def test_the_schemas_are_schemas(text: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(text))


def empty_document() -> Document:
    return Document(
        environment=Environment(python="3.12"),
        outcome=Outcome(),
        functions=[],
        traces=[],
        compilations=[],
        annotations=[],
        findings=[],
    )


def test_a_document_agrees_with_its_schema() -> None:
    plain = json.loads(msgspec.json.encode(empty_document()))
    jsonschema.validate(plain, document_schema())
    assert plain["schema_version"] == SCHEMA_VERSION
    del plain["outcome"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, document_schema())


@pytest.mark.parametrize("name", ["Update", "Hello", "Request", "Answer", "Graph", "Listing", "Span"])
def test_every_message_is_defined(name: str) -> None:
    assert set(messages_schema()["$defs"][name]["properties"]) == set(getattr(view, name).__struct_fields__)


def test_all_references_lead_somewhere() -> None:
    for text in files().values():
        schema = json.loads(text)
        names = {part.split('"')[0] for part in text.split("#/$defs/")[1:]}
        assert names <= set(schema["$defs"])


def test_events_keep_their_kind_on_the_way() -> None:
    events = [
        EventsDropped(count=3),
        CallsLeftOut(count=3),
        RunBegan(
            run=1,
            function=2,
            parent=None,
            kind="jit",
            entry="call",
            dispatch=None,
            key=Key(callable=1),
            arguments=[],
            call_site=None,
            at=0.5,
            thread="MainThread",
        ),
    ]
    for event in events:
        assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event
