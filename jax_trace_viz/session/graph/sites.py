"""Expressions of the source, by where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Frame

Site = tuple[str, int, int, int, int]
"""An expression of the source, whoever called the function it is in."""


def site(frame: Frame) -> Site:
    """The expression that a frame was evaluating."""
    return frame.file, frame.line, frame.column, frame.end_line, frame.end_column
