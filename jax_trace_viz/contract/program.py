"""What XLA made of a program: the kernels of its executable, and where each of their operations came from.

Read from the optimised HLO of the executable that the program itself compiled. Names and lines are its own metadata:
XLA keeps one origin for what it merges, and none for what it makes itself.
"""

from __future__ import annotations

from jax_trace_viz.contract.record import Record


class HloFrame(Record):
    """An expression of the source; `parent` (an index into the frames) called it. Columns are 0 where unknown."""

    file: str
    line: int
    end_line: int
    column: int = 0
    end_column: int = 0
    parent: int | None = None


class HloOperation(Record):
    """Where operations of the optimised program came from. Those that agree in everything are told once."""

    name: str
    """JAX's name for it: scopes and primitive (`jit(step)/transpose(jvp())/layer/dot_general`)."""
    opcode: str
    """What HLO calls it (`dot`, `multiply`)."""
    frame: int | None = None
    """Index into the program's frames of the innermost one."""


class Kernel(Record):
    """What XLA runs in one go: a fusion, or an operation that stands alone."""

    name: str
    """Its name in the program (`multiply_add_fusion.3`)."""
    opcode: str
    detail: str = ""
    """A fusion's kind, or what a custom call calls."""
    inside: str = ""
    """The loop or branch it runs in, by its name; empty for the program itself."""
    bytes: int = 0
    """Of its operands and results: what it touches at most."""
    operations: list[int] = []
    """Indices into the program's operations."""


class CompiledProgram(Record):
    """One compiled program."""

    compilation: str
    """The compilation's id."""
    kernels: list[Kernel] = []
    """In the order in which XLA lists them."""
    operations: list[HloOperation] = []
    frames: list[HloFrame] = []
    note: str = ""
    """Set when there is nothing, or not all: says why."""
