"""Where a recorded program ran, and how it ended."""

from __future__ import annotations

from typing import Literal

from jax_trace_viz.contract.record import Record

Status = Literal["running", "ok", "error"]


class Device(Record):
    """One device of the active platform, as JAX names it."""

    id: int
    platform: str
    kind: str


class Environment(Record):
    """Where the program ran. `platform` is None as long as the program has started no backend."""

    python: str
    jax: str | None = None
    jaxlib: str | None = None
    platform: str | None = None
    devices: list[Device] = []
    process_index: int | None = None
    """Of a program that runs as several processes (`jax.distributed`), which of `process_count` this is."""
    process_count: int | None = None
    limited: list[str] = []
    """Names of the seams that are off, because this JAX lacks them or because they failed."""


class Outcome(Record):
    """How the recorded program ended.

    `line` is the innermost user line, `call_line` the module-level (cell-level) one.
    """

    status: Status = "ok"
    type: str | None = None
    bases: list[str] = []
    message: str | None = None
    file: str | None = None
    line: int | None = None
    call_line: int | None = None
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None
    source: str | None = None
    """The text of the expression that was evaluated, from `line` and `column` to their ends."""
    holder: str | None = None
    """What the program calls the value of another trace that it used (`kept[0]`, `self.state`)."""
