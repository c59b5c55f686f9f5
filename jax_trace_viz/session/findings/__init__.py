"""What is worth the user's attention: only what is certain, with what usually helps.

A rule is a function from evidence to findings; a new one is a line in `RULES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.findings.constants import large_constants
from jax_trace_viz.session.findings.eager import eager_operations
from jax_trace_viz.session.findings.errors import errors
from jax_trace_viz.session.findings.library import library_compilations
from jax_trace_viz.session.findings.recompiles import recompilations
from jax_trace_viz.session.findings.retraces import advice, avoidable_retraces
from jax_trace_viz.session.findings.slow_calls import calls_without_fast_path
from jax_trace_viz.session.findings.stale import stale_values

__all__ = ["RULES", "advice", "find"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jax_trace_viz.contract.document import Finding
    from jax_trace_viz.session.evidence import Evidence

RULES: list[Callable[[Evidence], Iterable[Finding]]] = [
    errors,
    stale_values,
    avoidable_retraces,
    recompilations,
    library_compilations,
    large_constants,
    eager_operations,
    calls_without_fast_path,
]
"""In the order in which findings of equal cost are told."""


def find(evidence: Evidence) -> list[Finding]:
    """All findings, the costliest first."""
    found = [finding for rule in RULES for finding in rule(evidence)]
    return sorted(found, key=lambda finding: -finding.seconds)
