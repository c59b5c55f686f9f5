"""Scores the session document of one case against what is true of it.

Each field below is one promise of the session document; `score` says for every field what disagrees.

form       versioned, every id resolves, the counts in `functions` equal the entries, no empty reasons, known words
outcome    status, error type (the raised one or a base class that the truth names), line and call line; the exit status
           agrees; when the error rose inside a traced body, the last trace of that function says so
stdout     the program's own output passed through
traces     per function: as many entries in `traces` as JAX ran the Python body
reasons    per function: the kind of each trace's first reason, in order, and the user's line that called; none that is
           untrue
calls      calls of a jitted function, and how many of them ran no body
compiles   per function: entries in `compilations`; kinds and lines of their reasons where the truth states them
marks      the status of every parameter and local, on a line that binds the name
constants  every array the truth calls baked in is there; nothing else of 16 bytes or more is
cache      as many hits of the persistent cache as the truth states

A plain helper (kind `call`, or first reason `called_by_traced_function`) is optional: neither required nor counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cases.scoring import compilations, form, outcome, traces, values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cases.scoring.evidence import Evidence

CHECKS: dict[str, Callable[[Evidence], Iterator[str]]] = {
    "form": form.check,
    "outcome": outcome.check_outcome,
    "stdout": outcome.check_stdout,
    "traces": traces.check_runs,
    "reasons": traces.check_reasons,
    "calls": traces.check_calls,
    "compiles": compilations.check_compiles,
    "marks": values.check_marks,
    "constants": values.check_constants,
    "cache": compilations.check_persistent_cache,
}


def score(evidence: Evidence) -> dict[str, list[str]]:
    """What disagrees, by field. A document that lacks an agreed part raises the `KeyError`, `TypeError`, … of that."""
    return {field: list(check(evidence)) for field, check in CHECKS.items()}
