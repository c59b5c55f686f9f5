"""`docs/session-document.md` says what the contract says: the same fields, the same kinds, an example that is one."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import fields

from jax_trace_viz.contract import SCHEMA_VERSION, document, jaxpr
from jax_trace_viz.session import wording
from jax_trace_viz.session.errors.explaining import _AT_CALLS, _KIND
from jax_trace_viz.session.findings.retraces import _RULES
from jax_trace_viz.session.reasons.why_traced import ENTRIES

PAGE = (Path(__file__).parents[2] / "docs" / "session-document.md").read_text(encoding="utf-8")
RECORDS = [
    record
    for module in (document, jaxpr)
    for _, record in inspect.getmembers(module, inspect.isclass)
    if record.__module__ == module.__name__
]


def rows(heading: str) -> list[str]:
    """The words in backticks in the first column of the table below a heading."""
    (section,) = re.findall(rf"^##+ {re.escape(heading)}\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    first_column = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [word for cell in first_column for word in re.findall(r"`(\w+)`", cell)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_field_is_told(record):
    assert sorted(rows(record.__name__)) == sorted(field.name for field in fields(record))


def test_every_reason_kind_is_told():
    assert set(rows("Reason kinds")) == set(wording._PHRASES)
    assert set(rows("Reason kinds")) >= ENTRIES


def test_every_finding_kind_is_told():
    told = rows("Finding kinds")
    rules = {rule.finding for rule in _RULES.values()}
    explained = {_KIND, *(kind for _, kind, _ in _AT_CALLS)}
    others = {"leaked_tracer", "key_reuse", "large_constant", "stale_value", "eager_operations"}
    others |= {"too_many_compiles", "library_compiles", "no_fast_path"}
    assert {*rules, *explained, *others} == set(told)


def test_the_example_is_a_document():
    (example,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    read = msgspec.json.decode(example, type=document.Document)
    assert read.schema_version == SCHEMA_VERSION
    assert [reason.kind for trace in read.traces for reason in trace.reasons] == ["first_call", "new_shape"]
    ids = {trace.id for trace in read.traces}
    assert {compilation.trace for compilation in read.compilations} <= ids
