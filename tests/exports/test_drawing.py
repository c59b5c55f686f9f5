"""What may be asked of a picture, and how what is not one of it is refused."""

from __future__ import annotations

from typing import Any

import pytest

from jax_trace_viz.exports.exportable import SavedSession
from tests.session.events import Program, key, leaf


@pytest.fixture
def session() -> SavedSession:
    program = Program()
    program.define()
    program.call(key(leaf("x", 2)))
    return SavedSession(program.session.document())


@pytest.mark.parametrize("depth", [-1, 1.5, "2"])
def test_a_depth_that_is_none_is_refused(depth: Any, session: SavedSession) -> None:
    said = f"depth is {depth!r}: it must be a whole number, 0 or more"
    with pytest.raises(ValueError, match=said):
        session.to_svg(depth=depth)
    with pytest.raises(ValueError, match=said):
        session.to_dot(depth=depth)


@pytest.mark.parametrize("overlay", ["kernels", 3, True])
def test_an_overlay_that_is_none_is_refused(overlay: Any, session: SavedSession) -> None:
    with pytest.raises(ValueError, match=f"Unknown overlay {overlay!r}: there are xla, changes"):
        session.to_svg(overlay=overlay)
