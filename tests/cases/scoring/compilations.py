"""XLA compilations and the persistent cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cases.scoring.evidence import decisive, expected_kinds, reason_and_line
from tests.cases.scoring.words import ENTRY_POINTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cases.scoring.evidence import Evidence, Json

NEEDS_PROOF = frozenset({"sharding_or_device", "donation", "cache_cleared"})
"""Reasons for a compilation that a truth must have stated somewhere."""


def check_compiles(evidence: Evidence) -> Iterator[str]:
    """Functions that compiled more or less often than XLA did, and compilations with a wrong reason or line."""
    stated: dict[str, list[Json]] = evidence.truth.get("compile_reasons", {})
    for name, want in evidence.truth.get("compiles", {}).items():
        if len(evidence.compiled[name]) != want:
            yield f"compiles of {name}: want {want}, got {len(evidence.compiled[name])}"
    said = {
        word
        for reasons in evidence.truth.get("trace_reasons", {}).values()
        for reason in reasons
        for word in expected_kinds(reason, "also")
    }
    for name in evidence.truth.get("compiles", {}):
        for entry in evidence.compiled[name] if name not in stated else ():
            untrue = {reason["kind"] for reason in entry["reasons"]} & NEEDS_PROOF - said
            if untrue:
                yield f"compile of {name}: untrue {sorted(untrue)}"
            yield from _check_site(evidence, name, entry)
    for name, reasons in stated.items():
        expected = [(reason["reason"], reason["line"]) for reason in reasons]
        got = [reason_and_line(entry) for entry in evidence.compiled[name]]
        if expected != got:
            yield f"compile reasons of {name}: want {expected}, got {got}"


def _check_site(evidence: Evidence, name: str, entry: Json) -> Iterator[str]:
    """A compilation happens at the line of its trace, unless that was traced ahead of the call."""
    trace = evidence.trace_by_id.get(entry.get("trace"))
    if trace is None or decisive(trace) in ENTRY_POINTS:
        return
    traced, compiled = trace["call_site"]["line"], entry["call_site"]["line"]
    if traced != compiled:
        yield f"compile of {name} at line {compiled}, its trace {trace['id']} at {traced}"


def check_persistent_cache(evidence: Evidence) -> Iterator[str]:
    """Hits of the persistent cache that were missed or made up."""
    truth: Json = evidence.truth.get("persistent_cache", {})
    entries = evidence.document["compilations"]
    hits = [evidence.name.get(entry["function"]) for entry in entries if entry.get("persistent_cache") == "hit"]
    if len(hits) != truth.get("hits", 0):
        yield f"persistent cache hits: want {truth.get('hits', 0)}, got {len(hits)} {hits}"
    for name, states in truth.get("of", {}).items():
        got = [entry.get("persistent_cache") for entry in evidence.compiled[name]]
        if got != states:
            yield f"persistent cache of {name}: want {states}, got {got}"
