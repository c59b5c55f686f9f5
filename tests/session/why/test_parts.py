"""The why card's table. The front end makes the same, held against the same file: `src/model/why/parts.test.ts`."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from jax_trace_viz.contract.document import Argument, Reason  # noqa: TC001 (msgspec reads the annotations
from jax_trace_viz.session.why.parts import parts_of


class Case(msgspec.Struct):
    """Two keys, as far as a document holds them, and the rows of their table."""

    what: str
    reasons: list[Reason]
    now: list[Argument]
    before: list[Argument] | None
    parts: list[tuple[str, str, str, str]]


FIXTURE = Path(__file__).parents[3] / "src/testing/fixtures/parts.json"
CASES = msgspec.json.decode(FIXTURE.read_bytes(), type=list[Case])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_the_table_is_what_the_reference_says(case: Case) -> None:
    rows = [(part.name, part.before, part.now, part.verdict) for part in parts_of(case.reasons, case.now, case.before)]
    assert rows == case.parts
