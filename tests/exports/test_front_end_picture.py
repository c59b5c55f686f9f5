"""The front end writes the same picture: both writers are held against one file (see `src/model/graph/svg.test.ts`)."""

from pathlib import Path

import msgspec
import pytest

from jax_trace_viz.contract.picture import Graph
from jax_trace_viz.exports.svg import side_by_side, svg

FIXTURES = Path(__file__).parents[2] / "src/testing/fixtures"


def graph(name: str) -> Graph:
    return msgspec.json.decode((FIXTURES / f"{name}.json").read_bytes(), type=Graph)


@pytest.mark.parametrize("name", ["graph", "graph-kernels", "graph-changes"])
def test_the_reference_picture_is_what_we_write(name: str) -> None:
    assert svg(graph(name)) == (FIXTURES / f"{name}.svg").read_text(), "write it anew, and adapt src/model/graph/svg.ts"


def test_so_is_that_of_two_graphs_beside_each_other() -> None:
    written = side_by_side(graph("graph-changes"), graph("graph-kernels"))
    assert written == (FIXTURES / "graph-pair.svg").read_text(), "write it anew, and adapt src/model/graph/svg.ts"
