"""Programs from real reports about JAX tracing: the session document says what is true of each.

One folder per case, `case.py` and `truth.json`; README.md beside this file says what the truths mean.
"""

from __future__ import annotations

import concurrent.futures
import importlib.metadata
import json
import os
import pathlib
from typing import TYPE_CHECKING

import pytest

from tests.cases.run import run_case
from tests.cases.scoring import CHECKS
from tests.selecting import needing, selected

if TYPE_CHECKING:
    from collections.abc import Iterator

SCORED = tuple(CHECKS)
"""The fields that must agree."""

CASES = sorted(truth.parent for truth in pathlib.Path(__file__).parent.glob("*/truth.json"))
JAX_VERSION = importlib.metadata.version("jax")
OLDEST_MEASURED = (0, 6, 2)
"""The truths were measured with JAX 0.6.2, 0.8.2, 0.10.2 and 0.12.0.1."""

pytestmark = pytest.mark.skipif(
    tuple(int(part) for part in JAX_VERSION.split(".")[:3]) < OLDEST_MEASURED,
    reason=f"the truths were not measured with JAX {JAX_VERSION}",
)

Results = dict[pathlib.Path, "concurrent.futures.Future[dict[str, list[str]]]"]


def requires(case: pathlib.Path) -> list[str]:
    """The packages that a case needs."""
    return json.loads((case / "truth.json").read_text(encoding="utf-8"))["requires"]


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest) -> Iterator[Results]:
    """The runs of all selected cases: started together, because each is a program of some seconds."""
    pool = concurrent.futures.ThreadPoolExecutor(max_workers=min(os.cpu_count() or 1, 4))
    yield {case: pool.submit(run_case, case, JAX_VERSION) for case in selected(request, "case")}
    pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("case", [needing(case, requires(case), id=case.name) for case in CASES])
def test_the_session_document_says_what_is_true_of(case: pathlib.Path, results: Results) -> None:
    wrong = results[case].result()
    disagreeing = [text for field in SCORED for text in wrong.get(field, ())]
    assert not disagreeing, "\n".join(disagreeing)
