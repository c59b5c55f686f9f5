"""Programs that end in one of JAX's tracing errors, and what must be said of each.

Each source defines `f`; `call` is what fails. `why` and `fix` are pieces of the finding. `mended` is the line that the
advice says to write in place of the failing one, which must then work.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """One program."""

    source: str
    call: str
    line: str
    """The line that fails."""
    why: tuple[str, ...]
    fix: tuple[str, ...]
    mended: str | None = None
    replaces: int = 1
    """How many lines `mended` takes the place of."""
    kind: str = "tracing_error"


def jit(body: str, parameters: str = "x") -> str:
    return f"@jax.jit\ndef f({parameters}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
