"""Runs of Python bodies, why they happened, and the calls that needed none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cases.scoring.evidence import decisive, expected_kinds, in_case, reason_and_line
from tests.cases.scoring.words import COMPARED, FACTS, PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cases.scoring.evidence import Evidence, Json


def check_runs(evidence: Evidence) -> Iterator[str]:
    """Functions that ran more or less often than JAX ran their bodies."""
    required: dict[str, int] = evidence.truth.get("traced_runs", {})
    for function, measured in required.items():
        stated = evidence.truth.get("trace_reasons", {}).get(function, ())
        helped = sum(r.get("times", 1) for r in stated if r["reason"] == "called_by_traced_function")
        found = len(evidence.traces[function])
        if found != measured - helped:
            yield f"traces of {function}: want {measured - helped}, got {found}"
    most = {**evidence.truth.get("other_runs", {}), **required}
    for function in sorted({evidence.qualname[own] for own in evidence.own}):
        found = len(evidence.runs[function])
        if found > most.get(function, 0):
            yield f"traces of {function}: at most {most.get(function, 0)} runs, got {found}"


def check_calls(evidence: Evidence) -> Iterator[str]:
    """Wrong totals of calls and cache hits."""
    for function, calls in evidence.truth.get("calls", {}).items():
        entries = [f for f in evidence.document["functions"] if evidence.qualname[f["id"]] == function]
        got = tuple(sum(entry[key] for entry in entries) for key in ("calls", "cache_hits"))
        want = (calls, calls - len(evidence.traces[function]))
        if got != want:
            yield f"calls of {function}: want {want[0]} with {want[1]} hits, got {got[0]} with {got[1]}"


def check_reasons(evidence: Evidence) -> Iterator[str]:
    """Traces whose reason or call site is not the true one."""
    for function in evidence.truth.get("trace_reasons", {}):
        expected = evidence.expected_reasons(function)
        traces = evidence.traces[function]
        unordered = bool(evidence.truth.get("unordered"))
        want = [(reason["reason"], reason.get("line")) for reason in expected]
        got = [reason_and_line(trace) for trace in traces]
        if not _same(expected, got, unordered=unordered):
            yield f"reasons of {function}: want {want}, got {got}"
            continue
        for number, trace in enumerate(traces):
            label = f"trace {number + 1} of {function}"
            earlier = {t["id"] for t in traces[:number]}
            yield from (f"{label}: {text}" for text in _check_trace(trace))
            if not unordered:
                yield from (f"{label}: {text}" for text in _check_in_order(trace, expected[number], earlier))


def _same(expected: list[Json], got: list[tuple[str | None, int | None]], *, unordered: bool) -> bool:
    if unordered:
        return sorted(str((r["reason"], r.get("line"))) for r in expected) == sorted(map(str, got))
    return len(expected) == len(got) and all(
        line == reason.get("line") and kind in expected_kinds(reason)
        for reason, (kind, line) in zip(expected, got, strict=True)
    )


def _check_trace(trace: Json) -> Iterator[str]:
    kinds = {reason["kind"] for reason in trace["reasons"]}
    if not in_case(trace["call_site"]):
        yield f"called from {trace['call_site'].get('file')!r}, not from case.py"
    if "first_call" in kinds and kinds & (FACTS | PARTS):
        yield "a first call has nothing to differ from"
    for reason in trace["reasons"]:
        changed = (reason.get("before"), reason.get("after"))
        if reason["kind"] in PARTS and not (reason.get("path") and None not in changed):
            yield f"{reason['kind']} without path, before and after"
        elif reason["kind"] in FACTS & PARTS and changed[0] == changed[1]:
            yield f"{reason['kind']} from {changed[0]} to the same"


def _check_in_order(trace: Json, expected: Json, earlier: set[str]) -> Iterator[str]:
    kinds = {reason["kind"] for reason in trace["reasons"]}
    untrue = (kinds & FACTS) - expected_kinds(expected, "also")
    if untrue:
        yield f"untrue {sorted(untrue)}"
    if decisive(trace) in COMPARED and trace.get("compared_with") not in earlier:
        yield f"compared_with {trace.get('compared_with')!r} is no earlier trace of it"
