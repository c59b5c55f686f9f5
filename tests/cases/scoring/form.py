"""The document hangs together: versioned, ids resolve, totals equal the entries, words are known."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING

from tests.cases.scoring.evidence import is_helper
from tests.cases.scoring.words import MARKS, REASONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cases.scoring.evidence import Evidence, Json

REFERENCES = ("trace", "parent", "compared_with")


def check(evidence: Evidence) -> Iterator[str]:
    """What is wrong with the document's form."""
    document = evidence.document
    if not isinstance(document.get("schema_version"), int):
        yield "form: no schema_version"
    missing = {"python", "jax", "jaxlib", "platform", "devices"} - set(document.get("environment") or ())
    if missing:
        yield f"form: environment lacks {sorted(missing)}"
    functions = collections.Counter(function["id"] for function in document["functions"])
    traces = collections.Counter(trace["id"] for trace in document["traces"])
    if max([*functions.values(), *traces.values(), 1]) > 1:
        yield "form: an id is used twice"
    wrong = {
        text
        for kind in ("trace", "compilation", "annotation")
        for entry in document[f"{kind}s"]
        for text in _entry(kind, entry, set(functions), set(traces))
    }
    yield from sorted(wrong | set(_totals(document)))


def _entry(kind: str, entry: Json, functions: set[str], traces: set[str]) -> Iterator[str]:
    if entry["function"] not in functions:
        yield f"form: {kind} of unknown function {entry['function']!r}"
    for key in REFERENCES:
        if entry.get(key) is not None and entry[key] not in traces:
            yield f"form: {kind} names unknown {key} {entry[key]!r}"
    if "reasons" in entry:
        for reason in entry["reasons"] or [{"kind": None}]:
            if reason["kind"] not in REASONS:
                yield f"form: {kind} with reason {reason['kind']!r}"
    if kind == "annotation" and entry["status"] not in MARKS:
        yield f"form: annotation with status {entry['status']!r}"


def _totals(document: Json) -> Iterator[str]:
    traces = collections.Counter(trace["function"] for trace in document["traces"] if not is_helper(trace))
    compiles = collections.Counter(entry["function"] for entry in document["compilations"])
    for function in document["functions"]:
        if not isinstance(function.get("name"), str) or not isinstance(function.get("qualname", ""), str):
            yield f"form: function {function['id']} has no name"
        for key, found in (("traces", traces[function["id"]]), ("compiles", compiles[function["id"]])):
            if function[key] != found:
                yield f"form: function {function.get('name')} says {key}={function[key]}, the document has {found}"
