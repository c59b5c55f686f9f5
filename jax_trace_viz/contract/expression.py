"""The expressions of the user's source, with the equations they staged."""

from __future__ import annotations

from typing import Literal

from jax_trace_viz.contract.record import Record

Phase = Literal["", "forward", "backward"]
"""Which pass of differentiation something belongs to, if any."""


class Expression(Record):
    """A piece of the user's source that staged equations, by itself or in the functions it calls.

    Lines count from 1, columns are UTF-8 bytes from 0. Under differentiation one expression has a record for each
    phase.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    equations: int
    primitives: list[str]
    """Each once, in order, the first few."""
    types: list[str]
    """Types of the values that others use, each once, the first few."""
    phase: Phase = ""
    mapped: bool = False
    """`vmap` made the equations: their types have the batch dimension, which the source does not see."""


class Expressions(Record):
    """The expressions that one trace's equations came from, in order of their place."""

    trace: str
    expressions: list[Expression]
