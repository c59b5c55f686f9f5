"""What several runs have covered together."""

from __future__ import annotations

import json

import pytest

from tools.coverage import add_up, report, shares

OLD = {
    "jax_trace_viz/capture/keys/cache_keys.py": {"statements": [1, 2, 3, 4], "ran": [1, 2]},
    "jax_trace_viz/session/recorded/tables.py": {"statements": [1, 2], "ran": [1, 2]},
}
NEW = {"jax_trace_viz/capture/keys/cache_keys.py": {"statements": [1, 2, 3, 4], "ran": [1, 4]}}


def test_a_statement_counts_that_any_run_has_reached() -> None:
    covered = add_up([json.dumps(OLD), json.dumps(NEW)])
    assert covered["jax_trace_viz/capture/keys/cache_keys.py"].missed == [3]
    assert shares(covered) == pytest.approx({"capture": 75.0, "session": 100.0})
    assert report(covered) == [
        "jax_trace_viz/capture/keys/cache_keys.py: 3",
        "capture: 75.0 % of the statements",
        "session: 100.0 % of the statements",
    ]
