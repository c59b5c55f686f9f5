"""The front end writes the same picture: both writers are held against one file (see `src/model/svg.test.ts`)."""

from pathlib import Path

import msgspec

from jax_trace_viz.contract.view import Graph
from jax_trace_viz.exports.svg import svg

FIXTURES = Path(__file__).parents[2] / "src/testing/fixtures"


def test_the_reference_picture_is_what_we_write() -> None:
    graph = msgspec.json.decode((FIXTURES / "graph.json").read_bytes(), type=Graph)
    assert svg(graph) == (FIXTURES / "graph.svg").read_text(), "write graph.svg anew, and adapt src/model/svg.ts"
