"""The notebook cell that a session recorded, and what it came to in a few numbers."""

from __future__ import annotations

from jax_trace_viz.contract.record import Record


class Cell(Record):
    """The notebook cell that was recorded. `id` is empty where the front end sends none."""

    id: str = ""
    execution_count: int | None = None
    file: str | None = None
    """The name under which the cell's source was compiled, as in `Place.file`."""
    checksum: int | None = None
    """CRC-32 of the cell's text as it ran, in UTF-8: whether an editor still shows that text."""


class Tally(Record):
    """A session in a few numbers. Only the user's functions count."""

    traces: int = 0
    retraces: int = 0
    """Those that could have been avoided, as the verdict counts them."""
    seconds: float = 0.0
    """What the retraces cost, with lowering and compilation; where there are none, what all functions cost."""
    trace: str | None = None
    """The newest retrace by the costliest cause; where there is none, the newest trace of the costliest function."""
