"""One source for the colours: what the front end has is generated from ours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jax_trace_viz.exports.palette import DARK, LIGHT, TYPESCRIPT, typescript

STYLE = Path(__file__).parents[2] / "style/variables.css"
VARIABLES = {"constant": "constant-box"}
"""Tones whose variables are called otherwise."""


def test_the_front_end_has_the_same_colours() -> None:
    assert TYPESCRIPT.read_text(encoding="utf-8") == typescript(), "python -m jax_trace_viz.exports.palette"


@pytest.mark.parametrize("tone", sorted(LIGHT.tones.keys() - {"port"}))
def test_the_style_sheet_has_the_same_colours(tone: str) -> None:
    sheet = dict(re.findall(r"--jtv-([\w-]+): light-dark\((#\w+, #\w+)\)", STYLE.read_text(encoding="utf-8")))
    name = VARIABLES.get(tone, tone)
    assert sheet[name] == f"{LIGHT.tones[tone].fill}, {DARK.tones[tone].fill}"
    assert sheet[f"{name}-line"] == f"{LIGHT.tones[tone].stroke}, {DARK.tones[tone].stroke}"
