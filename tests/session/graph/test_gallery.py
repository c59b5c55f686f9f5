"""The gallery shows what is drawn today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.session.graph.gallery import PICTURES, PROGRAMS, drawn

PAGE = Path(__file__).parents[3] / "docs/gallery.md"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_picture_is_as_it_is_drawn(name: str) -> None:
    shown = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn(name) == shown, "look at it, then: python -m tests.session.graph.gallery"


def test_every_picture_is_on_the_page() -> None:
    shown = re.findall(r"\]\(images/gallery/(\w+)\.svg\)", PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(PROGRAMS)
