"""The front end writes the same picture: both writers are held against one file (see `src/model/svg.test.ts`)."""

from pathlib import Path

import msgspec
import pytest

from jax_trace_viz.contract.view import Graph
from jax_trace_viz.exports.svg import svg

FIXTURES = Path(__file__).parents[2] / "src/testing/fixtures"


@pytest.mark.parametrize("name", ["graph", "graph-kernels", "graph-changes"])
def test_the_reference_picture_is_what_we_write(name: str) -> None:
    graph = msgspec.json.decode((FIXTURES / f"{name}.json").read_bytes(), type=Graph)
    assert svg(graph) == (FIXTURES / f"{name}.svg").read_text(), "write it anew, and adapt src/model/svg.ts"
