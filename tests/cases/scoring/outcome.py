"""How the program ended and what it printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cases.scoring.source import innermost_function

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cases.scoring.evidence import Evidence, Json


def check_outcome(evidence: Evidence) -> Iterator[str]:
    """What is wrong with `outcome`, the exit status and the status of the trace that failed."""
    want: Json = evidence.truth["outcome"]
    got: Json = evidence.document.get("outcome") or {}
    if want["status"] != got.get("status"):
        yield f"outcome: want {want['status']}, got {got.get('status')}"
    elif want["status"] == "error":
        yield from _check_error(evidence, want, got)
    if (evidence.exit_status != 0) != (want["status"] == "error"):
        yield f"outcome: exit status {evidence.exit_status} of a program that ended with {want['status']}"


def _check_error(evidence: Evidence, want: Json, got: Json) -> Iterator[str]:
    types = {got.get("type")}
    if want["type"] not in ("Exception", "BaseException"):  # these would be a base class of anything
        types.update(got.get("bases", ()))
    if want["type"] not in types:
        yield f"outcome type: want {want['type']}, got {got.get('type')}"
    for field in ("line", "call_line"):
        if field in want and want[field] != got.get(field):
            yield f"outcome {field}: want {want[field]}, got {got.get(field)}"
    if want["line"] == want.get("call_line", want["line"]):
        return
    function = innermost_function(evidence.source, want["line"])
    runs = evidence.runs[function] if function else []
    if runs and runs[-1].get("status") != "error":
        yield f"outcome: the last trace of {function} raised, its status is {runs[-1].get('status')!r}"


def check_stdout(evidence: Evidence) -> Iterator[str]:
    """What is missing from, or was added to, the program's own output."""
    want = evidence.truth.get("stdout", evidence.stdout)
    if evidence.stdout != want:
        yield f"stdout: want {want[:200]!r}, got {evidence.stdout[:200]!r}"
    for text in evidence.truth.get("stdout_contains", ()):
        if text not in evidence.stdout:
            yield f"stdout: lacks {text!r}"
